/// @file
/// Memory that controllers, which are const, have in each thread. Private.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace spacedyn {

/// A number for a controller, never used again.
inline long next_controller_id() {
  static std::atomic<long> next{0};
  return next++;
}

/// The memory of a controller in this thread, made at its first use and again where it is not
/// current any more; a thread keeps that of a few controllers of each type.
/// @param id  of the controller; a Memory has it as `id`
/// @param is_current  of a Memory
/// @param make  gives a std::unique_ptr<Memory>
template <typename Memory, typename IsCurrent, typename Make>
Memory& thread_memory(long id, const IsCurrent& is_current, const Make& make) {
  constexpr std::size_t kMost = 16;
  thread_local std::vector<std::unique_ptr<Memory>> all;
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each->id == id; });
  if (known != all.end()) {
    if (is_current(**known)) return **known;
    all.erase(known);
  }
  if (all.size() >= kMost) all.erase(all.begin());
  return *all.emplace_back(make());
}

/// The same of what is always current, made of arguments.
template <typename Memory, typename... Arguments>
Memory& thread_memory_of(long id, const Arguments&... arguments) {
  return thread_memory<Memory>(
      id, [](const Memory&) { return true; },
      [&] { return std::make_unique<Memory>(arguments...); });
}

}  // namespace spacedyn
