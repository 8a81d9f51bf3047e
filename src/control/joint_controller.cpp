#include "spacedyn/control/joint_controller.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

void JointController::check_size(const char* what, Eigen::Index size) const {
  check_same_size(owner_prefix(*this) + what, size, command_size());
}

void JointController::check_gain(const char* what, const VectorX& gain) const {
  check_size(what, gain.size());
  check_finite(owner_prefix(*this) + what, gain);
  if (gain.size() == 0 || gain.minCoeff() >= 0.0) return;
  throw DomainError(owner_prefix(*this) + what + " must not be negative");
}

void JointController::check_limit(const char* what, const VectorX& limit) const {
  check_size(what, limit.size());
  for (Eigen::Index i = 0; i < limit.size(); ++i) {
    if (limit(i) > 0.0) continue;
    throw DomainError(owner_prefix(*this) + what + " " + std::to_string(i + 1) +
                      " must be positive");
  }
}

void JointController::check_tracking() const {
  const JointTracking& own = tracking();
  if (!own.reference) throw DomainError("'" + name() + "' has no reference");
  check_gain("stiffness", own.stiffness);
  check_gain("damping", own.damping);
  check_size("the reference", own.reference->size());
  check_drives();
}

void JointController::check_drives() const {
  const JointTracking& own = tracking();
  if (own.effort_limit.size() > 0) check_limit("effort_limit", own.effort_limit);
  for (const int joint : own.joints) {
    if (std::count(own.joints.begin(), own.joints.end(), joint) == 1) continue;
    throw DomainError(owner_prefix(*this) + "joint " + std::to_string(joint) +
                      " is controlled twice");
  }
  if (own.sample_period >= 0.0 && std::isfinite(own.sample_period)) return;
  throw DomainError(owner_prefix(*this) + "sample_period must be finite and not negative");
}

void JointController::check(const Model& model) const {
  for (const int joint : tracking().joints) check_own_joint(*this, joint, model);
}

double JointController::effort_limit(const Model& model, Eigen::Index i) const {
  const JointTracking& own = tracking();
  if (own.effort_limit.size() > 0) return own.effort_limit(i);
  return model.joint(own.joints[static_cast<std::size_t>(i)]).effort_limit;
}

void JointController::limit(const Model& model, VectorRef command) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const double most = effort_limit(model, i);
    command(i) = std::clamp(command(i), -most, most);
  }
}

void JointController::apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    loads.tau(tracking().joints[static_cast<std::size_t>(i)] - 1) += command(i);
  }
}

}  // namespace spacedyn
