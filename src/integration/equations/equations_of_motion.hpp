/// @file
/// The right-hand side ẋ = f(t, x) that the steppers integrate.
#pragma once

#include <algorithm>
#include <vector>

#include "integration/equations/attitude_charts.hpp"
#include "integration/equations/energy_balance.hpp"
#include "integration/equations/held_constraints.hpp"
#include "spacedyn/integration/one_step_method.hpp"
#include "system/sampling.hpp"
#include "system/sensor_sampling.hpp"

namespace spacedyn {

/// Ends a step whose observer cannot wait for its end.
struct Interruption {};

/// Counts evaluations, and lets them ask whether the run must end at once.
class EvaluationWatch {
 public:
  void count() { evaluations_ += counts_ ? 1 : 0; }
  long evaluations() const { return evaluations_; }
  /// Evaluations ask from now on; null: they do not.
  void ask(SimulationObserver* observer) { observer_ = observer; }
  void leave_if_asked() const;  ///< @throws Interruption if the run must end at once
  void transfer(Archive& archive) { archive.tally(evaluations_); }

 private:
  friend class Uncounted;
  long evaluations_ = 0;
  bool counts_ = true;
  SimulationObserver* observer_ = nullptr;
};

/// While it lives evaluations are not counted: outputs and probes are no cost of the method.
class Uncounted {
 public:
  explicit Uncounted(EvaluationWatch& watch) : watch_(watch) { watch_.counts_ = false; }
  ~Uncounted() { watch_.counts_ = true; }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  EvaluationWatch& watch_;
};

class EquationsOfMotion;

/// Sensors and sampled controllers of a system.
class Samplers {
 public:
  explicit Samplers(const PlacedSystem& system)
      : sensors_(system.setup()), controllers_(system.elements()) {}

  /// Sensors whose sample instant has come sample: what acts until controllers have seen the new
  /// readings. @pre EquationsOfMotion::begin_segment()
  void sample_sensors(EquationsOfMotion& equations, const VectorX& x);
  /// After that: controllers whose sample instant has come command.
  void sample_controllers(EquationsOfMotion& equations);
  /// The next instant at which one samples, or something delayed arrives.
  double next(const DiscreteState& discrete) const {
    return std::min(sensors_.next(discrete), controllers_.next(discrete));
  }

 private:
  SensorSampler sensors_;
  Sampler controllers_;
};

/// A system with what its equations consist of.
class EquationParts : public PlacedSystem {
 public:
  const AttitudeCharts& charts() const { return charts_; }
  AttitudeCharts& charts() { return charts_; }
  const HeldConstraints& held() const { return held_; }
  HeldConstraints& held() { return held_; }
  /// Forces of rigid contacts; null without any.
  RigidDynamics* rigid() const { return rigid_.get(); }
  const EnergyBalance& balance() const { return balance_; }
  Samplers& samplers() { return samplers_; }
  const EvaluationWatch& watch() const { return watch_; }
  EvaluationWatch& watch() { return watch_; }
  /// The first failure since it was cleared.
  const Failure& failure() const { return failure_; }
  Failure& failure() { return failure_; }
  /// Mean wrenches of rigid contacts in a step, which evaluations take as loads.
  std::vector<BodyWrench>& contact_wrenches() { return contact_wrenches_; }
  const std::vector<BodyWrench>& contact_wrenches() const { return contact_wrenches_; }

 protected:
  explicit EquationParts(const SimulationSetup& setup);

  AttitudeCharts charts_;
  Failure failure_;
  EvaluationWatch watch_;
  HeldConstraints held_;
  const std::unique_ptr<RigidDynamics> rigid_;
  EnergyBalance balance_;
  Samplers samplers_;
  std::vector<BodyWrench> contact_wrenches_;
};

/// Turns the integrated vector into a state, a state into loads, and loads into accelerations.
///
/// Time is divided into segments inside which every element is smooth. Evaluations see times of
/// the current segment only: a step that ends on a discontinuity sees its left side, the first
/// evaluation of the next segment its right side. Nothing here allocates after construction.
class EquationsOfMotion final : public DifferentialEquation, public EquationParts {
 public:
  explicit EquationsOfMotion(const SimulationSetup& setup) : EquationParts(setup) {}

  bool has_failed() const override { return static_cast<bool>(failure_); }
  void start(const State& initial, VectorX& x);  ///< takes over a state; x has the layout's size
  /// Enters the segment that begins at a time.
  void begin_segment(const VectorX& x, double time);
  /// Enters the step from there: elements keep to their side of jumps. @returns false after a
  /// failure
  bool begin_step(const VectorX& x, double time);
  /// The latest time that evaluations of this segment may see.
  void end_segment_at(double last) { segment_last_ = std::max(segment_start_, last); }

  /// ẋ at a time; NaN after a failure, which failure() then names. For odeint.
  void operator()(const VectorX& x, VectorX& rate, double time) override;
  /// Positions and velocities only. @returns false after a failure
  bool update_kinematics(const VectorX& x, double time);
  /// Everything but ẋ, for outputs. @returns false after a failure
  bool evaluate(const VectorX& x, double time);
  /// evaluate() at the nearest time of this segment.
  bool evaluate_inside(const VectorX& x, double time) { return evaluate(x, inside(time)); }
  /// Loads of an instant and their derivatives, added; then state(), loads() and the accelerations
  /// of prescribed coordinates are those of the instant. Counts as an evaluation.
  /// @param delay  s, of differences in time
  /// @returns false after a failure
  bool differentiate_loads(const VectorX& x, double time, double delay,
                           LoadDifferentiator& differentiator, LoadDerivatives& derivatives);

  /// Whether MotionJacobian sees all that accelerations depend on.
  bool has_jacobian() const {
    const bool presses = rigid_ && RigidDynamics::any_holds(discrete_);
    return !flow_ && !presses && held_.has_jacobian();
  }

  /// The nearest time of this segment.
  double inside(double time) const { return std::clamp(time, segment_start_, segment_last_); }

  /// Sets velocities that follow references at a time, and those of what is held.
  void impose(double time, VectorRef velocities);
  /// Other z where the kinematics are.
  void set_auxiliary(ConstVectorRef z) { state_.z = z; }
  /// Holds a joint whose velocity is zero, or lets it go.
  void set_locked(int joint, bool locked);
  void transfer(Archive& archive);

 private:
  void take_motion();
  bool apply_elements();
  bool solve_dynamics();
  bool hold_contacts();
  void write_rate(const VectorX& x, VectorX& rate);

  double segment_start_ = 0.0, segment_last_ = 0.0;
};

}  // namespace spacedyn
