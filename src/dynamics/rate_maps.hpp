/// @file
/// How the wrench of a body depends on a turn of it, by a few numbers that add up over bodies.
#pragma once

#include "spacedyn/math/spatial/cross.hpp"
#include "spacedyn/math/spatial/rigid_inertia.hpp"

namespace spacedyn {

/// D of a moving body about the origin: D S = v ×* I S − I (v × S) + S ×* I v for any motion S.
///
/// It is zero for a pure translation S, because dynamics is the same in all uniformly moving
/// frames; so it takes the angular part alone. As a matrix it is [İ_O − L̃; −2 P̃], with İ_O
/// symmetric.
struct GyroscopicMap {
  SymmetricMatrix inertia_rate;  ///< İ_O = ω̃ I_O − I_O ω̃ − ṽ h̃ − h̃ ṽ
  Vector3 L = Vector3::Zero();   ///< angular momentum about the origin
  Vector3 P = Vector3::Zero();   ///< linear momentum

  GyroscopicMap() = default;
  GyroscopicMap(const RigidInertia& I, const MotionVector& v, const ForceVector& momentum)
      : L(momentum.angular), P(momentum.linear) {
    // ω̃ I is −(I ω̃)ᵀ, so that ω̃ I − I ω̃ is twice its symmetric part
    using elementwise::cross;
    const SymmetricMatrix& J = I.rotational;
    const Vector3& w = v.angular;
    const Vector3 x = cross(w, Vector3(J.xx, J.xy, J.xz));
    const Vector3 y = cross(w, Vector3(J.xy, J.yy, J.yz));
    const Vector3 z = cross(w, Vector3(J.xz, J.yz, J.zz));
    inertia_rate = {2.0 * x[0], x[1] + y[0], x[2] + z[0], 2.0 * y[1], y[2] + z[1], 2.0 * z[2]};
    inertia_rate -= SymmetricMatrix::sum_of_tildes(v.linear, I.first_moment);
  }

  GyroscopicMap& operator+=(const GyroscopicMap& other) {
    inertia_rate += other.inertia_rate;
    L = elementwise::sum(L, other.L);
    P = elementwise::sum(P, other.P);
    return *this;
  }

  /// D S for S with angular part @p turn.
  ForceVector operator*(const Vector3& turn) const {
    using elementwise::cross, elementwise::scaled, elementwise::sum;
    return {sum(inertia_rate * turn, cross(turn, L)), scaled(cross(turn, P), 2.0)};
  }
  /// Dᵀ S: what every turn is to be multiplied by.
  Vector3 transpose_times(const MotionVector& S) const {
    using elementwise::cross, elementwise::scaled, elementwise::sum;
    return sum(sum(inertia_rate * S.angular, cross(L, S.angular)), scaled(cross(P, S.linear), 2.0));
  }
};

/// What wrenches that keep their inertial direction lack when their body turns by α: seen from the
/// turned body they have turned by −α, [α × n + c × (α × f); α × f].
struct HeldWrenchMap {
  Matrix3 moment = Matrix3::Zero();  ///< −ñ − c̃ f̃
  Vector3 force = Vector3::Zero();   ///< f

  HeldWrenchMap() = default;
  /// @param c  point of application, from the origin
  HeldWrenchMap(const Vector3& f, const Vector3& n, const Vector3& c) : force(f) {
    moment = -f * c.transpose() - tilde(n);
    moment.diagonal().array() += c.dot(f);
  }

  HeldWrenchMap& operator+=(const HeldWrenchMap& other) {
    moment += other.moment;
    force += other.force;
    return *this;
  }
  ForceVector operator*(const Vector3& turn) const { return {moment * turn, turn.cross(force)}; }
  Vector3 transpose_times(const MotionVector& S) const {
    return moment.transpose() * S.angular + force.cross(S.linear);
  }
};

}  // namespace spacedyn
