/// @file
/// Numbers in messages.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace spacedyn {

/// Six significant digits, as printf's %g.
inline std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

}  // namespace spacedyn
