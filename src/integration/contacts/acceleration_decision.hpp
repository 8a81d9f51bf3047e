/// @file
/// What joints at stops and points of rigid contacts do next, all together. Private.
#pragma once

#include <algorithm>
#include <vector>

#include "constraints/complementarity.hpp"
#include "integration/contacts/resting_contacts.hpp"

namespace spacedyn {

/// Accelerations and forces of an instant at which everything that only pushes may let go: of
/// acceleration away from it and force, both not negative, one is zero. Joints that stops alone
/// hold and closed points of rigid contacts are rows of one ComplementarityProblem, on the free
/// coordinates with the loops closed.
class AccelerationDecision {
 public:
  struct Stop {
    std::size_t index;
    bool pushes;
  };
  struct Point {
    std::size_t index;
    int row;  // of its normal
    RigidPointMotion motion;
    bool keeps_straight, slides, has_cone;
    Vector3 direction = Vector3::Zero();     // of sliding
    Vector3 force = Vector3::Zero();         // λ
    Vector3 acceleration = Vector3::Zero();  // w
    double response = 0.0;                   // of the point alone along its normal
    double free = 0.0;                       // w_n without any of these forces
  };

  AccelerationDecision(EquationsOfMotion& equations, RestingContacts& stops)
      : equations_(equations), contacts_(stops) {}

  /// The state stays as it is, the kinematics those of the instant.
  /// @param closed    points of rigid contacts
  /// @param residual  with which a solution does as well, as a part of accelerations
  /// @returns false after a failure of the equations
  bool solve(const VectorX& x, double time, const std::vector<std::size_t>& closed,
             double residual = 0.0);

  const std::vector<Stop>& stops() const { return stops_; }
  const std::vector<Point>& points() const { return points_; }
  bool all_points_press() const {
    return std::all_of(points_.begin(), points_.end(),
                       [](const Point& point) { return point.force(0) > 0.0; });
  }
  double scale() const { return scale_; }  ///< of accelerations

 private:
  void add_stop(std::size_t stop);
  void add_point(std::size_t point);
  void add_row(const VectorX& column, const VectorX& force, double free, const ConstraintRow& row);
  bool solve_rows(double residual);

  EquationsOfMotion& equations_;
  RestingContacts& contacts_;
  std::vector<Stop> stops_;
  std::vector<Point> points_;
  bool any_turns_ = false;  // whether a point slides back
  double scale_ = 0.0;
  std::vector<ConstraintRow> conditions_;
  std::vector<VectorX> columns_;    // of K
  std::vector<double> own_, free_;  // responses without friction; rates without forces
  std::vector<VectorX> responses_;  // to each row's force, friction of points that slide added
};

}  // namespace spacedyn
