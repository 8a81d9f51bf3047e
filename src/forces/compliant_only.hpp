/// @file
/// Refusal of rigid contacts and motion constraints where a method knows forces alone. Private.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

namespace compliant_only {

/// @throws DomainError naming the first element that declares what is not supported
template <typename Declared>
void refuse(const Model& model, const std::vector<std::shared_ptr<const ForceElement>>& forces,
            const std::string& what, const Declared& declared) {
  for (const auto& force : forces) {
    const std::string kind = declared(declarations_of(*force));
    if (kind.empty()) continue;
    throw DomainError(what + " cannot take model '" + model.name() + "': " + kind + " '" +
                      force->name() + "' is not supported there");
  }
}

}  // namespace compliant_only

/// @param what  the method, for instance `linearization`
/// @throws DomainError naming the first rigid contact, if there is any
inline void require_no_rigid_contact(const Model& model,
                                     const std::vector<std::shared_ptr<const ForceElement>>& forces,
                                     const std::string& what) {
  compliant_only::refuse(model, forces, what, [](const Declarations& declared) {
    return declared.rigid != nullptr ? "rigid contact" : "";
  });
}

/// @throws DomainError naming the first rigid contact or motion constraint, if there is any
inline void require_compliant(const Model& model,
                              const std::vector<std::shared_ptr<const ForceElement>>& forces,
                              const std::string& what) {
  compliant_only::refuse(model, forces, what, [](const Declarations& declared) {
    if (declared.motion != nullptr) return "motion constraint";
    return declared.rigid != nullptr ? "rigid contact" : "";
  });
}

}  // namespace spacedyn
