/// @file
/// Number of threads that options ask for. Private.
#pragma once

#include <algorithm>
#include <string>
#include <thread>

#include "spacedyn/error.hpp"

namespace spacedyn {

/// @param wanted  0: one for each core
/// @throws DomainError if it is negative
inline int thread_count(int wanted) {
  if (wanted < 0) throw DomainError("threads must not be negative, got " + std::to_string(wanted));
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace spacedyn
