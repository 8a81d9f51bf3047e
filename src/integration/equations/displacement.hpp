/// @file
/// Small displacements of integrated positions. Private.
#pragma once

#include "integration/equations/equations_of_motion.hpp"
#include "math/rotation_vectors.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/configuration.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

/// Adds a small displacement [δr_0; δφ_0; δq], which is overwritten, to the integrated positions.
inline void add_displacement(const EquationsOfMotion& equations, VectorX& displacement,
                             VectorX& x) {
  const StateLayout& layout = equations.layout();
  x.segment<3>(StateLayout::r_0) += displacement.head<3>();
  auto theta = x.segment<3>(StateLayout::theta);
  const Vector3 turn = displacement.segment<3>(3);
  theta += apply_dexp_inverse_so3(Vector3(theta), turn);
  auto change = displacement.tail(layout.joints);
  auto q = x.segment(StateLayout::q, layout.joints);
  joint_position_rate(equations.model(), q, change, change);
  q += change;
}

/// Integrated positions after a displacement [δr_0; φ_0; δq] of any size: φ_0 is a rotation vector
/// in inertial axes, those of spherical joints are in the axes of the carried link.
/// @param displacement  what follows in it is not looked at
/// @param end  out: its positions
inline void displace(const EquationsOfMotion& equations, const VectorX& x,
                     const VectorX& displacement, VectorX& end) {
  const StateLayout& layout = equations.layout();
  const auto q = x.segment(StateLayout::q, layout.joints);
  end.segment(StateLayout::q, layout.joints) = q + displacement.segment(6, layout.joints);
  for (const int first : equations.model().spherical_joints()) {
    end.segment<3>(StateLayout::q + first - 1) =
        turn_spherical(q, first, displacement.segment<3>(6 + first - 1));
  }
  if (!equations.mobility().base_free()) return;
  end.segment<3>(StateLayout::r_0) = x.segment<3>(StateLayout::r_0) + displacement.head<3>();
  const Vector3 theta = x.segment<3>(StateLayout::theta), turn = displacement.segment<3>(3);
  end.segment<3>(StateLayout::theta) = rotated(turn, theta);
}

}  // namespace spacedyn
