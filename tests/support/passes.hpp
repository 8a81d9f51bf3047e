/// @file
/// How often random cases are tried.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace spacedyn::testing {

/// SPACEDYN_PASSES makes them that many times as many.
inline int passes(int few) {
  const char* factor = std::getenv("SPACEDYN_PASSES");
  return factor == nullptr ? few : few * std::max(1, std::atoi(factor));
}

}  // namespace spacedyn::testing
