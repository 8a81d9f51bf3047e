#include "spacedyn/state/conventions.hpp"

#include <string>

#include <Eigen/LU>

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

constexpr const char* kNeedsScalars =
    "vectors of other toolboxes are known for joints with one coordinate each";

/// From the base centroid to the point whose motion the convention uses, inertial axes.
Vector3 offset_of_base_point(Convention convention, const Model& model, const Matrix3& A_0) {
  if (convention == Convention::spart) return Vector3::Zero();
  return -A_0 * model.body(0).center_of_mass;
}

/// Where the quaternion sits: its scalar part, and the first of the others.
Eigen::Index scalar_row(Convention convention, int joint_count) {
  if (convention == Convention::mujoco) return 3;
  return convention == Convention::rbdl ? 6 + joint_count : 6;
}
Eigen::Index vector_row(Convention convention) { return convention == Convention::mujoco ? 4 : 3; }

/// First row of the joint positions.
Eigen::Index joint_row(Convention convention) { return convention == Convention::rbdl ? 6 : 7; }

void check_size(ConstVectorRef vector, int expected, const char* name) {
  if (vector.size() == expected) return;
  throw DimensionError(std::string(name) + " have " + std::to_string(vector.size()) +
                       " elements, expected " + std::to_string(expected));
}

}  // namespace

VectorX positions_in(Convention convention, const Model& model, const State& state) {
  state.check(model);
  refuse_spherical_joints(model, kNeedsScalars);
  const int n = model.joint_count();
  const Quaternion quaternion = quaternion_from_matrix(state.A_0);
  VectorX positions(7 + n);
  positions.head<3>() = state.r_0 + offset_of_base_point(convention, model, state.A_0);
  positions.segment<3>(vector_row(convention)) = quaternion.vec();
  positions.segment(joint_row(convention), n) = state.q;
  positions(scalar_row(convention, n)) = quaternion.w();
  return positions;
}

VectorX velocities_in(Convention convention, const Model& model, const State& state) {
  return velocity_map(convention, model, state) * state.velocity();
}

State state_from(Convention convention, const Model& model, ConstVectorRef positions,
                 ConstVectorRef velocities) {
  refuse_spherical_joints(model, kNeedsScalars);
  const int n = model.joint_count();
  check_size(positions, 7 + n, "positions");
  check_size(velocities, 6 + n, "velocities");
  State state(model);
  Quaternion quaternion;
  quaternion.w() = positions(scalar_row(convention, n));
  quaternion.vec() = positions.segment<3>(vector_row(convention));
  state.A_0 = matrix_from_quaternion(quaternion);
  state.r_0 = positions.head<3>() - offset_of_base_point(convention, model, state.A_0);
  state.q = positions.segment(joint_row(convention), n);
  // the map is a change of axes and a shift, so its inverse is exact to rounding
  const VectorX u = velocity_map(convention, model, state).inverse() * velocities;
  state.v_0 = linear_part(u);
  state.omega_0 = angular_part(u);
  state.qd = joint_part(u);
  return state;
}

MatrixX velocity_map(Convention convention, const Model& model, const State& state) {
  state.check(model);
  MatrixX X = MatrixX::Identity(model.velocity_size(), model.velocity_size());
  const Matrix3 to_base = state.A_0.transpose();
  const Matrix3 shift = -tilde(offset_of_base_point(convention, model, state.A_0));
  switch (convention) {
    case Convention::pinocchio:
      X.topLeftCorner<6, 6>() << to_base, to_base * shift, Matrix3::Zero(), to_base;
      break;
    case Convention::rbdl:
    case Convention::mujoco:
      X.topLeftCorner<6, 6>() << Matrix3::Identity(), shift, Matrix3::Zero(), to_base;
      break;
    case Convention::spart:
      X.topLeftCorner<6, 6>() << Matrix3::Zero(), to_base, Matrix3::Identity(), Matrix3::Zero();
      break;
  }
  return X;
}

}  // namespace spacedyn
