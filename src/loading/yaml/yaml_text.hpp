/// @file
/// Pieces of YAML as text, such that every YAML version reads them alike.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn::loading {

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
