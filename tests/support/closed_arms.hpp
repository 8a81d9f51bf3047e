/// @file
/// Random robots whose arms form a loop.
#pragma once

#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "support/loop_models.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing {

inline const std::string& joint_of(const LinkDescription& link) {
  return link.joint.name.empty() ? link.name : link.joint.name;
}

/// Two arms on a floating base whose tips are held together, and a gear.
struct ClosedArms {
  explicit ClosedArms(LoopType type = LoopType::spherical, unsigned seed = 3) : random(seed) {
    ModelDescription robot = random.description({12, 1, 0.2, true});
    robot.links[6].parent = robot.base.name;
    LoopDescription gear;
    gear.name = "gear";
    gear.type = LoopType::gear;
    gear.joints = {joint_of(robot.links[0]), joint_of(robot.links[8])};
    gear.ratio = -2.0;
    LoopDescription loop = loop_between("tips", type, "from", "to");
    robot.frames = {point_on("from", robot.links[5].name, {0.2, -0.3, 0.1}),
                    point_on("to", robot.links[11].name, {-0.1, 0.4, 0.2})};
    robot.loops = {loop, gear};
    description = robot;
  }
  Model model() const { return ModelBuilder(description).build(); }
  State state(const Model& model) {
    const LoopAssembly assembly = assemble_loops(model, random.state(model), {});
    EXPECT_TRUE(assembly.assembled);
    return assembly.state;
  }

  RandomModels random;
  ModelDescription description;
};

}  // namespace spacedyn::testing
