/// @file
/// Numbers as text: the decimal grammar of YAML 1.2 and shortest texts that read back exactly.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spacedyn::loading {

/// Whether a text is a decimal number, `.inf` or `.nan`, in the grammar of YAML 1.2.
bool is_number(std::string_view text);

/// Length of the decimal number that a text begins with, 0 if it begins with none.
std::size_t number_length(std::string_view text);

/// Whether YAML readers disagree on a text: leading zeros, 0o, 0x and 0b, digits apart by `_` or
/// `:`.
bool looks_octal(std::string_view text);

/// Value of a text for which is_number() holds; nothing if a double cannot hold it.
std::optional<double> parse_number(std::string_view text);

/// Shortest text that reads back to the same bits, in every YAML version: `1.0e-09`, `.inf`.
std::string format_number(double number);

}  // namespace spacedyn::loading
