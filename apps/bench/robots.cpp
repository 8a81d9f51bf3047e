#include "bench/robots.hpp"

#include <cmath>
#include <random>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::bench {
namespace {

constexpr int kStates = 32;

/// Moments of inertia of a homogeneous box about its centroid.
Matrix3 box_inertia(double mass, const Vector3& edges) {
  const Vector3 squares = edges.cwiseAbs2();
  return (mass / 12.0 * (Vector3::Constant(squares.sum()) - squares)).asDiagonal();
}

ModelBuilder satellite(const std::string& name, double mass, const Vector3& edges) {
  BaseDescription base;
  base.name = "base";
  base.mass = mass;
  base.inertia = box_inertia(mass, edges);
  ModelBuilder builder(name);
  builder.set_base(base);
  return builder;
}

struct Chain {
  int joints;
  double mass, length, width;  ///< of the first link; later links of an arm are lighter
  double taper = 0.0;          ///< share of the mass that the last link lacks
  double stiffness = 0.0, damping = 0.0;
  bool same_axes = false;  ///< all hinges parallel: a folded panel
};

/// Links along z whose axes point in turn along z, y, y as in an anthropomorphic arm.
void add_chain(ModelBuilder& builder, const std::string& prefix, const Pose& mount,
               const Chain& chain) {
  std::string parent = "base";
  Pose origin = mount;
  for (int i = 0; i < chain.joints; ++i) {
    LinkDescription link;
    link.name = prefix + std::to_string(i + 1);
    link.parent = parent;
    link.mass = chain.mass * (1.0 - chain.taper * i / chain.joints);
    link.center_of_mass = {0.02 * chain.length, 0.0, 0.5 * chain.length};
    link.inertia = box_inertia(link.mass, {chain.width, 0.8 * chain.width, chain.length});
    link.joint.origin = origin;
    link.joint.axis = chain.same_axes || i % 3 != 0 ? Vector3::UnitY() : Vector3::UnitZ();
    link.joint.stiffness = chain.stiffness;
    link.joint.damping = chain.damping;
    builder.add_link(link);
    parent = link.name;
    origin = Pose{{0.0, 0.0, chain.length}, Matrix3::Identity()};
  }
  FrameDescription tool;
  tool.name = prefix + "tool";
  tool.link = parent;
  tool.origin = origin;
  builder.add_frame(tool);
}

Pose mount(const Vector3& position, const Vector3& rpy) { return {position, matrix_from_rpy(rpy)}; }

Workload workload(const std::string& name, const ModelBuilder& builder, double speed = 1.0) {
  Workload work{name, builder.build(), {}, {}, {}, {}};
  work.tool = work.model.frame("arm_tool");
  std::mt19937 generator(20180420);
  // 53 bits of a generator that every standard library shares, unlike its distributions
  const auto number = [&](double bound) {
    return bound * (2.0 * static_cast<double>(generator()) / 4294967296.0 - 1.0);
  };
  const int n = work.model.joint_count();
  for (int k = 0; k < kStates; ++k) {
    State state(work.model);
    for (int i = 0; i < 3; ++i) {
      state.r_0(i) = number(5.0);
      state.v_0(i) = number(0.5);
      state.omega_0(i) = number(0.3);
    }
    state.A_0 = matrix_from_rpy({number(kPi), number(1.4), number(kPi)});
    VectorX tau(n), acceleration(6 + n);
    for (int i = 0; i < n; ++i) {
      const bool elastic = work.model.joint(i + 1).stiffness > 0.0;
      state.q(i) = number(elastic ? 0.02 : 1.5);
      state.qd(i) = number(elastic ? 0.05 : 0.5) * speed;
      tau(i) = elastic ? 0.0 : number(5.0) * speed;
    }
    for (int i = 0; i < 6 + n; ++i) acceleration(i) = number(1.0);
    work.tau.emplace_back(tau + passive_torque(work.model, state));
    work.states.push_back(std::move(state));
    work.acceleration.push_back(std::move(acceleration));
  }
  return work;
}

constexpr Chain kArm6{6, 12.0, 0.45, 0.12, 0.7};
constexpr Chain kArm7{7, 10.0, 0.40, 0.12, 0.7};

ModelBuilder four_branches() {
  ModelBuilder builder = satellite("four_branches", 400.0, {1.4, 1.4, 1.0});
  add_chain(builder, "arm_", mount({0.7, 0.4, 0.2}, {0.0, 1.2, 0.0}), kArm7);
  add_chain(builder, "left_", mount({0.7, -0.4, 0.2}, {0.3, 1.2, 0.0}), kArm7);
  add_chain(builder, "aft_", mount({-0.7, 0.4, -0.2}, {0.0, -1.2, 0.2}), kArm7);
  add_chain(builder, "right_", mount({-0.7, -0.4, -0.2}, {0.0, -1.3, 0.0}), kArm7);
  return builder;
}

ModelBuilder paddles() {
  // 6 m x 1.2 m of 2.5 kg/m² and a first bending frequency near 0.2 Hz: K = EI N / L
  constexpr Chain kPaddle{10, 1.8, 0.6, 1.2, 0.0, 280.0, 0.5, true};
  ModelBuilder builder = satellite("paddles", 300.0, {1.2, 1.2, 1.5});
  add_chain(builder, "arm_", mount({0.3, 0.0, 0.75}, {0.1, 0.0, 0.0}), {3, 8.0, 0.8, 0.15, 0.5});
  add_chain(builder, "north_", mount({0.0, 0.6, 0.0}, {-0.5 * kPi, 0.0, 0.0}), kPaddle);
  add_chain(builder, "south_", mount({0.0, -0.6, 0.0}, {0.5 * kPi, 0.0, 0.0}), kPaddle);
  return builder;
}

}  // namespace

Workload chain(int joints) {
  ModelBuilder builder = satellite("chain", 500.0, {1.5, 1.5, 1.0});
  add_chain(builder, "arm_", mount({0.0, 0.0, 0.5}, Vector3::Zero()), {joints, 2.0, 0.3, 0.1});
  // slow enough for the far end of a long chain
  return workload("chain_" + std::to_string(joints), builder, joints > 30 ? 0.1 : 1.0);
}

Workload robot(char letter) {
  switch (letter) {
    case 'A': {
      ModelBuilder builder = satellite("one_arm", 200.0, {1.0, 1.0, 0.8});
      add_chain(builder, "arm_", mount({0.5, 0.1, 0.4}, {0.0, 0.3, 0.0}), kArm6);
      return workload("A", builder);
    }
    case 'B': {
      ModelBuilder builder = satellite("two_arms", 250.0, {1.0, 1.0, 1.0});
      add_chain(builder, "arm_", mount({0.5, 0.4, 0.2}, {0.0, 1.2, 0.0}), kArm7);
      add_chain(builder, "left_", mount({0.5, -0.4, 0.2}, {0.2, 1.2, 0.0}), kArm7);
      return workload("B", builder);
    }
    case 'C':
      return workload("C", four_branches());
    case 'D': {
      Workload work = chain(100);
      work.name = "D";
      return work;
    }
    case 'E':
      return workload("E", paddles());
    default:
      throw DomainError(std::string("no benchmark robot has the letter ") + letter);
  }
}

}  // namespace spacedyn::bench
