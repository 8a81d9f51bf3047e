/// @file
/// Checks that elements share when they meet their model.
#pragma once

#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// What messages about the settings of an element begin with: `'name': `.
std::string owner_prefix(const Element& element);
/// @throws DomainError unless 1 ≤ joint ≤ n.
void check_joint(const Element& element, int joint, const Model& model);
/// @throws DomainError unless 0 ≤ body ≤ n.
void check_body(const Element& element, int body, const Model& model);

}  // namespace spacedyn
