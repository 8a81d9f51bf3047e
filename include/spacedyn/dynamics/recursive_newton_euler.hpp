/// @file
/// Inverse dynamics in body coordinates on the spatial layer, the recursion of [Carius] (30)–(38).
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/spatial/plucker_transform.hpp"
#include "spacedyn/math/spatial/rigid_inertia.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Spatial quantities of all bodies, each in its own link frame; index 0 is the base.
struct SPACEDYN_EXPORT SpatialMotion {
  std::vector<Matrix3> A;           ///< ᴵA_i, link to inertial components
  std::vector<PluckerTransform> X;  ///< ⁱX_λ(i) from the frame of the lower link; X_0 from inertial
  std::vector<MotionVector> S;      ///< joint axis; S_0 unused
  std::vector<MotionVector> v;      ///< velocity
  std::vector<MotionVector> a;      ///< spatial acceleration, that of gravity subtracted (31)
  std::vector<ForceVector> f;       ///< force transmitted by the joint (37); f_0 on the base

  SpatialMotion() = default;
  explicit SpatialMotion(const Model& model);
};

/// I_i about the origin of link frame i, in its axes; constant.
SPACEDYN_EXPORT std::vector<RigidInertia> link_inertias(const Model& model);

/// [F_0; N_0; τ] needed for the accelerations u̇, with the wrenches and gravity of @p loads; its F_b
/// and τ are not read. O(n), allocates nothing. A second method beside inverse_dynamics(), which
/// see. Differs from [Carius]: with z up, a_g = −g e_z in (31); (36) needs ×*, not ×; the base
/// carries its six rows itself instead of a six-degree joint.
/// @param inertias  of link_inertias()
/// @param forces    out: size 6 + n
SPACEDYN_EXPORT void recursive_newton_euler(const Model& model,
                                            const std::vector<RigidInertia>& inertias,
                                            const State& state, ConstVectorRef acceleration,
                                            const Loads& loads, SpatialMotion& motion,
                                            VectorRef forces);

}  // namespace spacedyn
