/// @file
/// Indices of containers. Private.
#pragma once

#include <cstddef>

namespace spacedyn {

/// Bodies, joints and loops are counted by int.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace spacedyn
