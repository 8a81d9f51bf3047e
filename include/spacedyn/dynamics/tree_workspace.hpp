/// @file
/// Memory of the O(n) algorithms.
#pragma once

#include <memory>

#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Constants of one model, packed for the O(n) algorithms, and their memory; owned by the caller,
/// sized once, about 1 KiB per link. It keeps nothing of the Model itself, which may go away.
///
/// An evaluation writes here, so each thread needs a workspace of its own.
class SPACEDYN_EXPORT TreeWorkspace {
 public:
  /// All joints free, the base free unless the model says it is fixed.
  explicit TreeWorkspace(const Model& model) : TreeWorkspace(model, Mobility(model)) {}
  TreeWorkspace(const Model& model, const Mobility& mobility);
  ~TreeWorkspace();
  TreeWorkspace(TreeWorkspace&&) noexcept;
  TreeWorkspace& operator=(TreeWorkspace&&) noexcept;

  const Mobility& mobility() const;
  /// The kernels in use, chosen when this was constructed.
  InstructionSet instruction_set() const;

  struct Memory;  ///< private to the library
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

}  // namespace spacedyn
