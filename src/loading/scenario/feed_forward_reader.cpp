#include "loading/scenario/feed_forward_reader.hpp"

#include <algorithm>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

/// What a name stands for; nothing if for nothing.
std::optional<JointMotion> motion_named(const std::string& name, const ForcedSystem& system) {
  for (const auto& controller : system.controllers) {
    const auto* pd = dynamic_cast<const JointPd*>(controller.get());
    if (pd != nullptr && pd->name() == name) {
      return JointMotion{pd->settings().joints, pd->settings().reference};
    }
  }
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    if (system.model->joint(prescribed.joint).name != name) continue;
    return JointMotion{{prescribed.joint}, prescribed.reference};
  }
  return std::nullopt;
}

std::vector<std::string> known_motions(const ForcedSystem& system) {
  std::vector<std::string> known;
  for (const auto& controller : system.controllers) {
    if (dynamic_cast<const JointPd*>(controller.get()) != nullptr) {
      known.push_back(controller->name());
    }
  }
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    known.push_back(system.model->joint(prescribed.joint).name);
  }
  return known;
}

/// The first joint that two motions share; 0 if none.
int shared_joint(const std::vector<JointMotion>& motions, const JointMotion& other) {
  for (const JointMotion& motion : motions) {
    for (const int joint : motion.joints) {
      if (std::count(other.joints.begin(), other.joints.end(), joint) > 0) return joint;
    }
  }
  return 0;
}

}  // namespace

std::vector<JointMotion> read_feed_forward(MapReader& map, const ForcedSystem& system) {
  std::vector<JointMotion> motions;
  const auto list = map.find("feed_forward");
  if (!list) return motions;
  for_each_item(*list, map.problems(), [&](const Value& item) {
    const auto name = read_text(item, map.problems());
    if (!name || !system.model) return;
    const auto refuse = [&](const std::string& what, const std::string& hint = "") {
      map.problems().error(item.node->mark, item.path, what, hint);
    };
    const auto motion = motion_named(*name, system);
    if (!motion) {
      const std::string nearest = nearest_name(*name, known_motions(system));
      return refuse("expected the name of a joint_pd listed before or of a prescribed joint, got " +
                        quote(*name),
                    nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    if (const int joint = shared_joint(motions, *motion); joint != 0) {
      return refuse("expected each joint once, got '" + system.model->joint(joint).name +
                    "' again");
    }
    motions.push_back(*motion);
  });
  if (list->node->is_sequence() && list->node->items.empty()) {
    map.error_at("feed_forward", "expected at least one name, got an empty list");
  }
  return motions;
}

}  // namespace spacedyn::loading
