/// @file
/// Steppers of Boost.Odeint as methods of the Simulator. Not part of spacedyn.hpp: needs Boost.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "spacedyn/integration/odeint.hpp"
#include "spacedyn/integration/one_step_method.hpp"

namespace spacedyn {

/// A stepper of Boost.Odeint as a OneStepMethod; see make_stepper().
template <typename Method>
class OdeintStepper final : public OneStepMethod {
  using Category = typename Method::stepper_category;
  template <typename Tag>
  static constexpr bool is = std::is_convertible_v<Category, Tag>;
  static constexpr bool has_error = is<odeint::error_stepper_tag>;

  static_assert(is<odeint::stepper_tag>,
                "a Simulator controls the size of steps by its IntegratorOptions: pass the stepper "
                "itself, not a controlled or dense-output stepper made of it");
  static_assert(
      std::is_same_v<typename Method::state_type, VectorX>,
      "the state of a Simulator is a spacedyn::VectorX: the stepper must be of that type");

  template <typename Other>
  struct IsMultistep : std::false_type {};
  template <std::size_t Steps, class... Rest>
  struct IsMultistep<odeint::adams_bashforth<Steps, Rest...>> : std::true_type {};
  template <std::size_t Steps, class... Rest>
  struct IsMultistep<odeint::adams_bashforth_moulton<Steps, Rest...>> : std::true_type {};
  static_assert(!IsMultistep<Method>::value,
                "a multistep method of odeint assumes equal steps, which events break: the method "
                "adams_bashforth_moulton of the library begins a new history there");

 public:
  OdeintStepper(Method method, std::string name, double stability_limit)
      : OneStepMethod(std::move(name), order_of(method), error_order_of(method), stability_limit),
        method_(std::move(method)) {}

  std::unique_ptr<OneStepMethod> clone() const override {
    return std::make_unique<OdeintStepper>(*this);
  }

  void attempt(DifferentialEquation& equation, Step& step) override {
    if constexpr (!HasDenseOutput<Method>::value) {
      inner_error_.resize(step.x_old.size());  // all memory is taken in the first step
      inner_rate_.resize(step.x_old.size());
    }
    if constexpr (is<odeint::explicit_error_stepper_fsal_tag>) {
      method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, step.x_new,
                      step.rate_new, step.size(), step.error);
    } else {
      take(equation, step, step.size(), step.x_new, step.error);
      equation(step.x_new, step.rate_new, step.t_new);
    }
  }

  /// By the stepper's own dense output if it has one. Otherwise methods of up to order 4 without an
  /// error estimate take Hermite's cubic polynomial, all others a shorter step: its error is below
  /// that of the whole step, at any order.
  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    if constexpr (HasDenseOutput<Method>::value) {
      prepare(equation, step, 0);
      method_.calc_state(time, x, step.x_old, step.rate_old, step.t_old, step.x_new, step.rate_new,
                         step.t_new);
    } else if (!has_error && traits().order <= 4) {
      interpolate_by_hermite(step, time, x);
    } else {
      x.resize(step.x_old.size());
      take(equation, step, time - step.t_old, x, inner_error_);
    }
  }

 private:
  template <typename Other, typename = void>
  struct HasDenseOutput : std::false_type {};
  template <typename Other>
  struct HasDenseOutput<Other,
                        std::void_t<decltype(std::declval<Other&>().calc_state(
                            0.0, std::declval<VectorX&>(), std::declval<const VectorX&>(),
                            std::declval<const VectorX&>(), 0.0, std::declval<const VectorX&>(),
                            std::declval<const VectorX&>(), 0.0))>> : std::true_type {};

  static int order_of(const Method& method) {
    if constexpr (has_error) {
      return method.stepper_order();
    } else {
      return method.order();
    }
  }
  /// Of odeint: order of the embedded method, whose error is one power smaller.
  static int error_order_of(const Method& method) {
    if constexpr (has_error) {
      return method.error_order() + 1;
    } else {
      return 0;
    }
  }

  /// A step from the beginning of another, without the rate of its end.
  void take(DifferentialEquation& equation, const Step& step, double h, VectorX& x,
            VectorX& error) {
    if constexpr (is<odeint::explicit_error_stepper_fsal_tag>) {
      method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, x, inner_rate_, h,
                      error);
    } else if constexpr (is<odeint::explicit_error_stepper_tag>) {
      method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, x, h, error);
    } else if constexpr (has_error) {
      method_.do_step(std::ref(equation), step.x_old, step.t_old, x, h, error);
    } else {
      step_plainly(equation, step, h, x, 0);
    }
  }

  /// With the rate that is known, where the stepper takes it.
  template <typename M = Method>
  auto step_plainly(DifferentialEquation& equation, const Step& step, double h, VectorX& x,
                    int /*preferred*/)
      -> decltype(std::declval<M&>().do_step(std::ref(equation), step.x_old, step.rate_old,
                                             step.t_old, x, h)) {
    method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, x, h);
  }
  void step_plainly(DifferentialEquation& equation, const Step& step, double h, VectorX& x,
                    long /*otherwise*/) {
    method_.do_step(std::ref(equation), step.x_old, step.t_old, x, h);
  }

  /// What Dop853 evaluates before states inside a step can be asked for.
  template <typename M = Method>
  auto prepare(DifferentialEquation& equation, const Step& step, int /*preferred*/)
      -> decltype(std::declval<M&>().prepare_dense_output(std::ref(equation), step.x_old, 0.0,
                                                          0.0)) {
    if (method_.has_dense_output()) return;
    method_.prepare_dense_output(std::ref(equation), step.x_old, step.t_old, step.size());
  }
  void prepare(DifferentialEquation& /*equation*/, const Step& /*step*/, long /*otherwise*/) {}

  Method method_;
  VectorX inner_error_, inner_rate_;  // of states inside a step, ignored
};

/// A method for IntegratorOptions::stepper from a stepper of Boost.Odeint for states of type
/// VectorX, for instance `make_stepper(odeint::runge_kutta4<VectorX>())`:
///
/// - steppers with an error estimate choose their steps by the tolerances of IntegratorOptions;
/// - others keep to IntegratorOptions::step;
/// - controlled, dense-output and multistep ones are refused when they are compiled.
///
/// @param name             in summaries and metadata
/// @param stability_limit  h |λ| of the method, for the warning that a system is stiff
template <typename Method>
std::shared_ptr<const OneStepMethod> make_stepper(
    Method method, std::string name = "stepper of odeint",
    double stability_limit = std::numeric_limits<double>::infinity()) {
  return std::make_shared<OdeintStepper<Method>>(std::move(method), std::move(name),
                                                 stability_limit);
}

}  // namespace spacedyn
