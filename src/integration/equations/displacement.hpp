/// @file
/// Small displacements of integrated positions. Private.
#pragma once

#include "integration/equations/equations_of_motion.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/configuration.hpp"

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

}  // namespace spacedyn
