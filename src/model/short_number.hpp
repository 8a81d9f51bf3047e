/// @file
/// Numbers in messages.
#pragma once

#include <string>

#include <fmt/format.h>

namespace spacedyn {

/// Six significant digits, in every locale with a decimal point.
inline std::string short_number(double value) { return fmt::format("{:.6g}", value); }

}  // namespace spacedyn
