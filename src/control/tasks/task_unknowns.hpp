/// @file
/// What a WholeBody solves for at one instant, and what is refused of tasks. Private.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/tasks/known_motion.hpp"
#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/math/hierarchical_least_squares.hpp"

namespace spacedyn {

/// What tasks are rows of: the unknowns y, in coordinates x in which |y| is |x|.
class TaskUnknowns {
 public:
  virtual ~TaskUnknowns();

  /// Takes over an instant. Allocates nothing.
  virtual void update(const EvaluationContext& context) = 0;
  /// A x = b of a task.
  virtual void rows(const EvaluationContext& context, const Task& task, const Pose& start,
                    Eigen::Ref<MatrixX> A, VectorRef b) = 0;
  /// Begins a problem. @returns whether there are limits
  virtual bool start(HierarchicalLeastSquares& solver) = 0;
  /// y of x.
  virtual void to_solution(ConstVectorRef x, VectorRef y) const = 0;
  /// Rows for y of rows for x.
  virtual MatrixX for_solution(const MatrixX& A) const = 0;
  /// Between the tasks and the shortest x: what makes y the one of least |y|. Allocates nothing.
  virtual void settle(HierarchicalLeastSquares& solver) { (void)solver; }
  /// Joints, then thrusters.
  int count() const {
    const int thrusters = settings_.thrusters ? settings_.thrusters->size() : 0;
    return static_cast<int>(settings_.joints.size()) + thrusters;
  }
  /// Those of joints, then one of each thruster.
  int limit_count() const { return limit_count_; }
  /// Whether x keeps all limits. @pre update()
  virtual bool keeps_limits(ConstVectorRef x) const = 0;
  /// Which one of the model a limit of the solver is. @param side  1: its upper end, −1: its lower
  WholeBody::Limit limit_of(int limit, int side) const;

 protected:
  TaskUnknowns(const WholeBody::Settings& settings, const Model& model);
  /// u's element of a driven joint.
  Eigen::Index element(std::size_t driven) const { return settings_.joints[driven] + 5; }
  /// Coordinates of the base of the robot in u, if it floats.
  bool floats() const { return !base_.empty(); }
  /// D of the driven joints for these coordinates. @param H_rows  of H, all columns of u
  void respond(const Matrix6& H_b, const Eigen::Ref<const Matrix6X>& H_rows);
  bool is_own(const Frame& frame) const;
  /// Rows of the frame's twist in the axes of the reference, for u.
  RelativePose relate(const EvaluationContext& context, const Task& task);
  /// The place of a driven joint among those driven.
  Eigen::Index place_of(int joint) const;
  /// Twist of the base centroid per rate of each driven joint, inertial.
  void base_twists(const EvaluationContext& context, Matrix6X& twists);

  const WholeBody::Settings& settings_;
  std::vector<Eigen::Index> base_;
  Matrix6X J_, J_F_;  // for u
  Matrix6X D_;        // per driven joint
  /// Whether the position of a driven joint limits its motion more than its rate does.
  std::vector<bool> lower_by_position_, upper_by_position_;
  int limit_count_;
};

std::unique_ptr<TaskUnknowns> rate_unknowns(const WholeBody::Settings& settings,
                                            const Model& model);
std::unique_ptr<TaskUnknowns> torque_unknowns(const WholeBody::Settings& settings,
                                              const Model& model);

/// [p_ref − p; log(A_ref Aᵀ)].
Vector6 pose_error(const PoseMotion& goal, const Pose& now);

/// Effort and rate limits of a driven joint, those of a wheel included; infinite: none.
double known_effort_limit(const WholeBody::Settings& settings, const Model& model, std::size_t i);
double known_rate_limit(const Model& model, int joint);

/// Fills in what is left out. @throws DomainError, DimensionError, the text beginning with @p owner
void check_task(const std::string& owner, const WholeBody::Settings& settings, Task& task);
/// @throws DomainError where thrusters cannot be opened as the level asks for
void check_thrusters(const std::string& owner, const WholeBody::Settings& settings);
/// @param J  rows of the task
/// @throws DomainError naming a row of a momentum that thrusters do not change to both sides
void check_momentum(const WholeBody& law, std::size_t task, const MatrixX& J);
/// The same of all momenta, and of rows of frames that nothing driven moves, if it is so in each of
/// several postures.
void check_rows(const WholeBody& law, const Model& model);

}  // namespace spacedyn
