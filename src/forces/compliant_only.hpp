/// @file
/// What linear models ask of forces: springs of spherical joints, and refusal of rigid contacts and
/// motion constraints. Private.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

namespace compliant_only {

/// @throws DomainError naming the first element that declares what is not supported
template <typename Declared>
void refuse(const Model& model, const std::vector<std::shared_ptr<const ForceElement>>& forces,
            const std::string& what, const Declared& declared) {
  for (const auto& force : forces) {
    const std::string kind = declared(declarations_of(*force));
    if (kind.empty()) continue;
    throw DomainError(what + " cannot take model '" + model.name() + "': " + kind + " '" +
                      force->name() + "' is not supported there");
  }
}

}  // namespace compliant_only

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first rigid contact, if there is any
inline void require_no_rigid_contact(const Model& model,
                                     const std::vector<std::shared_ptr<const ForceElement>>& forces,
                                     const std::string& what) {
  compliant_only::refuse(model, forces, what, [](const Declarations& declared) {
    return declared.rigid != nullptr ? "rigid contact" : "";
  });
}

/// @throws DomainError naming the first rigid contact or motion constraint, if there is any
inline void require_compliant(const Model& model,
                              const std::vector<std::shared_ptr<const ForceElement>>& forces,
                              const std::string& what) {
  compliant_only::refuse(model, forces, what, [](const Declarations& declared) {
    if (declared.motion != nullptr) return "motion constraint";
    return declared.rigid != nullptr ? "rigid contact" : "";
  });
}

/// Whether a coordinate of the joint that begins with @p first has a spring.
inline bool has_spring(const Model& model, int first) {
  return model.joint(first).stiffness != 0.0 || model.joint(first + 1).stiffness != 0.0 ||
         model.joint(first + 2).stiffness != 0.0;
}

/// τ = −dexp⁻¹(−θ)ᵀ K (θ − θ_rest), in the axes of the carried link, for θ̇ = dexp⁻¹(−θ) ω.
inline Vector3 spring_torque(const Model& model, const Vector3& theta, int first) {
  Vector3 pull;
  for (int k = 0; k < 3; ++k) {
    const Joint& joint = model.joint(first + k);
    pull(k) = joint.stiffness * (theta(k) - joint.rest_position);
  }
  return -dexp_inverse_so3(-theta).transpose() * pull;
}

/// −∂τ/∂turn, the turn of the carried link in its own axes: by differences of order 4 over a
/// milliradian, good to 12 digits.
inline Matrix3 spring_stiffness(const Model& model, const Vector3& theta, int first) {
  constexpr double kReach = 1e-3;
  Matrix3 stiffness;
  for (int k = 0; k < 3; ++k) {
    const auto torque_at = [&](double t) {
      return spring_torque(model, rotated(theta, Vector3(t * Vector3::Unit(k))), first);
    };
    const Vector3 near = torque_at(kReach) - torque_at(-kReach);
    const Vector3 far = torque_at(2.0 * kReach) - torque_at(-2.0 * kReach);
    stiffness.col(k) = -(8.0 * near - far) / (12.0 * kReach);
  }
  return stiffness;
}

}  // namespace spacedyn
