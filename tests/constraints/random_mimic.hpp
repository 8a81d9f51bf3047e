/// @file
/// Random trees of which some joints follow others.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/followers.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing {

/// A random tree of which some joints follow others, and the tree itself.
struct RandomMimic {
  std::shared_ptr<const Model> model, tree;
  MatrixX G;  ///< (6+n)×(6+m), by hand
  VectorX g;  ///< offsets of the joints

  explicit RandomMimic(unsigned seed) {
    RandomModels random(seed);
    TreeShape shape;
    shape.links = 9;
    shape.screw_fraction = 0.3;
    ModelDescription robot = random.description(shape);
    tree = std::make_shared<const Model>(ModelBuilder(robot).build());
    const int n = tree->joint_count();
    G = MatrixX::Identity(6 + n, 6 + n);
    g = VectorX::Zero(n);
    // one before and one behind what it follows, and two that follow the same
    const int pairs[][2] = {{2, 7}, {8, 1}, {5, 3}, {9, 3}};
    std::vector<Eigen::Index> own;
    for (Eigen::Index i = 0; i < 6 + n; ++i) own.push_back(i);
    for (const auto& [joint, followed] : pairs) {
      const double ratio = random.number(-2.0, 2.0);
      const double offset = random.number(-0.5, 0.5);
      for (LinkDescription& link : robot.links) {
        if (tree->find_joint(link.joint.name.empty() ? link.name : link.joint.name) != joint)
          continue;
        link.joint.mimic = MimicDescription{tree->joint(followed).name, ratio, offset};
        const JointDescription unlimited;
        link.joint.position_lower = unlimited.position_lower;
        link.joint.position_upper = unlimited.position_upper;
        link.joint.velocity_limit = unlimited.velocity_limit;
        link.joint.effort_limit = unlimited.effort_limit;
      }
      G.row(5 + joint).setZero();
      G(5 + joint, 5 + followed) = ratio;
      g(joint - 1) = offset;
      own.erase(std::find(own.begin(), own.end(), 5 + joint));
    }
    G = MatrixX(G(Eigen::all, own));
    model = std::make_shared<const Model>(ModelBuilder(robot).build());
  }

  State state(RandomModels& random) const {
    State state = random.state(*model);
    follow(*model, state);
    return state;
  }
};

}  // namespace spacedyn::testing
