#include "spacedyn/state/state.hpp"

#include <string>

#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/loads.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

constexpr double kAttitudeTolerance = 1e-6;

void check_size(const VectorX& vector, int expected, const char* name) {
  if (vector.size() == expected) return;
  throw DimensionError(std::string(name) + " has " + std::to_string(vector.size()) +
                       " elements, expected " + std::to_string(expected) + ", one per joint");
}

void check_finite(bool finite, const char* name) {
  if (!finite) throw DomainError(std::string(name) + " is not finite");
}

void require_finite(bool finite, const char* name) {
  if (!finite) throw DomainError(std::string(name) + " of the loads is not finite");
}

}  // namespace

State::State(const Model& model)
    : q(VectorX::Zero(model.joint_count())), qd(VectorX::Zero(model.joint_count())) {
  // the base of several robots is the inertial frame, with the mass of what is fixed to it
  const bool is_at_frame =
      !model.robots().empty() || base_point(model.description()) == BasePoint::frame;
  if (is_at_frame) r_0 = model.body(0).center_of_mass;
  follow(model, *this);
}

VectorX State::velocity() const {
  VectorX u(6 + qd.size());
  u << v_0, omega_0, qd;
  return u;
}

void State::check(const Model& model) const {
  check_size(q, model.joint_count(), "q");
  check_size(qd, model.joint_count(), "qd");
  check_finite(r_0.allFinite(), "r_0");
  check_finite(A_0.allFinite(), "A_0");
  check_finite(q.allFinite(), "q");
  check_finite(v_0.allFinite(), "v_0");
  check_finite(omega_0.allFinite(), "omega_0");
  check_finite(qd.allFinite(), "qd");
  check_finite(z.allFinite(), "z");
  if (orthogonality_error(A_0) > kAttitudeTolerance || A_0.determinant() < 0.0) {
    throw DomainError("A_0 is not a rotation: expected orthonormal to 1e-6, determinant +1");
  }
}

void displace_joints(const Model& model, ConstVectorRef displacement, VectorRef q) {
  SPACEDYN_ASSERT(q.size() == model.joint_count() && displacement.size() == q.size());
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.joint(i).spherical == 0) q(i - 1) += displacement(i - 1);
  }
  for (const int first : model.spherical_joints()) {
    const Vector3 turn = displacement.segment<3>(first - 1);
    if (turn.isZero(0.0)) continue;
    q.segment<3>(first - 1) = turn_spherical(q, first, turn);
  }
}

VectorX joint_difference(const Model& model, ConstVectorRef from, ConstVectorRef to) {
  SPACEDYN_ASSERT(from.size() == model.joint_count() && to.size() == from.size());
  VectorX displacement = to - from;
  for (const int first : model.spherical_joints()) {
    displacement.segment<3>(first - 1) =
        log_so3(spherical_rotation(from, first).transpose() * spherical_rotation(to, first));
  }
  return displacement;
}

void joint_position_rate(const Model& model, ConstVectorRef q, ConstVectorRef qd, VectorRef rate) {
  SPACEDYN_ASSERT(q.size() == model.joint_count() && rate.size() == q.size());
  if (rate.data() != qd.data()) rate = qd;
  for (const int first : model.spherical_joints()) {
    rate.segment<3>(first - 1) =
        apply_dexp_inverse_so3(-q.segment<3>(first - 1), Vector3(qd.segment<3>(first - 1)));
  }
}

Loads::Loads(const Model& model)
    : tau(VectorX::Zero(model.joint_count())),
      force(Matrix3X::Zero(3, model.body_count())),
      moment(Matrix3X::Zero(3, model.body_count())) {}

void Loads::check(const Model& model) const {
  const int joints = model.joint_count();
  const int bodies = model.body_count();
  if (tau.size() != joints || force.cols() != bodies || moment.cols() != bodies) {
    throw DimensionError("loads are sized for " + std::to_string(tau.size()) + " joints and " +
                         std::to_string(force.cols()) + " bodies, expected " +
                         std::to_string(joints) + " and " + std::to_string(bodies));
  }
  require_finite(gravity.allFinite(), "gravity");
  require_finite(F_b.allFinite(), "F_b");
  require_finite(tau.allFinite(), "tau");
  require_finite(force.allFinite(), "force");
  require_finite(moment.allFinite(), "moment");
}

void Loads::clear() {
  F_b.setZero();
  tau.setZero();
  force.setZero();
  moment.setZero();
}

}  // namespace spacedyn
