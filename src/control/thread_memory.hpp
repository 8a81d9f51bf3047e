/// @file
/// Memory that controllers, which are const, have in each thread. Private.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace spacedyn {

/// The memory of a controller in this thread, made of arguments at its first use; a thread keeps
/// that of a few controllers of each type.
/// @param id  of the controller, never used again; a Memory has it as `id`
template <typename Memory, typename... Arguments>
Memory& thread_memory(long id, Arguments&&... arguments) {
  constexpr std::size_t kMost = 16;
  thread_local std::vector<std::unique_ptr<Memory>> all;
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each->id == id; });
  if (known != all.end()) return **known;
  if (all.size() >= kMost) all.erase(all.begin());
  return *all.emplace_back(std::make_unique<Memory>(std::forward<Arguments>(arguments)...));
}

}  // namespace spacedyn
