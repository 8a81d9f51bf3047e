/// @file
/// The method of Dormand and Prince of order 8(5,3) as an error stepper of Boost.Odeint.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "spacedyn/error.hpp"
#include "spacedyn/integration/dop853_coefficients.hpp"
#include "spacedyn/integration/odeint.hpp"

namespace spacedyn {

/// Dormand–Prince 8(5,3) of Hairer and Wanner with its dense output of order 7: an explicit error
/// stepper of Boost.Odeint whose last rate is the first of the next step. The Simulator makes its
/// steps with it; in odeint it stands wherever `runge_kutta_dopri5<VectorX>` may:
///
///     odeint::integrate_adaptive(odeint::make_controlled(1e-10, 1e-10, Dop853()), system, x,
///     0.0, 10.0, 0.1); odeint::integrate_const(odeint::make_dense_output(1e-10, 1e-10, Dop853()),
///     system, x, 0.0, 10.0, 0.1, observer);
///
/// A system is f(x, dxdt, t) for ẋ = f(x, t). A step takes 12 evaluations with the one of its end.
/// Memory is allocated by the first step.
class Dop853 : public odeint::explicit_error_stepper_fsal_base<
                   Dop853, 8, 8, 7, VectorX, double, VectorX, double, odeint::vector_space_algebra,
                   odeint::default_operations, odeint::initially_resizer> {
  // in front of what uses them, which deduces their types
  template <std::size_t N, std::size_t... I>
  auto sum(const dop853::Row<N>& row, std::index_sequence<I...> /*terms*/) const {
    return (... + (row[I].weight * k_[row[I].stage]));
  }
  /// Σ weight · rate as an expression that is evaluated in one sweep.
  template <std::size_t N>
  auto sum(const dop853::Row<N>& row) const {
    return sum(row, std::make_index_sequence<N>());
  }

 public:
  /// When the three evaluations are made that states inside a step need.
  enum class DenseOutput {
    each_step,  ///< in each step: `calc_state()` may follow, as odeint's dense output asks
    on_request  ///< by prepare_dense_output()
  };
  /// Two estimates of the error of a step, of order 5 and 3.
  struct Errors {
    VectorX fifth, third;
  };

  explicit Dop853(DenseOutput dense = DenseOutput::on_request) : dense_mode_(dense) {}

  /// odeint's step: x(t + dt) and its rate; called by `do_step()` of the base class.
  template <class System, class StateIn, class DerivIn, class StateOut, class DerivOut>
  void do_step_impl(System system, const StateIn& in, const DerivIn& dxdt_in, double t,
                    StateOut& out, DerivOut& dxdt_out, double dt) {
    take(system, in, dxdt_in, t, out, dt);
    finish(system, in, t, out, dxdt_out, dt);
  }

  /// odeint's step with an error estimate, for each component e₅² / √(e₅² + (e₃/10)²),
  /// proportional to dt⁸ [Hairer, Nørsett, Wanner, II.10].
  template <class System, class StateIn, class DerivIn, class StateOut, class DerivOut, class Err>
  void do_step_impl(System system, const StateIn& in, const DerivIn& dxdt_in, double t,
                    StateOut& out, DerivOut& dxdt_out, double dt, Err& xerr) {
    do_step_impl(system, in, dxdt_in, t, out, dxdt_out, dt);
    estimate_errors(dt, errors_);
    xerr.resize(errors_.fifth.size());
    for (Eigen::Index i = 0; i < xerr.size(); ++i) {
      const double fifth = errors_.fifth[i];
      const double whole = std::hypot(fifth, 0.1 * errors_.third[i]);
      xerr[i] = whole == 0.0 ? 0.0 : fifth * std::abs(fifth) / whole;  // NaN stays NaN
    }
  }

  /// The two error estimates of the last step, for a norm that joins them; not those of a
  /// component.
  void estimate_errors(double dt, Errors& errors) const {
    errors.third = dt * (sum(dop853::kStep) - sum(dop853::kThirdOrder));
    errors.fifth = dt * sum(dop853::kFifthOrderError);
  }

  /// Evaluates what states inside the last step need: three stages.
  template <class System>
  void prepare_dense_output(System system, const VectorX& in, double t, double dt) {
    evaluate<13>(system, in, t, dt, dop853::kStage13);
    evaluate<14>(system, in, t, dt, dop853::kStage14);
    evaluate<15>(system, in, t, dt, dop853::kStage15);
    dense_[0] = dt * sum(dop853::kDense3);
    dense_[1] = dt * sum(dop853::kDense4);
    dense_[2] = dt * sum(dop853::kDense5);
    dense_[3] = dt * sum(dop853::kDense6);
    has_dense_ = true;
  }

  /// The same by a step of its own to the middle: Hermite's polynomial of degree 5. Where stability
  /// limits the step, the stages of prepare_dense_output() magnify the fast motions that it damps.
  /// Errors of the last step can no longer be estimated afterwards.
  template <class System>
  void prepare_dense_output_by_half(System system, const VectorX& x_old, const VectorX& rate_old,
                                    double t, const VectorX& x_new, const VectorX& rate_new,
                                    double dt) {
    take(system, x_old, rate_old, t, half_, 0.5 * dt);
    typename odeint::unwrap_reference<System>::type& f = system;
    f(half_, half_rate_, t + 0.5 * dt);
    // 16 times what the cubic polynomial lacks there, and its rate
    dense_[1] =
        16.0 * (dt * half_rate_ + 0.25 * dt * (rate_old + rate_new) - 1.5 * (x_new - x_old));
    dense_[0] = 16.0 * (half_ - 0.5 * (x_old + x_new) - 0.125 * dt * (rate_old - rate_new)) -
                0.5 * dense_[1];
    dense_[2].setZero(x_old.size());
    dense_[3].setZero(x_old.size());
    has_dense_ = true;
  }
  /// Whether states inside the last step can be asked for.
  bool has_dense_output() const { return has_dense_; }

  /// odeint's dense output: the state at a time inside the last step.
  /// @throws DomainError if nothing was prepared for it
  template <class StateOut>
  void calc_state(double time, StateOut& x, const VectorX& x_old, const VectorX& rate_old,
                  double t_old, const VectorX& x_new, const VectorX& rate_new, double t_new) const {
    if (!has_dense_) {
      throw DomainError("Dop853: states inside a step need Dop853(Dop853::DenseOutput::each_step)");
    }
    const double h = t_new - t_old;
    const double s = (time - t_old) / h;
    const double rest = 1.0 - s;
    const double cubic = s * rest, quartic = s * cubic, quintic = rest * quartic;
    // the cubic Hermite polynomial and what vanishes at both ends with its derivative
    x = x_old + (s + cubic * (s - rest)) * (x_new - x_old) +
        h * (cubic * rest * rate_old - quartic * rate_new) +
        quintic * (dense_[0] + s * (dense_[1] + rest * (dense_[2] + s * dense_[3])));
  }

  /// h |λ| of the last step, from two states at its end and their rates, is beyond what @p norm, a
  /// function of a vector, calls stable: dt |Δf| > 3 |Δx|.
  template <class Norm>
  bool is_limited_by_stability(double dt, const Norm& norm) {
    stage_ = dt * (sum(dop853::kStep) - sum(dop853::kStage11));
    const double distance = norm(stage_);
    stage_ = dt * (k_[dop853::kEnd] - k_[11]);
    return norm(stage_) > 3.0 * distance;
  }

  template <class StateIn>
  void adjust_size(const StateIn& x) {
    resize(x.size());
  }

 private:
  template <std::size_t Stage, class System, std::size_t N>
  void evaluate(System& system, const VectorX& in, double t, double dt, const dop853::Row<N>& row) {
    typename odeint::unwrap_reference<System>::type& f = system;
    stage_ = in + dt * sum(row);
    f(stage_, k_[Stage], t + dop853::kNode[Stage] * dt);
  }

  /// The step without its end's rate.
  template <class System>
  void take(System& system, const VectorX& in, const VectorX& dxdt_in, double t, VectorX& out,
            double dt) {
    resize(in.size());
    has_dense_ = false;
    k_[0] = dxdt_in;
    evaluate<1>(system, in, t, dt, dop853::kStage1);
    evaluate<2>(system, in, t, dt, dop853::kStage2);
    evaluate<3>(system, in, t, dt, dop853::kStage3);
    evaluate<4>(system, in, t, dt, dop853::kStage4);
    evaluate<5>(system, in, t, dt, dop853::kStage5);
    evaluate<6>(system, in, t, dt, dop853::kStage6);
    evaluate<7>(system, in, t, dt, dop853::kStage7);
    evaluate<8>(system, in, t, dt, dop853::kStage8);
    evaluate<9>(system, in, t, dt, dop853::kStage9);
    evaluate<10>(system, in, t, dt, dop853::kStage10);
    evaluate<11>(system, in, t, dt, dop853::kStage11);
    out = in + dt * sum(dop853::kStep);
  }

  template <class System>
  void finish(System& system, const VectorX& in, double t, const VectorX& out, VectorX& dxdt_out,
              double dt) {
    typename odeint::unwrap_reference<System>::type& f = system;
    f(out, dxdt_out, t + dt);
    k_[dop853::kEnd] = dxdt_out;
    if (dense_mode_ == DenseOutput::each_step) prepare_dense_output(system, in, t, dt);
  }

  void resize(Eigen::Index size) {
    for (VectorX& rate : k_) rate.resize(size);
    for (VectorX& coefficient : dense_) coefficient.resize(size);
    half_rate_.resize(size);
  }

  DenseOutput dense_mode_;
  bool has_dense_ = false;  // whether dense_ is of the last step
  std::array<VectorX, dop853::kStages> k_;
  std::array<VectorX, 4> dense_;
  VectorX stage_, half_, half_rate_;
  Errors errors_;
};

/// max |error| / (absolute + relative · |x|) over the components, for odeint's controlled steppers.
///
/// odeint's own checker calls a step whose error is not a number a good one; this makes it shorter.
class FiniteErrorChecker {
 public:
  explicit FiniteErrorChecker(double absolute = 1.0e-6, double relative = 1.0e-6)
      : absolute_(absolute), relative_(relative) {}

  /// At most 1 if the step is accepted.
  template <class Algebra>
  double error(Algebra& /*algebra*/, const VectorX& x_old, const VectorX& /*rate_old*/,
               const VectorX& x_err, double /*dt*/) const {
    const double largest =
        (x_err.array().abs() / (absolute_ + relative_ * x_old.array().abs())).maxCoeff();
    return x_err.allFinite() && std::isfinite(largest) ? largest : 1.0e6;
  }

 private:
  double absolute_, relative_;
};

using ControlledDop853 = odeint::controlled_runge_kutta<Dop853, FiniteErrorChecker>;
using DenseOutputDop853 = odeint::dense_output_runge_kutta<ControlledDop853>;

}  // namespace spacedyn

/// What `make_controlled()` and `make_dense_output()` ask about a stepper.
namespace boost::numeric::odeint {

template <>
struct get_controller<spacedyn::Dop853> {
  using type = spacedyn::ControlledDop853;
};
template <>
struct get_dense_output<spacedyn::Dop853> {
  using type = spacedyn::DenseOutputDop853;
};

template <>
struct controller_factory<spacedyn::Dop853, spacedyn::ControlledDop853> {
  spacedyn::ControlledDop853 operator()(double absolute, double relative,
                                        const spacedyn::Dop853& stepper) const {
    return {spacedyn::FiniteErrorChecker(absolute, relative), {}, stepper};
  }
  spacedyn::ControlledDop853 operator()(double absolute, double relative, double max_dt,
                                        const spacedyn::Dop853& stepper) const {
    return {spacedyn::FiniteErrorChecker(absolute, relative),
            spacedyn::ControlledDop853::step_adjuster_type(max_dt), stepper};
  }
};
template <>
struct dense_output_factory<spacedyn::Dop853, spacedyn::DenseOutputDop853> {
  using Controllers = controller_factory<spacedyn::Dop853, spacedyn::ControlledDop853>;
  static spacedyn::Dop853 dense() {
    return spacedyn::Dop853(spacedyn::Dop853::DenseOutput::each_step);
  }

  spacedyn::DenseOutputDop853 operator()(double absolute, double relative,
                                         const spacedyn::Dop853& /*stepper*/) const {
    return spacedyn::DenseOutputDop853(Controllers()(absolute, relative, dense()));
  }
  spacedyn::DenseOutputDop853 operator()(double absolute, double relative, double max_dt,
                                         const spacedyn::Dop853& /*stepper*/) const {
    return spacedyn::DenseOutputDop853(Controllers()(absolute, relative, max_dt, dense()));
  }
};

}  // namespace boost::numeric::odeint
