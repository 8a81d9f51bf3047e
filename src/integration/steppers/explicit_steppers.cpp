#include <limits>
#include <optional>

#include "integration/steppers/step_size.hpp"
#include "integration/steppers/stepper.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/odeint_stepper.hpp"

namespace spacedyn {
namespace {

template <std::size_t Stages>
using OdeintTableau = odeint::explicit_generic_rk<Stages, Stages, VectorX, double, VectorX, double>;
template <std::size_t Size>
using Coefficients = boost::array<double, Size>;

/// The explicit midpoint rule, order 2.
class MidpointRule : public OdeintTableau<2> {
 public:
  MidpointRule()
      : OdeintTableau<2>(boost::fusion::make_vector(Coefficients<1>{{0.5}}),
                         Coefficients<2>{{0.0, 1.0}}, Coefficients<2>{{0.0, 0.5}}) {}
};

/// Kutta's rule of order 3, whose weights 1:4:1 are Simpson's; the attitude is a rotation vector.
///
/// Differs from [SpaceDyn]: `int_sr` and `int_sr2` hold the attitude or turn it by a body-frame
/// rule inside the step and reach order 0 and 1.
class KuttaRule : public OdeintTableau<3> {
 public:
  KuttaRule()
      : OdeintTableau<3>(
            boost::fusion::make_vector(Coefficients<1>{{0.5}}, Coefficients<2>{{-1.0, 2.0}}),
            Coefficients<3>{{1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0}}, Coefficients<3>{{0.0, 0.5, 1.0}}) {}
};

/// Steps with a method of its own memory.
class OneStepStepper final : public Stepper {
 public:
  explicit OneStepStepper(const OneStepMethod& method) : method_(method.clone()) {
    if (error_order() > 0) control_.emplace(error_order());
  }

  void attempt(DifferentialEquation& equation, Step& step) override {
    method_->attempt(equation, step);
  }
  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    method_->interpolate(equation, step, time, x);
  }
  int error_order() const final { return method_->error_order(); }
  double next_size(double h, double error) override {
    return control_ ? control_->next_size(h, error) : h;
  }
  double stability_limit() const override { return method_->stability_limit(); }
  void transfer(Archive& archive) override {
    if (control_) archive(*control_);
  }

 private:
  const std::unique_ptr<OneStepMethod> method_;
  std::optional<StepSizeControl> control_;  // of methods with an error estimate
};

/// Of a method of the library, whose name its traits have.
/// @param stability_limit  infinite where steps are not chosen by their errors
template <typename Method>
std::unique_ptr<Stepper> of_odeint(
    double stability_limit = std::numeric_limits<double>::infinity()) {
  return make_own_stepper(OdeintStepper<Method>(Method(), "", stability_limit));
}

}  // namespace

OneStepMethod::OneStepMethod(std::string name, int order, int error_order, double stability_limit)
    : name_(std::move(name)),
      order_(order),
      error_order_(error_order),
      stability_limit_(stability_limit) {
  if (order < 1) throw DomainError("the order of method '" + name_ + "' must be at least 1");
  if (error_order < 0) {
    throw DomainError("the order of the error of method '" + name_ + "' must not be negative");
  }
  if (!(stability_limit > 0.0)) {
    throw DomainError("the stability limit of method '" + name_ + "' must be positive");
  }
}

OneStepMethod::~OneStepMethod() = default;

MethodTraits OneStepMethod::traits() const {
  MethodTraits traits = method_traits(IntegrationMethod::dopri5);  // the same of every such method
  traits.name = name_;
  traits.order = order_;
  traits.adaptive = error_order_ > 0;
  return traits;
}

std::unique_ptr<Stepper> make_own_stepper(const OneStepMethod& method) {
  return std::make_unique<OneStepStepper>(method);
}

std::unique_ptr<Stepper> make_euler_stepper() { return of_odeint<odeint::euler<VectorX>>(); }

std::unique_ptr<Stepper> make_midpoint_stepper() { return of_odeint<MidpointRule>(); }

std::unique_ptr<Stepper> make_simpson_stepper() { return of_odeint<KuttaRule>(); }

std::unique_ptr<Stepper> make_rk4_stepper() { return of_odeint<odeint::runge_kutta4<VectorX>>(); }

std::unique_ptr<Stepper> make_dopri5_stepper() {
  return of_odeint<odeint::runge_kutta_dopri5<VectorX>>(2.8);
}

std::unique_ptr<Stepper> make_cash_karp54_stepper() {
  return of_odeint<odeint::runge_kutta_cash_karp54<VectorX>>(3.1);
}

std::unique_ptr<Stepper> make_fehlberg78_stepper() {
  return of_odeint<odeint::runge_kutta_fehlberg78<VectorX>>(4.2);
}

}  // namespace spacedyn
