/// @file
/// Refusal of loops where a method knows trees alone. Private.
#pragma once

#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first loop of the model, if it has any
inline void require_tree(const Model& model, const std::string& what) {
  if (model.loops().empty()) return;
  throw DomainError(what + " cannot take model '" + model.name() + "': loop '" +
                    model.loops().front().name + "' is not supported there");
}

}  // namespace spacedyn
