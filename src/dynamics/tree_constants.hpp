/// @file
/// The constant block of a Model that kernels read.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/kernels/tree.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Constants of all bodies, contiguous and aligned; immutable, so that threads may share it.
class TreeConstants {
 public:
  explicit TreeConstants(const Model& model);

  Tree tree() const;
  /// Entry of each body of the Model, the inverse of Tree::body.
  const std::vector<int>& entry() const { return entry_; }

 private:
  template <typename Block>
  using Aligned = std::unique_ptr<Block[], void (*)(Block*)>;
  void plan_visits(const Topology& topology);
  void bound_inertias();

  std::vector<int> body_, entry_, lower_, run_;
  std::vector<Visit> visits_;
  Aligned<LinkConstants> links_;
  Aligned<LinkBlock> blocks_;
  int block_count_;
  double inverse_base_bound_[2];
};

}  // namespace spacedyn
