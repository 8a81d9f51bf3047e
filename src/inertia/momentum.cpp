#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {
namespace {

/// Calls `visit(body, r_i, v_i, ω_i, A_i, I_i ω_i)` for every body, the base first.
template <typename Visit>
void for_each_body(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
                   Visit visit) {
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Matrix3& A = frames.A[i];
    const Vector3& omega = velocities.omega[i];
    const Vector3 spin = A * (model.body(body).inertia_L * (A.transpose() * omega));
    visit(model.body(body), frames.r[i], velocities.v[i], omega, spin);
  }
}

}  // namespace

Vector3 center_of_mass(const Model& model, const LinkFrames& frames) {
  // summed from the base centroid: a system far from the origin loses no digits
  Vector3 moment = Vector3::Zero();
  for (int body = 1; body < model.body_count(); ++body) {
    moment += model.body(body).mass * (frames.r[static_cast<std::size_t>(body)] - frames.r[0]);
  }
  return model.total_mass() > 0.0 ? Vector3(frames.r[0] + moment / model.total_mass())
                                  : frames.r[0];
}

Vector3 center_of_mass_velocity(const Model& model, const LinkVelocities& velocities) {
  Vector3 linear = Vector3::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    linear += model.body(body).mass * velocities.v[static_cast<std::size_t>(body)];
  }
  return model.total_mass() > 0.0 ? Vector3(linear / model.total_mass()) : velocities.v[0];
}

Momentum momentum(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities) {
  const Vector3 r_0 = frames.r[0];
  const Vector3 r_g = center_of_mass(model, frames);
  const Vector3 v_g = center_of_mass_velocity(model, velocities);
  Momentum result;
  for_each_body(model, frames, velocities,
                [&](const Body& body, const Vector3& r, const Vector3& v, const Vector3&,
                    const Vector3& spin) {
                  result.linear += body.mass * v;
                  result.angular_base += spin + body.mass * (r - r_0).cross(v);
                  result.angular_centroid += spin + body.mass * (r - r_g).cross(v - v_g);
                });
  result.angular_origin = result.angular_base + r_0.cross(result.linear);
  return result;
}

MomentumScale momentum_scale(const Model& model, const LinkFrames& frames,
                             const LinkVelocities& velocities) {
  const Vector3 r_g = center_of_mass(model, frames);
  const Vector3 v_g = center_of_mass_velocity(model, velocities);
  MomentumScale scale;
  for_each_body(model, frames, velocities,
                [&](const Body& body, const Vector3& r, const Vector3& v, const Vector3&,
                    const Vector3& spin) {
                  scale.linear += body.mass * v.norm();
                  scale.angular += spin.norm() + body.mass * (r - r_g).norm() * (v - v_g).norm();
                });
  return scale;
}

double kinetic_energy(const Model& model, const LinkFrames& frames,
                      const LinkVelocities& velocities) {
  double twice = 0.0;
  for_each_body(
      model, frames, velocities,
      [&](const Body& body, const Vector3&, const Vector3& v, const Vector3& omega,
          const Vector3& spin) { twice += body.mass * v.squaredNorm() + omega.dot(spin); });
  for (int i = 1; i <= model.joint_count(); ++i) {
    twice += model.joint(i).armature * velocities.qd(i - 1) * velocities.qd(i - 1);
  }
  return 0.5 * twice;
}

double gravity_potential(const Model& model, const LinkFrames& frames, const Vector3& gravity) {
  return -model.total_mass() * gravity.dot(center_of_mass(model, frames));
}

double elastic_energy(const Model& model, ConstVectorRef q) {
  double twice = 0.0;
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    const double stretch = q(i - 1) - joint.rest_position;
    twice += joint.stiffness * stretch * stretch;
  }
  double energy = 0.5 * twice;
  for (const JointCoupling& coupling : model.couplings()) energy += elastic_energy(coupling, q);
  for (const Transmission& transmission : model.transmissions()) {
    energy += elastic_energy(transmission, q);
  }
  return energy;
}

}  // namespace spacedyn
