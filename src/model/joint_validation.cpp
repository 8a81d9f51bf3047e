#include <cmath>
#include <string>

#include "model/model_validation.hpp"

namespace spacedyn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require(bool rule, const std::string& path, const char* message,
             std::vector<Problem>& problems) {
  if (!rule) problems.push_back({Severity::error, path, message, ""});
}

void validate_fixed(const JointDescription& joint, const std::string& path,
                    std::vector<Problem>& problems) {
  const char* message = "a fixed joint does not move, so this has no effect; remove it";
  const bool limited = joint.position_lower != -kInfinity || joint.position_upper != kInfinity;
  require(!limited, path + ".position_limits", message, problems);
  require(joint.velocity_limit == kInfinity, path + ".velocity_limit", message, problems);
  require(joint.effort_limit == kInfinity, path + ".effort_limit", message, problems);
  require(joint.stiffness == 0.0, path + ".stiffness", message, problems);
  require(joint.damping == 0.0, path + ".damping", message, problems);
  require(joint.rest_position == 0.0, path + ".rest_position", message, problems);
}

void validate_limits(const JointDescription& joint, const std::string& path,
                     std::vector<Problem>& problems) {
  require(joint.position_lower <= joint.position_upper, path + ".position_limits",
          "expected [lower, upper] with lower ≤ upper", problems);
  require(joint.velocity_limit > 0.0, path + ".velocity_limit", "expected a positive number",
          problems);
  require(joint.effort_limit > 0.0, path + ".effort_limit", "expected a positive number", problems);
  if (joint.rest_position < joint.position_lower || joint.rest_position > joint.position_upper) {
    problems.push_back({Severity::warning, path + ".rest_position",
                        "the spring is at rest outside the position limits", ""});
  }
}

}  // namespace

void validate_joint(const JointDescription& joint, const std::string& path,
                    std::vector<Problem>& problems) {
  validate_pose(joint.origin, path + ".origin", problems);
  if (joint.type == JointType::fixed) {
    validate_fixed(joint, path, problems);
    return;
  }
  require(joint.axis.allFinite() && !joint.axis.isZero(0.0), path + ".axis",
          "expected a finite vector other than zero", problems);
  require(std::isfinite(joint.stiffness) && joint.stiffness >= 0.0, path + ".stiffness",
          "expected a finite number of at least 0", problems);
  require(std::isfinite(joint.damping) && joint.damping >= 0.0, path + ".damping",
          "expected a finite number of at least 0", problems);
  require(std::isfinite(joint.rest_position), path + ".rest_position", "expected a finite number",
          problems);
  validate_limits(joint, path, problems);
}

}  // namespace spacedyn
