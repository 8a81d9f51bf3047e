/// @file
/// A random robot with driven joints, and a path for its tip.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing {

inline std::shared_ptr<const PoseReference> tip_path() {
  PosePath::Stop stop;
  stop.at = 4.0;
  stop.position = Vector3(0.3, 0.2, -0.4);
  stop.rotation = exp_so3(Vector3(0.2, -0.5, 0.3));
  return std::make_shared<PosePath>(Pose{}, std::vector<PosePath::Stop>{stop}, 0.0);
}

inline Task tip_task(const Frame& frame) {
  Task task;
  task.frame = frame;
  task.axes = {0, 1, 2, 3, 4, 5};
  task.pose = tip_path();
  task.gain = VectorX::Constant(6, 2.0);
  task.stiffness = (VectorX(6) << 4.0, 5.0, 6.0, 7.0, 8.0, 9.0).finished();
  task.damping = VectorX::Constant(6, 3.0);
  return task;
}

/// A random chain with seven driven joints of ten.
struct DrivenChain {
  explicit DrivenChain(unsigned seed, bool is_fixed = false)
      : random(seed),
        description(describe(is_fixed)),
        model(ModelBuilder(description).build()),
        state(random.state(model)) {
    settings.joints = {1, 2, 3, 5, 6, 8, 10};
    settings.rate_gain = VectorX::Constant(7, 50.0);
    settings.known.gravity = is_fixed ? Vector3(0.3, -1.0, -9.0) : Vector3(Vector3::Zero());
    settings.known.base_floats = !is_fixed;
  }
  ModelDescription describe(bool is_fixed) {
    ModelDescription tree = random.description(TreeShape{10, 1, 0.2, true});
    tree.base.fixed = is_fixed;
    FrameDescription tip;
    tip.name = "tip";
    tip.link = tree.links.back().name;
    tip.origin.position = Vector3(0.2, -0.1, 0.3);
    tree.frames.push_back(tip);
    for (LinkDescription& link : tree.links) {
      link.joint.stiffness = random.number(0.0, 5.0);
      link.joint.damping = random.number(0.0, 1.0);
    }
    return tree;
  }

  RandomModels random;
  ModelDescription description;
  Model model;
  State state;
  WholeBody::Settings settings;
};

}  // namespace spacedyn::testing
