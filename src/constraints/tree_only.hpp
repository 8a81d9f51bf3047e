/// @file
/// Refusal of loops where a method knows trees alone. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// `loop 'x'`, or the joint that follows another.
inline std::string loop_text(const Model& model, const Loop& loop) {
  if (!loop.is_mimic) return "loop '" + loop.name + "'";
  return "joint '" + loop.name + "', which follows '" + model.joint(loop.joints.front()).name +
         "',";
}

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first loop, if there is any
inline void require_tree(const Model& model, const std::vector<Loop>& loops,
                         const std::string& what) {
  if (loops.empty()) return;
  throw DomainError(what + " cannot take model '" + model.name() +
                    "': " + loop_text(model, loops.front()) + " is not supported there");
}
/// With the loops of the model itself.
inline void require_tree(const Model& model, const std::string& what) {
  require_tree(model, model.loops(), what);
}

}  // namespace spacedyn
