#include "integration/steppers/embedded_stepper.hpp"
#include "integration/steppers/fixed_stepper.hpp"
#include "spacedyn/integration/odeint.hpp"

namespace spacedyn {
namespace {

/// An explicit method of odeint without an error estimate.
template <typename Method>
class FixedOdeintStepper final : public FixedStepper {
 private:
  void take_step(DifferentialEquation& equation, Step& step) override {
    method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, step.x_new,
                    step.t_new - step.t_old);
  }

  Method method_;
};

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

/// An explicit method of odeint with an embedded error estimate.
template <typename Method>
class EmbeddedOdeintStepper final : public EmbeddedStepper {
 public:
  EmbeddedOdeintStepper(int error_order, double stability_limit)
      : EmbeddedStepper(error_order), stability_limit_(stability_limit) {}

  double stability_limit() const override { return stability_limit_; }

  void attempt(DifferentialEquation& equation, Step& step) override {
    error_.resize(step.x_old.size());
    method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, step.x_new,
                    step.t_new - step.t_old, step.error);
    equation(step.x_new, step.rate_new, step.t_new);
  }

  /// A shorter step of the same method: its error is below that of the whole step, at any order.
  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, x, time - step.t_old,
                    error_);
  }

 private:
  const double stability_limit_;
  Method method_;
  VectorX error_;  // of interpolated states, ignored
};

}  // namespace

std::unique_ptr<Stepper> make_euler_stepper() {
  return std::make_unique<FixedOdeintStepper<odeint::euler<VectorX>>>();
}

std::unique_ptr<Stepper> make_midpoint_stepper() {
  return std::make_unique<FixedOdeintStepper<MidpointRule>>();
}

std::unique_ptr<Stepper> make_simpson_stepper() {
  return std::make_unique<FixedOdeintStepper<KuttaRule>>();
}

std::unique_ptr<Stepper> make_rk4_stepper() {
  return std::make_unique<FixedOdeintStepper<odeint::runge_kutta4<VectorX>>>();
}

std::unique_ptr<Stepper> make_cash_karp54_stepper() {
  return std::make_unique<EmbeddedOdeintStepper<odeint::runge_kutta_cash_karp54<VectorX>>>(5, 3.1);
}

std::unique_ptr<Stepper> make_fehlberg78_stepper() {
  return std::make_unique<EmbeddedOdeintStepper<odeint::runge_kutta_fehlberg78<VectorX>>>(8, 4.2);
}

}  // namespace spacedyn
