/// @file
/// Values as text: the decimal grammar of YAML 1.2, numbers that read back exactly, keys and lists.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spacedyn/math/types.hpp"

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

/// A text in double quotes, escaped; on one line.
std::string quoted_text(std::string_view text);
/// A name, in quotes only where a reader could take it for something else.
std::string name_text(std::string_view name);
/// `[1.0, 2.0, 3.0]`
std::string vector_text(const Vector3& vector);
/// `[[1.0, 0.0, 0.0], …]`, row by row.
std::string matrix_text(const Matrix3& matrix);

/// Keys and the text of each. A text of several lines begins with the end of that of the key.
using KeyTexts = std::vector<std::pair<std::string, std::string>>;

/// `{key: value, key: value}`
std::string flow_text(const KeyTexts& keys);
/// `[item, item]`
std::string flow_text(const std::vector<std::string>& items);
/// A line for each key, and one for each item of a list.
std::string block_text(const KeyTexts& keys);
std::string block_text(const std::vector<std::string>& items);

}  // namespace spacedyn::loading
