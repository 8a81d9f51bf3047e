/// @file
/// Forces at the points of rigid contacts that hold, while they do. Private.
#pragma once

#include <functional>

#include <Eigen/QR>

#include "integration/equations/rigid_points.hpp"

namespace spacedyn {

/// The forces with which points that stick or slide stay on each other: K u̇ = −K̇ u. Which points
/// hold is part of the discrete state, so that the equations are smooth; where forces do not bear
/// that, an event ends the step. Of redundant points normal forces are those of least norm, and
/// friction is in proportion to them as far as it can.
///
/// A point that slides and is carried slides straight on: a constraint keeps its direction instead
/// of friction. At low speeds friction turns a direction so fast that explicit methods need steps
/// in proportion to the speed; where nothing drives points aside the constraint has no force.
class RigidDynamics {
 public:
  /// @param tolerance  relative, of the steps of the run
  RigidDynamics(const SystemElements& elements, double tolerance);

  /// H⁻¹ of the free coordinates with the loops closed: what a force does to accelerations.
  using Response = std::function<void(ConstVectorRef force, VectorRef change)>;

  const RigidPoints& points() const { return points_; }
  /// How fast the system moves, or would after a fall over its length, m/s: slow is what is slow
  /// against it. Constant within a segment.
  double speed() const { return speed_; }
  void set_speed(double speed) { speed_ = speed; }
  /// Part of speeds that errors of steps are.
  double tolerance() const { return tolerance_; }
  static bool any_holds(const DiscreteState& discrete);

  /// Finds the forces and adds them to the loads.
  /// @param acceleration  u̇ without them
  /// @returns the contact that jams, or null
  const RigidContact* solve(const EvaluationContext& context, const DiscreteState& discrete,
                            ConstVectorRef acceleration, const Response& respond, Loads& loads);

  /// @name Of the last solve(), for points that held
  /// @{
  const RigidPointMotion& motion(std::size_t point) const { return motions_[point]; }
  const Vector3& bias(std::size_t point) const { return biases_[point]; }
  /// Force on the first body, along n, t_1 and t_2; zero of points that did not hold.
  const Vector3& force(std::size_t point) const { return forces_[point]; }
  /// Whether other forces would do as well.
  bool is_redundant() const { return factorization_.rank() < K_T_.cols(); }
  /// Sum of the normal forces of a contact, N, and the power of its friction, W. What sticks has
  /// none: its velocity is an error of the method.
  double normal_force(std::size_t contact) const;
  double friction_power(std::size_t contact) const;
  /// @}
  /// No point holds.
  void clear();

  /// Puts the sliding directions of a discrete state to those of an instant.
  void update_directions(const EvaluationContext& context, DiscreteState& discrete) const;
  using PointState = DiscreteState::ContactPointState;
  static bool goes_straight(const PointState& state);
  /// The direction of friction, opposite: that of sliding, kept from turning round within a step.
  Vector3 direction_of(const RigidPointMotion& motion, const PointState& state) const;
  /// Across it, of a point that goes straight.
  static Vector3 across(const RigidPointMotion& motion, const PointState& state);

 private:
  void assemble(const EvaluationContext& context, const DiscreteState& discrete,
                ConstVectorRef acceleration);
  const RigidContact* respond_to_rows(const EvaluationContext& context,
                                      const DiscreteState& discrete, const Response& respond);
  void solve_rows();
  void add_loads(const EvaluationContext& context, const DiscreteState& discrete, Loads& loads);

  /// Points that slide slower have no direction of their own.
  double no_slip() const;
  /// The direction of sliding where the step began, in the tangential plane.
  static Vector3 start_of(const RigidPointMotion& motion, const PointState& state);

  RigidPoints points_;
  const double tolerance_;
  double speed_ = 0.0;
  std::vector<RigidPointMotion> motions_;
  std::vector<Vector3> biases_, forces_;
  std::vector<double> powers_;  // of friction
  struct Row {
    std::size_t point;
    int component;
  };
  std::vector<Row> rows_;
  MatrixX K_T_, responses_, G_;
  VectorX right_, scale_, weights_, column_, response_;
  Eigen::CompleteOrthogonalDecomposition<MatrixX> factorization_;
};

}  // namespace spacedyn
