#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "inertia/dense_size.hpp"
#include "kinematics/acceleration_check.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/recursive_newton_euler.hpp"
#include "spacedyn/math/spatial/acceleration.hpp"
#include "spacedyn/math/spatial/cross.hpp"
#include "state/spherical.hpp"

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

namespace {

/// What (18) still asks of the generalized forces at the accelerations in `acceleration`.
void compute_required_forces(const Model& model, const State& state, const Loads& loads,
                             const VectorRef& acceleration, DynamicsWorkspace& workspace) {
  compute_link_accelerations(model, state, workspace.frames, workspace.velocities, acceleration,
                             workspace.accelerations);
  inverse_dynamics(model, workspace.frames, workspace.velocities, workspace.accelerations, loads,
                   workspace.reactions, workspace.bias);
}

double given_force(const Loads& loads, int row) {
  return row < 6 ? loads.F_b(row) : loads.tau(row - 6);
}

/// The free coordinate of a row of H_free: tips first, as the articulated-body algorithm eliminates
/// them, so that both meet the same pivots.
int coordinate(const Mobility& mobility, Eigen::Index row) {
  return *(mobility.free().rbegin() + row);
}

void gather_free(const Mobility& mobility, const MatrixX& H, MatrixX& H_free) {
  for (Eigen::Index column = 0; column < H_free.cols(); ++column) {
    for (Eigen::Index row = 0; row < H_free.rows(); ++row) {
      H_free(row, column) = H(coordinate(mobility, row), coordinate(mobility, column));
    }
  }
}

bool has_sound_pivots(const DynamicsWorkspace& workspace) {
  if (workspace.factorization.info() != Eigen::Success) return false;
  const auto pivots = workspace.factorization.matrixLLT().diagonal().array().square();
  // written so that NaN fails
  return (pivots > kLeastPivot * workspace.H_free.diagonal().array()).all();
}

/// Accelerations of the free coordinates; those in `acceleration` must be zero on entry.
DynamicsStatus solve_free(const Loads& loads, const Mobility& mobility,
                          DynamicsWorkspace& workspace, VectorRef acceleration) {
  VectorX& right_side = workspace.right_side;
  if (right_side.size() == 0) return DynamicsStatus::ok;
  gather_free(mobility, workspace.H, workspace.H_free);
  for (Eigen::Index row = 0; row < right_side.size(); ++row) {
    const int i = coordinate(mobility, row);
    right_side(row) = given_force(loads, i) - workspace.bias(i);
  }
  // (29)
  workspace.factorization.compute(workspace.H_free);
  if (!has_sound_pivots(workspace)) return DynamicsStatus::inertia_not_positive_definite;
  workspace.factorization.solveInPlace(right_side);
  for (Eigen::Index row = 0; row < right_side.size(); ++row) {
    acceleration(coordinate(mobility, row)) = right_side(row);
  }
  return DynamicsStatus::ok;
}

}  // namespace

DynamicsWorkspace::DynamicsWorkspace(const Model& model, const Mobility& mobility)
    : frames(model),
      velocities(model),
      accelerations(model),
      reactions(model),
      jacobians(model),
      inertia(model),
      H(MatrixX::Zero(model.velocity_size(), model.velocity_size())),
      bias(VectorX::Zero(model.velocity_size())) {
  const auto free = static_cast<Eigen::Index>(mobility.free().size());
  H_free = MatrixX::Zero(free, free);
  right_side = VectorX::Zero(free);
  // of a matrix, since one that has never been computed cannot be copied
  factorization.compute(MatrixX::Identity(free, free));
}

void update_kinematics(const Model& model, const State& state, DynamicsWorkspace& workspace) {
  compute_link_frames(model, state, workspace.frames);
  compute_link_velocities(model, state, workspace.frames, workspace.velocities);
}

DynamicsStatus hybrid_dynamics(const Model& model, const State& state, const Loads& loads,
                               const Mobility& mobility, DynamicsWorkspace& workspace,
                               VectorRef acceleration, VectorRef forces) noexcept {
  SPACEDYN_ASSERT(acceleration.size() == model.velocity_size());
  SPACEDYN_ASSERT(forces.size() == model.velocity_size());
  compute_inertia_blocks(model, workspace.frames, workspace.jacobians, workspace.inertia);
  assemble_inertia_matrix(workspace.inertia, workspace.H);

  // c, with the wrenches and the prescribed accelerations moved to the same side
  for (const int row : mobility.free()) acceleration(row) = 0.0;
  compute_required_forces(model, state, loads, acceleration, workspace);
  const DynamicsStatus status = solve_free(loads, mobility, workspace, acceleration);
  if (status != DynamicsStatus::ok) return status;

  for (const int row : mobility.free()) forces(row) = given_force(loads, row);
  for (const int row : mobility.prescribed()) {
    double required = workspace.bias(row);
    for (const int column : mobility.free()) {
      required += workspace.H(row, column) * acceleration(column);
    }
    forces(row) = required - given_force(loads, row);
  }
  return status;
}

}  // namespace spacedyn
