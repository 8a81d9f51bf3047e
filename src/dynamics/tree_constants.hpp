/// @file
/// The constant block of a Model that kernels read.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/kernels/tree.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// In which order kernels visit bodies; both put a body after the one that carries it.
enum class VisitOrder {
  depth_first,  ///< a body directly after its lower one wherever it is the first child
  by_level      ///< all bodies at one distance from the base together: neighbours are independent
};

/// Constants of all bodies, contiguous and aligned; immutable, so that threads may share it.
class TreeConstants {
 public:
  TreeConstants(const Model& model, VisitOrder order);

  Tree tree() const {
    return {static_cast<int>(body_.size()), lower_.data(), body_.data(), collects_.data(),
            links_.get()};
  }
  /// Entry of each body of the Model, the inverse of Tree::body.
  const std::vector<int>& entry() const { return entry_; }

 private:
  struct AlignedDelete {
    void operator()(LinkConstants* links) const;
  };
  std::vector<int> body_, entry_, lower_, collects_;
  std::unique_ptr<LinkConstants[], AlignedDelete> links_;
};

}  // namespace spacedyn
