#include "spacedyn/state/state.hpp"

#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/base_point.hpp"

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

}  // namespace

State::State(const Model& model)
    : q(VectorX::Zero(model.joint_count())), qd(VectorX::Zero(model.joint_count())) {
  // the base of several robots is the inertial frame, with the mass of what is fixed to it
  const bool is_at_frame =
      !model.robots().empty() || base_point(model.description()) == BasePoint::frame;
  if (is_at_frame) r_0 = model.body(0).center_of_mass;
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

}  // namespace spacedyn
