/// @file
/// Refusal of loops where a method knows trees alone. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first loop, if there is any
inline void require_tree(const Model& model, const std::vector<Loop>& loops,
                         const std::string& what) {
  if (loops.empty()) return;
  throw DomainError(what + " cannot take model '" + model.name() + "': loop '" +
                    loops.front().name + "' is not supported there");
}
/// With the loops of the model itself.
inline void require_tree(const Model& model, const std::string& what) {
  require_tree(model, model.loops(), what);
}

}  // namespace spacedyn
