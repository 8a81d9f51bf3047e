/// @file
/// What residuals of loops and motions of joints are relative to, and refusal of loops where a
/// method knows trees alone. Private.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "constraints/coupling_row.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// 1 rad, or of a slide the length of the mechanism.
inline double joint_size(const Model& model, int joint, double length) {
  return model.joint(joint).type == JointType::prismatic ? length : 1.0;
}

inline VectorX joint_sizes(const Model& model, double length) {
  VectorX sizes(model.joint_count());
  for (int i = 1; i <= model.joint_count(); ++i) sizes(i - 1) = joint_size(model, i, length);
  return sizes;
}

/// The largest of joint coordinates or of their rates, as parts of their sizes.
inline double largest_part(const Model& model, ConstVectorRef joints, double length) {
  double largest = 0.0;
  for (int i = 1; i <= static_cast<int>(joints.size()); ++i) {
    largest = std::max(largest, std::abs(joints(i - 1)) / joint_size(model, i, length));
  }
  return largest;
}

/// What φ of each row is relative to: an angle to 1 rad, a distance to the length, a coupling to
/// what a joint that moves by its size makes of it at most.
inline void row_sizes(const LoopEquations& equations, const State& state, double length,
                      VectorRef sizes) {
  for (int row = 0; row < equations.rows(); ++row) {
    const Loop& loop = equations.loops()[static_cast<std::size_t>(equations.loop_of(row))];
    sizes(row) = equations.is_angle(row) ? 1.0 : length;
    if (loop_traits(loop.type).joins_points) continue;
    double most = 0.0;
    for_each_coefficient(loop, state.q, [&](std::size_t i, double c) {
      most = std::max(most, std::abs(c) * joint_size(equations.model(), loop.joints[i], length));
    });
    sizes(row) = most > 0.0 ? most : 1.0;
  }
}

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first loop, if there is any but those of joints that follow
/// others
inline void require_tree(const Model& model, const std::string& what) {
  for (const Loop& loop : model.loops()) {
    if (loop.is_mimic) continue;
    throw DomainError(what + " cannot take model '" + model.name() + "': loop '" + loop.name +
                      "' is not supported there");
  }
}

}  // namespace spacedyn
