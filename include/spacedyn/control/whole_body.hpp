/// @file
/// Control of frames, base, posture and momentum by a stack of tasks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/pose_reference.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// One task of a WholeBody stack. Gains and weights have one value for each of its rows.
struct Task {
  enum class Type {
    frame,          ///< a frame follows a pose
    base_reaction,  ///< driven joints do not move the base
    posture,        ///< joints follow a reference
    momentum,       ///< thrusters drive the momentum of the robot to a value
    /// The torques of all driven joints are Jᵀ (stiffness e + damping ė) of a frame, with J* (J_m
    /// unless the base floats), and what holds them against gravity at rest; stiffness in N/m and
    /// N m/rad, damping in N s/m and N m s/rad.
    compliance
  };
  /// How the twist of a frame follows from the rates of joints at level rate.
  enum class Jacobian {
    generalized,  ///< J*, with the momentum and the other joints as they are
    fixed         ///< J_m, as if base and other joints were at rest
  };

  Type type = Type::frame;
  int priority = 1;       ///< from 1 on
  std::vector<int> axes;  ///< rows of the twist or momentum, 0…5, ascending; not of a posture
  VectorX weight;         ///< empty: 1
  VectorX gain;           ///< 1/s, at level rate and of a momentum
  VectorX stiffness;      ///< 1/s², at level torque
  VectorX damping;        ///< 1/s, at level torque

  Frame frame;
  std::optional<Frame> relative_to;  ///< of any robot; none: the inertial frame
  std::shared_ptr<const PoseReference> pose;
  Jacobian jacobian = Jacobian::generalized;
  /// Of an impedance, kg and kg m²: what acts on the link of the frame moves it like this mass.
  VectorX mass;

  /// Wanted momentum, N s and, about the centroid of the robot, N m s; inertial axes.
  VectorX value;

  std::vector<int> joints;                     ///< of a posture or compliance, all driven
  std::shared_ptr<const Reference> reference;  ///< a component for each of them

  bool has_frame() const { return type == Type::frame || type == Type::compliance; }
  int rows() const { return static_cast<int>(joints.empty() ? axes.size() : joints.size()); }
};

/// A force that acts on the link of an impedance, and its part of State::z.
struct KnownForce {
  std::shared_ptr<const ForceElement> force;
  int first_auxiliary = 0;
};

/// Tracks tasks with strict priorities within limits, by HierarchicalLeastSquares.
///
/// Each task asks for J y = b. At level rate y are the rates q̇_cmd of the driven joints, and
/// τ = rate_gain (q̇_cmd − q̇); at level torque y are their torques and the forces of thrusters,
/// J = J_x H⁻¹ B with the rows J_x of the task for u and the columns B of what is driven. A
/// momentum follows from the thrusters alone: Ṗ or L̇ = gain (value − now). Priority k takes, among
/// the y that keep the limits and leave J_j y of all j < k as found there, those with the least Σ
/// weight |J y − b|² + λ² |y|²; in the end the y of least |y|, where |y|² = Σ q̇² at level rate and
/// yᵀ Bᵀ H⁻¹ B y at level torque; where that leaves forces of thrusters open, these are small.
class SPACEDYN_EXPORT WholeBody final : public Controller {
 public:
  enum class Level { rate, torque };
  /// Force and moment that a momentum_observer reads.
  struct ObservedWrench {
    Frame at;
    Eigen::Index first = 0;  ///< among EvaluationContext::readings
  };
  /// Limits that the solution keeps.
  struct Limits {
    bool rate = true, effort = true, position = true;
  };
  struct Settings {
    Level level = Level::rate;
    std::vector<int> joints;       ///< that it drives, reaction wheels last
    std::optional<Robot> robot{};  ///< to which they belong; none: the model's own
    /// That it opens, at level torque, between 0 and 1; null: none.
    std::shared_ptr<const ThrusterValves> thrusters{};
    std::vector<Task> tasks;
    VectorX rate_gain;     ///< N m s/rad or N s/m, at level rate, one per joint
    double damping = 0.0;  ///< λ
    Limits limits{};
    double limit_gain = 10.0;  ///< κ, 1/s
    VectorX effort_limit{};    ///< per joint; empty: those of the joints
    KnownSurroundings known{};
    std::vector<KnownForce> forces{};  ///< on the links of impedances
    /// In their place a wrench that a sensor reads.
    std::optional<ObservedWrench> observed{};
    double sample_period = 0.0;  ///< s; 0: continuous
    Digitization digitization{};
  };

  /// @throws DomainError if a number has no meaning, a joint is named twice, or a task lacks what
  /// its type needs; DimensionError if gains do not fit rows
  WholeBody(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  double sample_period() const override { return settings_.sample_period; }
  Digitization digitization() const override { return settings_.digitization; }
  /// Openings of thrusters, then torques.
  int command_size() const override {
    return thruster_count() + static_cast<int>(settings_.joints.size());
  }
  const ThrusterValves* valves() const override { return settings_.thrusters.get(); }
  bool looks_at_readings() const override { return settings_.observed.has_value(); }
  void declare(Declarations& declared) const override;
  DrivenJoints driven_joints() const override { return {settings_.joints, true}; }
  /// Propellant of thrusters, then the starts of paths that begin where a frame is: these are
  /// states of a continuous controller, memory of a sampled one, after as many zeros.
  int auxiliary_size() const override;
  int memory_size() const override;
  void advance(const EvaluationContext& context, VectorRef memory) const override;
  void state_rate(const EvaluationContext& context, ConstVectorRef command,
                  VectorRef zd) const override;
  /// @throws DomainError if joints or frames are not of the model, or what it drives does not move
  /// a frame in a row of its task to both sides, or not its momentum, in whatever posture
  void check(const Model& model) const override;
  /// @throws DomainError if thrusters do not change a momentum to both sides where a run starts
  void check_start(const EvaluationContext& start) const;
  /// Openings and torques, cut at their limits. Allocates nothing after its first use in a thread.
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  std::vector<const Schedule*> schedules() const override;
  void append_events(std::vector<ElementEvent>& events) const override;

  /// y before any cut: q̇_cmd, or τ and the forces of thrusters, N.
  VectorX solution(const EvaluationContext& context) const;
  enum class Limit { rate, effort, position, thrust };
  /// What limits keep a stack from.
  struct Shortfall {
    double part = 0.0;  ///< of |b| by which |J y − b| is larger than without limits; 0: nothing
    int priority = 0;   ///< the first that is kept back
    int joint = 0;      ///< that is at a limit there; of several, the first driven one; 0: none
    int thruster = -1;  ///< that is shut or wholly open there, if no joint is at a limit
    Limit limit = Limit::rate;
  };
  /// Whether limits keep a priority from what it would reach without them.
  Shortfall shortfall(const EvaluationContext& context) const;
  /// The task matrix J of a task and its b.
  void task_rows(const EvaluationContext& context, int task, MatrixX& J, VectorX& b) const;

 private:
  class Stack;
  Stack& stack(const Model& model) const;
  int thruster_count() const { return settings_.thrusters ? settings_.thrusters->size() : 0; }
  Pose start_of(const EvaluationContext& context, std::size_t task) const;

  Settings settings_;
  std::vector<std::size_t> captured_;  // tasks whose paths begin where the frame is
  long id_;                            // of its memory in a thread
};

}  // namespace spacedyn
