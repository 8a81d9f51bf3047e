/// @file
/// The constants of a Model in the form that the batch kernels read.
#pragma once

#include <vector>

#include "batch/kernels/robot.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::batch {

/// Links depth first, frames placed as Link describes. Immutable; threads may share it.
class RobotConstants {
 public:
  explicit RobotConstants(const Model& model);

  Robot robot() const {
    return {static_cast<int>(links_.size()) - 1, branches_, fixed_base_, links_.data()};
  }
  /// Rows of workspace that a block of lanes needs.
  int work_rows() const {
    return static_cast<int>(links_.size()) * WorkRows::count + branches_ * BranchRows::count;
  }

 private:
  std::vector<Link> links_;
  int branches_ = 0;
  bool fixed_base_;
};

}  // namespace spacedyn::batch
