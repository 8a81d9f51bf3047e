/// @file
/// Numbers and names in messages.
#pragma once

#include <string>

#include <fmt/format.h>

#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// Six significant digits, in every locale with a decimal point.
inline std::string short_number(double value) { return fmt::format("{:.6g}", value); }

/// A robot with a prefix before each of its names.
ModelDescription prefixed(ModelDescription description, const std::string& prefix);

/// Adds copies of elements to those there are.
template <typename List>
void append(const List& elements, List& list) {
  list.insert(list.end(), elements.begin(), elements.end());
}

/// Adds all that a robot has but its base.
inline void append_parts(const ModelDescription& part, ModelDescription& whole) {
  append(part.links, whole.links);
  append(part.frames, whole.frames);
  append(part.couplings, whole.couplings);
  append(part.transmissions, whole.transmissions);
  append(part.loops, whole.loops);
}

}  // namespace spacedyn
