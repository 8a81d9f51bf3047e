/// @file
/// What writer and reader of results of sweeps agree on. Private.
#pragma once

#include <cstddef>

namespace spacedyn {

inline constexpr const char* kSweepFormat = "spacedyn-sweep/1";
/// Bytes of a message, its end included.
inline constexpr std::size_t kMessageSize = 512;

}  // namespace spacedyn
