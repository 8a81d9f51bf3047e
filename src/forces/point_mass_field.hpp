/// @file
/// What a point mass does to a rigid body, to second order in its size. Private.
#pragma once

#include <cmath>

#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/hill_field.hpp"

namespace spacedyn {

/// Whether a μ is that of the earth, to the digits that models give.
inline bool is_earth(double mu) { return std::abs(mu - kEarthMu) < 1e-3 * kEarthMu; }

/// Inertia of a body about its centroid, inertial axes.
inline Matrix3 inertia_of(const EvaluationContext& context, int body) {
  const Matrix3& A = context.frames.A[static_cast<std::size_t>(body)];
  return A * context.model.body(body).inertia_L * A.transpose();
}

/// Sum over mass elements ρρᵀ dm of a body with inertia I: ½ tr(I) E − I.
inline Matrix3 second_moment(const Matrix3& inertia) {
  return 0.5 * inertia.trace() * Matrix3::Identity() - inertia;
}

/// Per mass, about a point from which a small ball is at d.
inline Matrix3 inertia_of_ball(const Vector3& d, double specific_inertia) {
  return (d.squaredNorm() + specific_inertia) * Matrix3::Identity() - d * d.transpose();
}

/// MacCullagh's field of a point mass for the inertia I of a body at r from it, inertial axes:
/// V = −μ/(2r³) (tr I − 3 r̂·I r̂), its force −∇V and its torque 3μ/r³ r̂ × I r̂.
struct InertiaInField {
  InertiaInField(double mu, const Vector3& r, const Matrix3& inertia) {
    const double distance = r.norm();
    const Vector3 e = r / distance;
    const Vector3 Ie = inertia * e;
    const double along = e.dot(Ie), trace = inertia.trace();
    const double scale = mu / (distance * distance * distance);
    energy = -0.5 * scale * (trace - 3.0 * along);
    force = -1.5 * scale / distance * ((trace - 5.0 * along) * e + 2.0 * Ie);
    torque = 3.0 * scale * e.cross(Ie);
  }
  double energy;
  Vector3 force, torque;
};

}  // namespace spacedyn
