/// @file
/// What a moving arm takes from its base, foreseen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// dL/dt, L(t) being the angular momentum about its centroid that a robot would have if joints
/// moved as their references say while all others and its base stood still as they are.
///
/// An actuator that gives the base this torque takes all of the arm's momentum up: the base then
/// stays at rest as far as the joints follow. From inverse dynamics, O(n).
class SPACEDYN_EXPORT MomentumFeedForward : public Schedule {
 public:
  /// @param body  of the robot
  /// @throws DomainError, its text beginning with @p owner, if a joint is not of the model or is
  /// named twice, or a reference is missing; DimensionError if one has another number of components
  MomentumFeedForward(const std::string& owner, const Model& model, int body,
                      std::vector<JointMotion> motions);

  bool is_empty() const { return motions_.empty(); }
  /// N m, inertial. Allocates nothing after its first use in a thread.
  Vector3 rate(const EvaluationContext& context) const;
  std::vector<const Schedule*> schedules() const override;

 private:
  int body_;
  std::vector<JointMotion> motions_;
};

}  // namespace spacedyn
