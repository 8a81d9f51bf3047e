/// @file
/// Pieces of YAML as text, such that every YAML version reads them alike.
#pragma once

#include <string>
#include <string_view>

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

/// `{key: value, key: value}`, built up key by key.
class FlowMapping {
 public:
  FlowMapping& add(std::string_view key, const std::string& value);
  std::string text() const { return '{' + entries_ + '}'; }
  bool empty() const { return entries_.empty(); }

 private:
  std::string entries_;
};

}  // namespace spacedyn::loading
