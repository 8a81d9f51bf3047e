#include "spacedyn/kinematics/link_frames.hpp"

#include <cmath>

#include "spacedyn/assert.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

/// A · R_z(q): turns the first two columns, without forming the factor.
Matrix3 turned_about_z(const Matrix3& A, double q) {
  const double c = std::cos(q);
  const double s = std::sin(q);
  Matrix3 turned;
  turned.col(0) = c * A.col(0) + s * A.col(1);
  turned.col(1) = c * A.col(1) - s * A.col(0);
  turned.col(2) = A.col(2);
  return turned;
}

}  // namespace

LinkFrames::LinkFrames(const Model& model) {
  const auto bodies = static_cast<std::size_t>(model.body_count());
  A.assign(bodies, Matrix3::Identity());
  r.assign(bodies, Vector3::Zero());
  p.assign(bodies, Vector3::Zero());
  o.assign(bodies, Vector3::Zero());
  k.assign(bodies, Vector3::Zero());
}

void compute_link_frames(const Model& model, const State& state, LinkFrames& frames) {
  SPACEDYN_ASSERT(state.q.size() == model.joint_count());
  SPACEDYN_ASSERT(static_cast<int>(frames.r.size()) == model.body_count());
  frames.A[0] = state.A_0;
  frames.r[0] = state.r_0;
  frames.o[0] = state.r_0 - state.A_0 * model.body(0).center_of_mass;

  for (int link = 1; link <= model.joint_count(); ++link) {
    const Joint& joint = model.joint(link);
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    const double q = state.q(link - 1);

    // (1), transposed: A_i = A_B R_x(α) R_y(β) R_z(γ) R_z(q), the last for a revolute joint only
    // of a spherical joint the first coordinate has the whole rotation, the others none
    const Matrix3 at_zero =
        frames.A[lower] * (joint.spherical == 1
                               ? turned_by(joint, spherical_rotation(state.q, link))
                               : joint.rotation);
    const bool revolute = joint.type == JointType::revolute;
    const bool turns = revolute && joint.spherical == 0;
    frames.A[i] = turns ? turned_about_z(at_zero, q) : at_zero;
    frames.k[i] = at_zero.col(2);

    // r_i = r_B + c_Bi − c_ii (+ k_i q_i if prismatic)
    frames.p[i] = frames.o[lower] + frames.A[lower] * joint.origin;
    frames.o[i] = revolute ? frames.p[i] : Vector3(frames.p[i] + frames.k[i] * q);
    frames.r[i] = frames.o[i] + frames.A[i] * model.body(link).center_of_mass;
  }
}

Vector3 frame_position(const LinkFrames& frames, const Frame& frame) {
  const auto i = static_cast<std::size_t>(frame.body);
  return frames.o[i] + frames.A[i] * frame.position;
}

Matrix3 frame_orientation(const LinkFrames& frames, const Frame& frame) {
  return frames.A[static_cast<std::size_t>(frame.body)] * frame.rotation;
}

}  // namespace spacedyn
