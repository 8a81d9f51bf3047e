/// @file
/// Refusal of rigid contacts and motion constraints where a method knows forces alone. Private.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "forces/motion_in.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/rigid_contact.hpp"

namespace spacedyn {

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first rigid contact or motion constraint, if there is any
inline void require_compliant(const Model& model,
                              const std::vector<std::shared_ptr<const ForceElement>>& forces,
                              const std::string& what) {
  for (const auto& force : forces) {
    const bool is_motion = motion_in(force.get()) != nullptr;
    if (!is_motion && dynamic_cast<const RigidContact*>(force.get()) == nullptr) continue;
    throw DomainError(what + " cannot take model '" + model.name() +
                      "': " + (is_motion ? "motion constraint '" : "rigid contact '") +
                      force->name() + "' is not supported there");
  }
}

}  // namespace spacedyn
