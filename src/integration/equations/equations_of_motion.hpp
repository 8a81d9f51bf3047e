/// @file
/// The right-hand side ẋ = f(t, x) that the steppers integrate.
#pragma once

#include <algorithm>
#include <vector>

#include "integration/equations/archive.hpp"
#include "integration/equations/audit_integrals.hpp"
#include "integration/equations/failure.hpp"
#include "integration/equations/layout.hpp"
#include "integration/equations/numbers_set.hpp"
#include "integration/equations/rigid_dynamics.hpp"
#include "integration/equations/rigid_points.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/integration/differential_equation.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "system/motion_forces.hpp"
#include "system/propellant_flow.hpp"
#include "system/sampling.hpp"
#include "system/sensor_sampling.hpp"

namespace spacedyn {

/// What an impact at a rigid contact did.
struct ContactImpact {
  double impulse = 0.0;        ///< of its normal forces, N s
  double friction_work = 0.0;  ///< J, not positive
  double energy_lost = 0.0;    ///< J, friction included
};

/// Ends a step whose observer cannot wait for its end.
struct Interruption {};

/// Turns the integrated vector into a state, a state into loads, and loads into accelerations.
///
/// Time is divided into segments inside which every element is smooth. Evaluations see times of
/// the current segment only: a step that ends on a discontinuity sees its left side, the first
/// evaluation of the next segment its right side. Nothing here allocates after construction.
class EquationsOfMotion final : public DifferentialEquation {
 public:
  explicit EquationsOfMotion(const SimulationSetup& setup);
  ~EquationsOfMotion();

  const StateLayout& layout() const { return layout_; }
  bool base_is_free() const { return mobility_.base_free(); }  ///< and integrated
  /// Whether all impulses from outside are those of loads: no base is held, no body on the ground.
  bool is_unsupported() const;

  void start(const State& initial, VectorX& x);  ///< takes over a state; x has the layout's size
  /// Enters the segment that begins at a time: sensors whose sample instant has come sample.
  void begin_segment(const VectorX& x, double time);
  void sample_controllers();  ///< after that: those whose sample instant has come command
  void set_memory(std::size_t controller, ConstVectorRef memory);  ///< of a sampled one
  /// Enters the step from there: elements keep to their side of jumps. @returns false after a
  /// failure
  bool begin_step(const VectorX& x, double time);
  /// The latest time that evaluations of this segment may see.
  void end_segment_at(double last) { segment_last_ = std::max(segment_start_, last); }
  /// The next instant at which a sensor or a controller samples, or something delayed arrives.
  double next_sample() const;

  /// ẋ at a time; NaN after a failure, which failure() then names. For odeint.
  void operator()(const VectorX& x, VectorX& rate, double time) override;
  long evaluations() const { return evaluations_; }
  /// While it lives evaluations are not counted: outputs and probes are no cost of the method.
  class Uncounted {
   public:
    explicit Uncounted(EquationsOfMotion& equations) : equations_(equations) {
      equations_.counts_ = false;
    }
    ~Uncounted() { equations_.counts_ = true; }
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

   private:
    EquationsOfMotion& equations_;
  };

  /// Positions and velocities only. @returns false after a failure
  bool update_kinematics(const VectorX& x, double time);
  /// Everything but ẋ, for outputs. @returns false after a failure
  bool evaluate(const VectorX& x, double time);

  /// evaluate() at the nearest time of this segment.
  bool evaluate_inside(const VectorX& x, double time) {
    return evaluate(x, std::clamp(time, segment_start_, segment_last_));
  }

  /// @name For derivatives of ẋ
  /// @{
  /// Whether the base or a joint follows a reference.
  bool has_prescribed_motion() const { return others_.motion >= 0; }
  int largest_command() const { return elements_.largest_command(); }
  /// Whether MotionJacobian sees all that accelerations depend on.
  bool has_jacobian() const;
  /// Loads of an instant and their derivatives, added; then state(), loads() and the accelerations
  /// of prescribed coordinates are those of the instant. Counts as an evaluation.
  /// @param delay  s, of differences in time
  /// @returns false after a failure
  bool differentiate_loads(const VectorX& x, double time, double delay,
                           LoadDifferentiator& differentiator, LoadDerivatives& derivatives);
  /// @}

  /// @name For methods that step over contacts, in stepped_contacts.cpp
  /// @{
  /// Mean wrenches of rigid contacts in a step, which evaluations take as loads.
  std::vector<BodyWrench>& contact_wrenches() { return contact_wrenches_; }
  /// Adds to rates what these give to the system, for an evaluation without them.
  void receive_contacts(VectorX& rate) const;
  /// Sets velocities that follow references at a time, and those of what is held.
  void impose(double time, VectorRef velocities);
  /// Derivatives of the loads of the last evaluation, of elements that say them, added.
  void differentiate_known(LoadDifferentiator& differentiator, LoadDerivatives& derivatives);
  /// ż for other z where the kinematics are.
  void auxiliary_rate(ConstVectorRef z, VectorRef zd);
  /// @}

  /// Evaluations ask whether the run must end at once; null: they do not.
  void ask(SimulationObserver* observer) { observer_ = observer; }
  void leave_if_asked() const;  ///< @throws Interruption if the run must end at once

  /// The first failure since clear_failure().
  const Failure& failure() const { return failure_; }
  bool has_failed() const override { return static_cast<bool>(failure_); }
  /// Notes a failure unless there is one already. @returns false
  bool fail(Failure::Cause cause, int index = 0, const Loop* loop = nullptr);
  bool fail(Failure::Cause cause, const Element& element);
  void clear_failure() { failure_ = {}; }

  /// @name Changes at an instant; the next evaluation sees them
  /// @{
  bool is_locked(int joint) const { return discrete_.locked[static_cast<std::size_t>(joint - 1)]; }
  /// Holds a joint whose velocity is zero, or lets it go.
  void set_locked(int joint, bool locked);
  /// Turns a controller on, with its initial states, or off.
  void switch_controller(const std::string& name, bool on, double time, VectorX& x);
  /// Sets numbers and opens thrusters as an event asks, and remembers when it has happened.
  void remember(const Event& event, double time) { repeat_event(setup_, event, time, discrete_); }
  /// The same for all events until now.
  void restore(const std::vector<EventRecord>& happened);
  /// Makes or ends a connection.
  void set_connection(std::size_t connection, const DiscreteState::ConnectionState& state);
  /// Balance what an event did.
  void add_to_integrals(const AuditIntegrals& integrals, VectorX& x) const;
  /// Lets an element change its states z. @pre update_kinematics() at x; event.reset
  void reset(const Event& event, VectorX& x);
  /// What joints do at stops, and the points of rigid contacts.
  std::vector<DiscreteState::StopContact>& stops() { return discrete_.stops; }
  std::vector<DiscreteState::ContactPointState>& contact_points() {
    return discrete_.contact_points;
  }
  /// Counts what an impact at a rigid contact has lost.
  void add_contact_loss(std::size_t contact, const ContactImpact& impact, VectorX& x) const;
  /// @}
  const Mobility& mobility() const { return mobility_; }
  /// What acts at this instant.
  const DiscreteState& discrete() const { return discrete_; }

  /// Moves attitude charts along in which attitudes have turned far. @returns whether one was moved
  bool recentre(VectorX& x, VectorX& rate);
  bool has_other_charts(const EquationsOfMotion& other) const;
  void adopt_charts(const EquationsOfMotion& other, VectorX& x);  ///< of the same tree

  /// @name Results of the last evaluation
  /// @{
  /// With the masses that tanks have left.
  const Model& model() const { return flow_ ? flow_->model() : *setup_.model; }
  const State& state() const { return state_; }
  const LinkFrames& frames() const;
  const LinkVelocities& velocities() const;
  const Loads& loads() const { return loads_; }
  const VectorX& acceleration() const { return acceleration_; }
  const VectorX& forces() const { return forces_; }
  /// What holds a joint that is prescribed, locked or at rest on a stop, besides the loads on it.
  double holding_force(int joint) const { return forces_(joint + 5) - loads_.tau(joint - 1); }
  /// λ of least norm of the loops, then those of motion constraints, after an evaluation.
  const VectorX& multipliers();
  Momentum momentum() const;
  Energy energy() const;
  AuditPoint audit_point() const;  ///< momentum, energy and the scales of their errors
  /// @}
  /// The loops of the model and connections that hold, with their memory; null if there are none.
  LoopWorkspace* loops() { return loops_.get(); }
  const std::vector<Loop>& active_loops() const;  ///< the loops themselves; none of a tree
  /// How they pass singular postures; null if there are none.
  class SingularPassage* passage() {
    return passage_.get();
  }
  long loop_changes() const { return loop_changes_; }  ///< grows with each change of the loops
  /// How loops see the last evaluation or update of the kinematics. @pre loops()
  const LoopMotion& loop_motion() const;
  /// @name Rigid contacts and motion constraints
  /// @{
  /// The constraints with their forces of the last evaluation; null without any.
  MotionForces* motions() { return motions_.get(); }
  /// Takes their rows over where the kinematics are. @returns false after a failure
  bool update_motions();
  const RigidDynamics* rigid() const { return rigid_.get(); }  ///< forces; null without contacts
  RigidDynamics* rigid() { return rigid_.get(); }
  /// H⁻¹ with loops and motion constraints held: what an impulse does to velocities.
  void respond(ConstVectorRef force, VectorRef change);
  /// Factorizes the loops where the kinematics are. @returns false after a failure
  bool update_loops();
  /// @}
  /// How accelerations draw positions back to the loops; not at all unless this is called.
  void stabilize(const BaumgarteGains& gains) { gains_ = gains; }
  AuditIntegrals integrals(const VectorX& x) const;
  const SystemElements& elements() const { return elements_; }
  /// All of energy_sources().
  const std::vector<EnergySource>& energy_sources() const { return sources_; }
  /// What each of them has done and holds at the last evaluation.
  void source_energies(const VectorX& x, std::vector<SourceEnergy>& energies) const;
  /// The one whose loads and stores exchanged most power at the last evaluation; −1: none does.
  int busiest_source() const;

  void transfer(Archive& archive);
  /// The instant of the last evaluation or update of the kinematics, as elements see it.
  EvaluationContext context() const;

 private:
  bool unpack(const VectorX& x, double time);
  bool unpack_spherical_joints(const VectorX& x);
  void prescribe();
  void rebuild_loops();
  void move();
  void export_links() const;
  bool loads_are_finite();
  /// As elements see it that look at the links only if they say so.
  EvaluationContext now() const;
  bool apply_elements();
  double power_of_loads();
  void sample_sensors(double time);
  double velocity(int row) const;
  bool solve_tree();
  bool solve_dynamics();
  std::unique_ptr<RigidDynamics> make_rigid_dynamics();
  bool hold_contacts();
  void fill_contact_powers();
  bool hold_motions();
  void respond_in_loops(ConstVectorRef force, VectorRef without_loops, VectorRef change);
  void write_contact_integrands(VectorRef rates) const;
  void write_rate(const VectorX& x, VectorX& rate);
  /// @name In propellant_motion.cpp
  /// @{
  void take_masses();
  void close_empty_tanks();
  /// What leaves with the propellant, and how the base's centroid moves in it.
  void add_outflow(VectorX& rate) const;
  /// @}
  Received received() const;

  const SimulationSetup& setup_;
  SystemElements elements_;
  SystemElements::Workspace element_workspace_;
  std::unique_ptr<PropellantFlow> flow_;  // null if nothing draws from tanks
  std::vector<const AccelerationField*> fields_;
  SensorSampler sensor_sampler_;
  Sampler sampler_;
  DiscreteState discrete_;
  OtherSources others_;
  std::vector<EnergySource> sources_;
  StateLayout layout_;
  Mobility mobility_;
  AttitudeChart chart_{Matrix3::Identity()};
  std::vector<AttitudeChart> spherical_charts_;  // of Rᵀ at −θ, for R = R_ref Exp(θ)
  Vector3 theta_ = Vector3::Zero();
  double segment_start_ = 0.0, segment_last_ = 0.0;
  double time_ = 0.0;  // of the last evaluation
  State state_;
  const bool elements_use_links_;
  // exported from the workspace on demand
  mutable bool links_are_current_ = false;
  mutable LinkFrames frames_;
  mutable LinkVelocities velocities_;
  mutable TreeWorkspace workspace_;
  Loads loads_;
  std::unique_ptr<LoopWorkspace> loops_;
  std::unique_ptr<SingularPassage> passage_;
  long loop_changes_ = 0;
  const bool is_unsupported_;
  mutable bool loop_motion_is_current_ = false;
  bool loops_are_current_ = false, motions_are_current_ = false;
  const std::unique_ptr<LoopMotion> loop_motion_;      // null without loops
  std::unique_ptr<TreeWorkspace> response_workspace_;  // null until respond()
  std::unique_ptr<RigidDynamics> rigid_;
  std::unique_ptr<MotionForces> motions_;
  VectorX loop_rate_, loop_change_, multipliers_;
  BaumgarteGains gains_;
  double body_loads_ = 0.0;       // size of the wrenches
  double power_of_motion_ = 0.0;  // of what drives prescribed coordinates
  VectorX acceleration_, forces_;
  std::vector<BodyWrench> contact_wrenches_;
  Failure failure_;
  long evaluations_ = 0;
  bool counts_ = true;
  SimulationObserver* observer_ = nullptr;
};

}  // namespace spacedyn
