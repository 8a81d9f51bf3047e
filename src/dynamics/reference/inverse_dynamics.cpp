#include "spacedyn/dynamics/inverse_dynamics.hpp"

#include "kinematics/acceleration_check.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

/// F_i (30) with gravity and N_i (31) less the external wrench, both at the centroid of body i.
struct CentroidalLoad {
  Vector3 force, moment;
};

CentroidalLoad centroidal_load(const Model& model, const LinkFrames& frames,
                               const LinkVelocities& velocities,
                               const LinkAccelerations& accelerations, const Loads& loads,
                               int body) {
  const auto i = static_cast<std::size_t>(body);
  const Matrix3& A = frames.A[i];
  const Matrix3& I = model.body(body).inertia_L;
  const Vector3 omega_L = A.transpose() * velocities.omega[i];
  const Vector3 omegad_L = A.transpose() * accelerations.omegad[i];
  return {model.body(body).mass * (accelerations.vd[i] - loads.gravity) - loads.force.col(body),
          A * (I * omegad_L + omega_L.cross(I * omega_L)) - loads.moment.col(body)};
}

}  // namespace

JointReactions::JointReactions(const Model& model)
    : f(static_cast<std::size_t>(model.body_count()), Vector3::Zero()), n(f) {}

void inverse_dynamics(const Model& model, const LinkFrames& frames,
                      const LinkVelocities& velocities, const LinkAccelerations& accelerations,
                      const Loads& loads, JointReactions& reactions, VectorRef forces) {
  SPACEDYN_ASSERT(forces.size() == model.velocity_size());
  // (32) … (35): each body's own part about its joint; the upper links' parts are added below
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const CentroidalLoad own =
        centroidal_load(model, frames, velocities, accelerations, loads, body);
    reactions.f[i] = own.force;
    reactions.n[i] = own.moment;
    if (body > 0) reactions.n[i] += (frames.r[i] - frames.p[i]).cross(own.force);
  }

  // from the tips to the base: f_i and n_i are complete when link i is reached
  for (int link = model.joint_count(); link > 0; --link) {
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    const Vector3& reference = lower == 0 ? frames.r[0] : frames.p[lower];
    reactions.f[lower] += reactions.f[i];
    reactions.n[lower] += (frames.p[i] - reference).cross(reactions.f[i]) + reactions.n[i];

    // (36), (37)
    const Joint& joint = model.joint(link);
    forces(link + 5) = frames.k[i].dot(joint.turn * reactions.n[i] + joint.slide * reactions.f[i]) +
                       joint.armature * accelerations.qdd(link - 1);
  }

  // (38), (39) with the base's own inertia
  forces.head<3>() = reactions.f[0];
  forces.segment<3>(3) = reactions.n[0];
}

VectorX inverse_dynamics(const Model& model, const State& state, ConstVectorRef acceleration,
                         const Loads& loads) {
  state.check(model);
  loads.check(model);
  check_acceleration(model, acceleration);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  LinkAccelerations accelerations(model);
  JointReactions reactions(model);
  VectorX forces(model.velocity_size());
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  compute_link_accelerations(model, state, frames, velocities, acceleration, accelerations);
  inverse_dynamics(model, frames, velocities, accelerations, loads, reactions, forces);
  return forces;
}

VectorX bias_forces(const Model& model, const State& state, const Vector3& gravity) {
  Loads loads(model);
  loads.gravity = gravity;
  return inverse_dynamics(model, state, VectorX::Zero(model.velocity_size()), loads);
}

}  // namespace spacedyn
