#include "bench/loops/mechanisms.hpp"

#include <cmath>
#include <stdexcept>

#include <Eigen/Geometry>
#include <spacedyn/constraints/loop_assembly.hpp>
#include <spacedyn/math/constants.hpp>
#include <spacedyn/math/rotations.hpp>
#include <spacedyn/model/model_builder.hpp>

namespace spacedyn::bench {
namespace {

constexpr double kLength = 1.0;  // m, of the rods in chains
constexpr double kMass = 1.0;    // kg

/// A uniform rod along x from its joint, which is about z.
LinkDescription rod(const std::string& name, const std::string& parent, double length,
                    const Vector3& origin) {
  LinkDescription link;
  link.name = name;
  link.parent = parent;
  link.mass = kMass;
  link.center_of_mass = {0.5 * length, 0.0, 0.0};
  const double I = kMass * length * length / 12.0;
  link.inertia = Vector3(0.01 * I, I, I).asDiagonal();
  link.joint.origin.position = origin;
  return link;
}

FrameDescription point(const std::string& name, const std::string& link, const Vector3& position) {
  FrameDescription frame;
  frame.name = name;
  frame.link = link;
  frame.origin.position = position;
  return frame;
}

LoopDescription loop(const std::string& name, LoopType type, const std::string& from,
                     const std::string& to) {
  LoopDescription loop;
  loop.name = name;
  loop.type = type;
  loop.from = from;
  loop.to = to;
  return loop;
}

ModelDescription on_base(const std::string& name, double mass, bool fixed) {
  ModelDescription robot;
  robot.name = name;
  robot.base.name = "base";
  robot.base.fixed = fixed;
  robot.base.mass = mass;
  robot.base.inertia = Vector3(0.2 * mass, 0.3 * mass, 0.25 * mass).asDiagonal();
  return robot;
}

/// Numbers in −1…1 without order.
VectorX numbers(Eigen::Index size, double phase) {
  VectorX result(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    result(i) = std::sin(1.7 * static_cast<double>(i) * static_cast<double>(i + 1) + phase);
  }
  return result;
}

/// Moves the base, if it floats, and adds loads.
Mechanism complete(const Model& model, const State& on_loops) {
  Mechanism result{model, on_loops, Loads(model)};
  if (!model.has_fixed_base()) {
    result.state.r_0 = {0.4, -0.7, 1.1};
    result.state.A_0 = matrix_from_rpy({0.3, -0.5, 0.8});
    result.state.v_0 = {0.2, 0.1, -0.3};
    result.state.omega_0 = {0.3, -0.2, 0.4};
    result.loads.F_b = 5.0 * numbers(6, 0.4);
  }
  result.loads.gravity = {1.0, -9.0, 2.0};
  result.loads.tau = 3.0 * numbers(model.joint_count(), 0.9);
  return result;
}

/// On the loops in position and velocity.
State assembled(const Model& model, const State& start) {
  const LoopAssembly assembly = assemble_loops(model, start, {});
  if (!assembly.assembled) throw std::runtime_error(model.name() + ": no configuration on loops");
  return assembly.state;
}

}  // namespace

Model row_of_four_bars(int bars, bool fixed, LoopType pin) {
  ModelDescription robot = on_base("row", 100.0, fixed);
  robot.links.push_back(rod("column0", "base", kLength, Vector3::Zero()));
  for (int i = 1; i <= bars; ++i) {
    const std::string n = std::to_string(i), before = "column" + std::to_string(i - 1);
    robot.links.push_back(rod("column" + n, "base", kLength, {i * kLength, 0.0, 0.0}));
    robot.links.push_back(rod("beam" + n, before, kLength, {kLength, 0.0, 0.0}));
    robot.frames.push_back(point("end" + n, "beam" + n, {kLength, 0.0, 0.0}));
    robot.frames.push_back(point("top" + n, "column" + n, {kLength, 0.0, 0.0}));
    robot.loops.push_back(loop("pin" + n, pin, "end" + n, "top" + n));
  }
  return ModelBuilder(robot).build();
}

Model ladder_of_four_bars(int bars) {
  ModelDescription robot = on_base("ladder", 100.0, true);
  std::string parent = "base";
  for (int i = 1; i <= bars; ++i) {
    const std::string n = std::to_string(i);
    const Vector3 foot(i == 1 ? 0.0 : 0.3, 0.0, 0.0);
    robot.links.push_back(rod("crank" + n, parent, kLength, foot));
    robot.links.push_back(rod("rocker" + n, parent, kLength, foot + Vector3(0.5, 0.0, 0.0)));
    robot.links.push_back(rod("coupler" + n, "crank" + n, kLength, {kLength, 0.0, 0.0}));
    robot.frames.push_back(point("end" + n, "coupler" + n, {0.5, 0.0, 0.0}));
    robot.frames.push_back(point("top" + n, "rocker" + n, {kLength, 0.0, 0.0}));
    robot.loops.push_back(loop("pin" + n, LoopType::revolute, "end" + n, "top" + n));
    parent = "coupler" + n;
  }
  return ModelBuilder(robot).build();
}

State parallel_motion(const Model& model) {
  State state(model);
  for (int i = 1; i <= model.joint_count(); ++i) {
    const char kind = model.joint(i).name[1];
    const bool follows = kind == 'e' || model.joint(i).name.compare(0, 7, "coupler") == 0;
    state.q(i - 1) = follows ? -1.1 : 1.1;
    state.qd(i - 1) = follows ? -1.0 : 1.0;
  }
  return state;
}

Mechanism floating_four_bar() {
  ModelDescription robot = on_base("four_bar", 8.0, false);
  robot.links = {rod("crank", "base", 0.4, {0.1, -0.2, 0.3}),
                 rod("coupler", "crank", 0.9, {0.4, 0.0, 0.0}),
                 rod("rocker", "base", 0.8, {1.1, -0.2, 0.3})};
  robot.frames = {point("end", "coupler", {0.9, 0.0, 0.0}), point("top", "rocker", {0.8, 0, 0})};
  robot.loops = {loop("pin", LoopType::revolute, "end", "top")};
  const Model model = ModelBuilder(robot).build();
  State start(model);
  start.q << 0.8, 0.3, 1.9;
  start.qd << 1.5, -0.4, 0.6;
  return complete(model, assembled(model, start));
}

Mechanism moving_row(int bars, bool fixed, LoopType pin) {
  const Model model = row_of_four_bars(bars, fixed, pin);
  return complete(model, parallel_motion(model));
}

Mechanism dual_arm_grasp() {
  ModelDescription robot = on_base("dual_arm_grasp", 200.0, false);
  for (const std::string side : {"left", "right"}) {
    const double sign = side == "left" ? 1.0 : -1.0;
    std::string parent = "base";
    for (int i = 1; i <= 7; ++i) {
      LinkDescription link;
      link.name = side + std::to_string(i);
      link.parent = parent;
      link.mass = 9.0 - i;
      link.center_of_mass = {0.02, 0.01 * sign, 0.12};
      link.inertia = Vector3(0.08, 0.07, 0.03).asDiagonal();
      link.inertia(0, 1) = link.inertia(1, 0) = 0.005;
      link.joint.axis = i % 2 == 1 ? Vector3::UnitZ() : Vector3::UnitY();
      link.joint.origin.position = {0.0, 0.01 * sign, 0.25};
      if (i == 1) {
        link.joint.origin.position = {0.6, 0.45 * sign, 0.1};
        link.joint.origin.rotation = matrix_from_rpy({-0.3 * sign, 1.2, 0.1});
      }
      robot.links.push_back(link);
      parent = link.name;
    }
    FrameDescription hand = point(side + "_hand", parent, {0.0, 0.0, 0.2});
    // the hands face each other
    if (side == "right") hand.origin.rotation = matrix_from_rpy({3.0, 0.1, 0.2});
    robot.frames.push_back(hand);
  }
  robot.loops = {loop("grasp", LoopType::weld, "left_hand", "right_hand")};
  const Model model = ModelBuilder(robot).build();
  State start(model);
  start.q << 0.3, 0.5, -0.2, -0.9, 0.4, 0.6, 0.1, -0.3, 0.6, 0.2, -0.8, -0.4, 0.7, -0.1;
  start.qd = numbers(14, 0.2);
  return complete(model, assembled(model, start));
}

Mechanism stewart_platform() {
  constexpr double kBody = 0.4;  // m, from the universal joint to the piston's at q = 0
  ModelDescription robot = on_base("stewart", 50.0, false);
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i + 1);
    const int pair = i / 2;
    const double half = i % 2 == 0 ? -1.0 : 1.0, third = 2.0 * pair * kPi / 3.0;
    const double below = third + 0.3 * half, above = third + 0.8 * half;
    const Vector3 foot(std::cos(below), std::sin(below), 0.2);
    const Vector3 head(0.6 * std::cos(above), 0.6 * std::sin(above), 1.1);
    const Vector3 along = head - foot;
    const double stroke = along.norm() - kBody;

    LinkDescription cylinder;
    cylinder.name = "cylinder" + n;
    cylinder.parent = "base";
    cylinder.mass = 3.0;
    cylinder.center_of_mass = {0.01, -0.02, 0.25};
    cylinder.inertia = Vector3(0.05, 0.06, 0.01).asDiagonal();
    cylinder.joint.type = JointType::universal;
    cylinder.joint.axis = Vector3::UnitX();
    cylinder.joint.second_axis = Vector3::UnitY();
    cylinder.joint.origin.position = foot;
    cylinder.joint.origin.rotation =
        Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), along).toRotationMatrix();
    robot.links.push_back(cylinder);

    LinkDescription piston;
    piston.name = "piston" + n;
    piston.parent = cylinder.name;
    piston.mass = 1.5;
    piston.center_of_mass = {0.0, 0.0, 0.5 * stroke};
    piston.inertia = Vector3(0.04, 0.04, 0.005).asDiagonal();
    piston.joint.type = JointType::prismatic;
    piston.joint.origin.position = {0.0, 0.0, kBody};
    robot.links.push_back(piston);

    if (i == 0) {
      LinkDescription platform;
      platform.name = "platform";
      platform.parent = piston.name;
      platform.mass = 12.0;
      platform.center_of_mass = {-0.4, 0.45, 0.1};
      platform.inertia = Vector3(1.2, 1.1, 1.8).asDiagonal();
      platform.joint.type = JointType::spherical;
      platform.joint.origin.position = {0.0, 0.0, stroke};
      platform.joint.origin.rotation = cylinder.joint.origin.rotation.transpose();
      robot.links.push_back(platform);
      continue;
    }
    const Vector3 first(0.6 * std::cos(0.8), -0.6 * std::sin(0.8), 1.1);
    robot.frames.push_back(point("head" + n, "platform", head - first));
    robot.frames.push_back(point("rod" + n, piston.name, {0.0, 0.0, stroke}));
    robot.loops.push_back(loop("ball" + n, LoopType::spherical, "head" + n, "rod" + n));
  }
  const Model model = ModelBuilder(robot).build();
  State start(model);
  start.q = 0.15 * numbers(model.joint_count(), 0.5);
  start.qd = 0.5 * numbers(model.joint_count(), 0.7);
  return complete(model, assembled(model, start));
}

}  // namespace spacedyn::bench
