/// @file
/// Arms on which inverse kinematics is tried.
#pragma once

#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn::testing {

/// A planar arm about z of links of unit length and mass on a base of 100 kg and 20 kg m²; its
/// first joint is 0.5 m from the base centroid, the tip is the frame `tip`.
inline ModelDescription planar_arm(int links) {
  ModelDescription arm;
  arm.name = "planar_arm";
  arm.base.name = "base";
  arm.base.mass = 100.0;
  arm.base.inertia = 20.0 * Matrix3::Identity();
  for (int i = 1; i <= links; ++i) {
    LinkDescription link;
    link.name = "link_" + std::to_string(i);
    link.parent = i == 1 ? "base" : "link_" + std::to_string(i - 1);
    link.mass = 10.0;
    link.inertia = Matrix3::Identity();
    link.center_of_mass = Vector3(0.5, 0.0, 0.0);
    link.joint.origin.position = Vector3(i == 1 ? 0.5 : 1.0, 0.0, 0.0);
    arm.links.push_back(link);
  }
  FrameDescription tip;
  tip.name = "tip";
  tip.link = arm.links.back().name;
  tip.origin.position = Vector3(1.0, 0.0, 0.0);
  arm.frames.push_back(tip);
  return arm;
}

inline Model build(const ModelDescription& description) {
  return ModelBuilder(description).build();
}

inline FrameGoal position_goal(const Model& model, const std::string& frame,
                               const Vector3& position) {
  FrameGoal goal;
  goal.frame = model.frame(frame);
  goal.kind = GoalKind::position;
  goal.pose.position = position;
  return goal;
}

/// The pose that a frame has at a state, as a goal.
inline FrameGoal goal_at(const Model& model, const State& state, const std::string& frame) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  FrameGoal goal;
  goal.frame = model.frame(frame);
  goal.pose.position = frame_position(frames, goal.frame);
  goal.pose.rotation = frame_orientation(frames, goal.frame);
  return goal;
}

}  // namespace spacedyn::testing
