/// @file
/// Membership in a short list.
#pragma once

#include <algorithm>
#include <vector>

namespace spacedyn {

template <typename T>
bool is_among(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace spacedyn
