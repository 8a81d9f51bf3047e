/// @file
/// A sum that shows damage to bytes. Private.
#pragma once

#include <cstdint>
#include <string_view>

namespace spacedyn {

/// FNV-1a over 64 bits.
/// @param sum  of the bytes before these
inline std::uint64_t checksum(std::string_view bytes, std::uint64_t sum = 14695981039346656037ULL) {
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return sum;
}

}  // namespace spacedyn
