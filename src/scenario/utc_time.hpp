/// @file
/// The date of a run. Private.
#pragma once

#include <array>
#include <ctime>
#include <string>

namespace spacedyn {

/// ISO 8601, UTC.
inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace spacedyn
