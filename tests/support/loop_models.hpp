/// @file
/// Mechanisms with loops, and the same joints once in the tree and once as a loop.
#pragma once

#include "spacedyn/model/model_builder.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

/// A uniform rod along x from its joint, on a revolute joint about z.
inline LinkDescription rod(const std::string& name, const std::string& parent, double mass,
                           double length, const Vector3& origin) {
  const double I = mass * length * length / 12.0;
  return link_body(name, parent, mass, {1e-3 * I, I, I}, origin, {0.5 * length, 0.0, 0.0});
}

inline FrameDescription point_on(const std::string& name, const std::string& link,
                                 const Vector3& position) {
  FrameDescription frame;
  frame.name = name;
  frame.link = link;
  frame.origin.position = position;
  return frame;
}

inline LoopDescription loop_between(const std::string& name, LoopType type, const std::string& from,
                                    const std::string& to) {
  LoopDescription loop;
  loop.name = name;
  loop.type = type;
  loop.from = from;
  loop.to = to;
  return loop;
}

/// A plane four-bar of crank, coupler and rocker about z; the ground link is along x. The pin
/// between coupler and rocker closes the loop.
struct FourBar {
  double ground = 1.0, crank = 1.0, coupler = 1.0, rocker = 1.0;  // lengths, m
  double mass = 1.0;                                              // of each moving rod, kg
  bool fixed = true;
  LoopType pin = LoopType::revolute;

  ModelDescription description() const {
    ModelDescription robot;
    robot.name = "four_bar";
    robot.base = base_body(5.0, {1.0, 2.0, 3.0});
    robot.base.fixed = fixed;
    robot.links = {rod("crank", "base", mass, crank, Vector3::Zero()),
                   rod("coupler", "crank", mass, coupler, {crank, 0.0, 0.0}),
                   rod("rocker", "base", mass, rocker, {ground, 0.0, 0.0})};
    robot.frames = {point_on("coupler_end", "coupler", {coupler, 0.0, 0.0}),
                    point_on("rocker_end", "rocker", {rocker, 0.0, 0.0})};
    robot.loops = {loop_between("pin", pin, "coupler_end", "rocker_end")};
    return robot;
  }
  Model model() const { return ModelBuilder(description()).build(); }

  /// Freudenstein's closed form: angles of coupler (against the crank) and rocker at a crank angle.
  /// @param branch  ±1: on which side of the diagonal the pin is
  VectorX angles(double theta, double branch = 1.0) const {
    const double x = ground - crank * std::cos(theta), y = -crank * std::sin(theta);
    const double diagonal = std::hypot(x, y), to_pivot = std::atan2(y, x);
    // the triangle of diagonal, coupler and rocker
    const double at_crank = std::acos((diagonal * diagonal + coupler * coupler - rocker * rocker) /
                                      (2.0 * diagonal * coupler));
    const double coupler_angle = to_pivot + branch * at_crank;
    const double pin_x = crank * std::cos(theta) + coupler * std::cos(coupler_angle);
    const double pin_y = crank * std::sin(theta) + coupler * std::sin(coupler_angle);
    VectorX q(3);
    q << theta, coupler_angle - theta, std::atan2(pin_y, pin_x - ground);
    return q;
  }

  State state(const Model& robot, double theta, double branch = 1.0) const {
    State state(robot);
    state.q = angles(theta, branch);
    return state;
  }
};

/// One elementary joint of a chain without mass.
struct ChainJoint {
  JointType type;
  Vector3 axis;
};

/// Appends a body on a chain of joints; all but the last carry nothing.
inline void add_chain(const std::string& name, const std::string& parent, const Pose& origin,
                      const std::vector<ChainJoint>& joints, const LinkDescription& body,
                      ModelDescription& robot) {
  std::string lower = parent;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const bool last = i + 1 == joints.size();
    LinkDescription link = last ? body : LinkDescription();
    link.name = last ? name : name + "_carrier_" + std::to_string(i + 1);
    link.parent = lower;
    link.joint.type = joints[i].type;
    link.joint.axis = joints[i].axis;
    link.joint.origin = i == 0 ? origin : Pose();
    lower = link.name;
    robot.links.push_back(link);
  }
}

}  // namespace spacedyn::testing
