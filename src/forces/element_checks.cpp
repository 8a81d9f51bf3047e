#include "forces/element_checks.hpp"

#include <algorithm>

#include "spacedyn/error.hpp"

namespace spacedyn {

std::string owner_prefix(const Element& element) { return "'" + element.name() + "': "; }

void check_joint(const Element& element, int joint, const Model& model) {
  if (joint >= 1 && joint <= model.joint_count()) return;
  throw DomainError("'" + element.name() + "' acts on joint " + std::to_string(joint) +
                    ", but model '" + model.name() + "' has joints 1 to " +
                    std::to_string(model.joint_count()));
}

void check_body(const Element& element, int body, const Model& model) {
  if (body >= 0 && body < model.body_count()) return;
  throw DomainError("'" + element.name() + "' acts on body " + std::to_string(body) +
                    ", but model '" + model.name() + "' has bodies 0 to " +
                    std::to_string(model.body_count() - 1));
}

void check_scalar_joint(const Element& element, int joint, const Model& model) {
  check_joint(element, joint, model);
  require_scalar_joint(model, joint, "'" + element.name() + "'");
}

void check_own_joint(const Element& element, int joint, const Model& model) {
  check_scalar_joint(element, joint, model);
  if (const Follower* follower = model.follower(joint)) {
    throw DomainError(owner_prefix(element) + "joint '" + model.joint(joint).name +
                      "' has no coordinate of its own: it follows '" +
                      model.joint(follower->followed).name + "'");
  }
}

void require_scalar_joint(const Model& model, int joint, const std::string& who) {
  if (joint < 1 || joint > model.joint_count() || model.joint(joint).spherical == 0) return;
  throw DomainError(who + " acts on the position of '" + model.joint(joint).name +
                    "', which belongs to a spherical joint and has none of its own");
}

void require_whole_spherical_joints(const Model& model, const std::vector<int>& joints,
                                    const std::string& who) {
  for (const int first : model.spherical_joints()) {
    const auto count = std::count_if(joints.begin(), joints.end(), [&](int joint) {
      return joint >= first && joint < first + 3;
    });
    if (count == 0 || count == 3) continue;
    throw DomainError(who +
                      " must have all three coordinates of the spherical joint that begins "
                      "with '" +
                      model.joint(first).name + "', or none");
  }
}

std::vector<int> robots_of(const Model& model, int& count) {
  std::vector<int> robots(static_cast<std::size_t>(model.body_count()), 0);
  for (int i = 1; i < model.body_count(); ++i) {
    bool begins = false;
    for (const CompoundJoint& joint : model.compound_joints()) {
      begins = begins || (joint.type == JointType::free && joint.first == i);
    }
    const int parent = model.topology().connection(i);
    robots[static_cast<std::size_t>(i)] =
        begins ? count++ : robots[static_cast<std::size_t>(parent)];
  }
  return robots;
}

RobotCentroid::RobotCentroid(const EvaluationContext& context, const std::vector<int>& robots,
                             int robot) {
  Vector3 origin = Vector3::Zero(), moment = origin;
  for (int i = 0; i < context.model.body_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double m = context.model.body(i).mass;
    if (robots[at] != robot || m == 0.0) continue;
    // summed from one of its bodies, which keeps digits far from the origin
    if (mass == 0.0) origin = context.frames.r[at];
    mass += m;
    moment += m * (context.frames.r[at] - origin);
  }
  if (mass > 0.0) position = origin + moment / mass;
}

}  // namespace spacedyn
