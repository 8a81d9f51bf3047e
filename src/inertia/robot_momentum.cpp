#include "spacedyn/inertia/robot_momentum.hpp"

#include <algorithm>

namespace spacedyn {
namespace {

/// Whether all joints that an element couples belong to a robot.
bool is_among(const Robot& robot, const std::vector<int>& joints) {
  return std::all_of(joints.begin(), joints.end(),
                     [&](int joint) { return joint >= robot.first && joint < robot.end; });
}

}  // namespace

RobotSums robot_sums(const Model& model, const Robot& robot, const LinkFrames& frames,
                     const LinkVelocities& velocities) {
  RobotSums sums;
  const Vector3 r_0 = frame_position(frames, robot.base);
  // summed from the base, which keeps digits far from the origin; a fixed base has mass there
  sums.mass = robot.moves() ? 0.0 : robot.base_mass;
  Vector3 moment = Vector3::Zero();
  for (int i = robot.first; i < robot.end; ++i) {
    const double m = model.body(i).mass;
    const Vector3& v = velocities.v[static_cast<std::size_t>(i)];
    sums.mass += m;
    moment += m * (frames.r[static_cast<std::size_t>(i)] - r_0);
    sums.momentum.linear += m * v;
  }
  const double w = sums.mass;
  sums.r_g = w > 0.0 ? Vector3(r_0 + moment / w) : r_0;
  const Vector3 v_g = w > 0.0 ? Vector3(sums.momentum.linear / w) : Vector3(Vector3::Zero());
  double twice = 0.0;
  for (int i = robot.first; i < robot.end; ++i) {
    const auto body = static_cast<std::size_t>(i);
    const double m = model.body(i).mass;
    const Vector3 arm = frames.r[body] - sums.r_g, relative = velocities.v[body] - v_g;
    const Vector3 omega = frames.A[body].transpose() * velocities.omega[body];
    const Vector3 spin = model.body(i).inertia_L * omega;
    sums.momentum.angular_centroid += frames.A[body] * spin + m * arm.cross(relative);
    twice += m * velocities.v[body].squaredNorm() + omega.dot(spin);
    sums.inertia += frames.A[body] * model.body(i).inertia_L * frames.A[body].transpose() +
                    m * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
    const double rate = velocities.qd(i - 1);
    twice += model.joint(i).armature * rate * rate;
  }
  if (!robot.moves()) {
    // the base at rest moves against the centroid all the same
    sums.momentum.angular_centroid += robot.base_mass * (r_0 - sums.r_g).cross(-v_g);
  }
  sums.momentum.angular_base =
      sums.momentum.angular_centroid + (sums.r_g - r_0).cross(sums.momentum.linear);
  sums.momentum.angular_origin = sums.momentum.angular_base + r_0.cross(sums.momentum.linear);
  sums.kinetic_energy = 0.5 * twice;
  return sums;
}

double elastic_energy(const Model& model, const Robot& robot, ConstVectorRef q) {
  double energy = 0.0;
  for (int i = robot.first_joint(); i < robot.end; ++i) {
    const Joint& joint = model.joint(i);
    const double stretch = q(i - 1) - joint.rest_position;
    energy += 0.5 * joint.stiffness * stretch * stretch;
  }
  for (const JointCoupling& coupling : model.couplings()) {
    if (is_among(robot, coupling.joints)) energy += elastic_energy(coupling, q);
  }
  for (const Transmission& transmission : model.transmissions()) {
    if (is_among(robot, {transmission.joint})) energy += elastic_energy(transmission, q);
  }
  return energy;
}

}  // namespace spacedyn
