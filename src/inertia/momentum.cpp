#include "spacedyn/inertia/momentum.hpp"

#include "inertia/system_sums.hpp"

namespace spacedyn {
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
  return system_sums(model, frames, velocities).momentum;
}

MomentumScale momentum_scale(const Model& model, const LinkFrames& frames,
                             const LinkVelocities& velocities) {
  return system_sums(model, frames, velocities).scale;
}

double kinetic_energy(const Model& model, const LinkFrames& frames,
                      const LinkVelocities& velocities) {
  return system_sums(model, frames, velocities).kinetic_energy;
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
