/// @file
/// Refusal of rigid contacts and motion constraints where a method knows forces alone. Private.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first rigid contact or motion constraint, if there is any
inline void require_compliant(const Model& model,
                              const std::vector<std::shared_ptr<const ForceElement>>& forces,
                              const std::string& what) {
  for (const auto& force : forces) {
    const Declarations declared = declarations_of(*force);
    const bool is_motion = declared.motion != nullptr;
    if (!is_motion && declared.rigid == nullptr) continue;
    throw DomainError(what + " cannot take model '" + model.name() +
                      "': " + (is_motion ? "motion constraint '" : "rigid contact '") +
                      force->name() + "' is not supported there");
  }
}

}  // namespace spacedyn
