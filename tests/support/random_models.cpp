#include "support/random_models.hpp"

#include <algorithm>
#include <string>

#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::testing {

double RandomModels::number(double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(generator_);
}

VectorX RandomModels::vector(int size, double bound) {
  VectorX result(size);
  for (double& element : result) element = number(-bound, bound);
  return result;
}

Matrix3 RandomModels::rotation() { return exp_so3(vector(3, 2.0)); }

void RandomModels::fill_body(BodyDescription& body) {
  body.mass = number(0.5, 5.0);
  body.center_of_mass = vector(3, 0.3);
  // a box of this mass: its tensor is that of a real body
  const Vector3 edge = vector(3, 0.5).cwiseAbs() + Vector3::Constant(0.1);
  const Vector3 squares = edge.cwiseAbs2();
  const Vector3 moments = body.mass / 12.0 * (Vector3::Constant(squares.sum()) - squares);
  const Matrix3 axes = rotation();
  const Matrix3 inertia = axes * moments.asDiagonal() * axes.transpose();
  body.inertia = 0.5 * (inertia + inertia.transpose());
}

ModelDescription RandomModels::description(const TreeShape& shape) {
  ModelDescription robot;
  robot.name = "random";
  robot.base.name = "base";
  fill_body(robot.base);
  robot.base.mass += 5.0;
  for (int link = 1; link <= shape.links; ++link) {
    const int lowest = std::max(0, link - shape.window);
    const int parent = std::uniform_int_distribution<int>(lowest, link - 1)(generator_);
    LinkDescription description;
    description.name = "link_" + std::to_string(link);
    description.parent = parent == 0 ? "base" : "link_" + std::to_string(parent);
    fill_body(description);
    description.joint.origin.position = vector(3, 0.5);
    description.joint.origin.rotation = rotation();
    if (shape.any_axis) description.joint.axis = vector(3) + Vector3(0.0, 0.0, 1.5);
    const bool prismatic = number(0.0, 1.0) < shape.prismatic_fraction;
    description.joint.type = prismatic ? JointType::prismatic : JointType::revolute;
    // without screws the same numbers as ever
    if (!prismatic && shape.screw_fraction > 0.0 && number(0.0, 1.0) < shape.screw_fraction) {
      description.joint.type = JointType::screw;
      description.joint.pitch = number(0.5, 3.0) * (link % 2 == 0 ? 1.0 : -1.0);
    }
    robot.links.push_back(description);
  }
  FrameDescription hand;
  hand.name = "hand";
  hand.link = robot.links.empty() ? "base" : robot.links.back().name;
  hand.origin.position = vector(3, 0.5);
  hand.origin.rotation = rotation();
  robot.frames.push_back(hand);
  return robot;
}

Model RandomModels::model(const TreeShape& shape) {
  return ModelBuilder(description(shape)).build();
}

State RandomModels::state(const Model& model) {
  State state(model);
  state.r_0 = vector(3, 2.0);
  state.A_0 = rotation();
  state.q = vector(model.joint_count(), 2.0);
  state.v_0 = vector(3);
  state.omega_0 = vector(3);
  state.qd = vector(model.joint_count());
  return state;
}

Loads RandomModels::loads(const Model& model) {
  Loads loads(model);
  loads.gravity = vector(3, 5.0);
  loads.F_b = vector(6, 3.0);
  loads.tau = vector(model.joint_count(), 3.0);
  for (int body = 0; body < model.body_count(); ++body) {
    loads.force.col(body) = vector(3);
    loads.moment.col(body) = vector(3);
  }
  return loads;
}

}  // namespace spacedyn::testing
