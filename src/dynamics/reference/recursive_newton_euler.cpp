#include "spacedyn/dynamics/recursive_newton_euler.hpp"

#include "spacedyn/assert.hpp"
#include "spacedyn/math/spatial/acceleration.hpp"
#include "spacedyn/math/spatial/cross.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

// from the frame of the lower link to that of link i
PluckerTransform joint_transform(const Joint& joint, const VectorX& positions, int link) {
  if (joint.spherical == 1) {
    return PluckerTransform::into_frame(turned_by(joint, spherical_rotation(positions, link)),
                                        joint.origin);
  }
  if (joint.spherical > 0) return PluckerTransform::into_frame(joint.rotation, joint.origin);
  const double q = positions(link - 1);
  return PluckerTransform::into_frame(joint.rotation * rotation_z(joint.turn * q),
                                      joint.origin + joint.slide * q * joint.rotation.col(2));
}

MotionVector joint_axis(const Joint& joint) {
  return {joint.turn * Vector3::UnitZ(), joint.slide * Vector3::UnitZ()};
}

// Σ_{j<k} (s_j ω_j) × (s_k ω_k): what three axes that turn one after the other would add to the
// acceleration, in the frame of the last
Vector3 spherical_excess(const Model& model, const VectorX& qd, int first, int last) {
  const Vector3 w = qd.segment<3>(first - 1);
  const Matrix3& to_user = model.body(last).user_axes;
  return to_user * Vector3(w.y() * w.z(), -w.x() * w.z(), w.x() * w.y());
}

// (30), (31): velocity and acceleration less gravity of the base, from those of its centroid
void move_base(const Model& model, const State& state, ConstVectorRef acceleration,
               const Vector3& gravity, SpatialMotion& motion) {
  const Vector3 c = model.body(0).center_of_mass;
  const Matrix3 to_base = state.A_0.transpose();
  motion.A[0] = state.A_0;
  motion.X[0] = PluckerTransform::into_frame(state.A_0, state.r_0 - state.A_0 * c);
  const auto from_centroid = PluckerTransform::change_of_point(-c);
  const MotionVector v{to_base * state.omega_0, to_base * state.v_0};
  const ClassicalAcceleration classical{to_base * acceleration.segment<3>(3),
                                        to_base * (acceleration.head<3>() - gravity)};
  motion.v[0] = from_centroid * v;
  motion.a[0] = from_centroid * spatial_acceleration(classical, v);
}

// wrench on a body about its centroid, inertial axes, as a force vector of its link frame
ForceVector external_force(const Body& body, const Matrix3& A, const Loads& loads, int index) {
  const Vector3 f = A.transpose() * loads.force.col(index);
  return {A.transpose() * loads.moment.col(index) + body.center_of_mass.cross(f), f};
}

}  // namespace

SpatialMotion::SpatialMotion(const Model& model) {
  const auto bodies = static_cast<std::size_t>(model.body_count());
  A.resize(bodies);
  X.resize(bodies);
  S.resize(bodies);
  v.resize(bodies);
  a.resize(bodies);
  f.resize(bodies);
}

std::vector<RigidInertia> link_inertias(const Model& model) {
  std::vector<RigidInertia> inertias;
  inertias.reserve(static_cast<std::size_t>(model.body_count()));
  for (int body = 0; body < model.body_count(); ++body) {
    const Body& b = model.body(body);
    inertias.push_back(RigidInertia::from_centroidal(b.mass, b.center_of_mass, b.inertia_L));
  }
  return inertias;
}

void recursive_newton_euler(const Model& model, const std::vector<RigidInertia>& inertias,
                            const State& state, ConstVectorRef acceleration, const Loads& loads,
                            SpatialMotion& motion, VectorRef forces) {
  SPACEDYN_ASSERT(acceleration.size() == model.velocity_size());
  SPACEDYN_ASSERT(forces.size() == model.velocity_size());
  move_base(model, state, acceleration, loads.gravity, motion);

  for (int link = 1; link <= model.joint_count(); ++link) {
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    motion.X[i] = joint_transform(model.joint(link), state.q, link);
    motion.S[i] = joint_axis(model.joint(link));
    motion.A[i] = motion.A[lower] * motion.X[i].rotation.transpose();
    // (32), (34)
    const MotionVector v_J = motion.S[i] * state.qd(link - 1);
    motion.v[i] = motion.X[i] * motion.v[lower] + v_J;
    // (33), (35); the axis is constant in link coordinates
    motion.a[i] = motion.X[i] * motion.a[lower] + motion.S[i] * acceleration(link + 5) +
                  cross(motion.v[i], v_J);
    // the axes of a spherical joint are constant in coordinates of the link that it carries
    const int place = model.joint(link).spherical;
    if (place == 3) motion.a[i].angular -= spherical_excess(model, state.qd, link - 2, link);
  }

  // (36) and the external part of (37)
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    motion.f[i] = inertias[i] * motion.a[i] + cross_star(motion.v[i], inertias[i] * motion.v[i]) -
                  external_force(model.body(body), motion.A[i], loads, body);
  }
  // (37), (38) from the tips to the base
  for (int link = model.joint_count(); link > 0; --link) {
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    motion.f[lower] += motion.X[i].transpose_times(motion.f[i]);
    forces(link + 5) =
        dot(motion.S[i], motion.f[i]) + model.joint(link).armature * acceleration(link + 5);
  }
  // the base's rows: about its centroid, inertial axes
  const auto to_centroid = PluckerTransform::change_of_point(model.body(0).center_of_mass);
  const ForceVector base = to_centroid.dual() * motion.f[0];
  forces.head<3>() = motion.A[0] * base.linear;
  forces.segment<3>(3) = motion.A[0] * base.angular;
}

}  // namespace spacedyn
