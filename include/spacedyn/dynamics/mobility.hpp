/// @file
/// Which coordinates are moved by forces and which by prescription.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Which generalized coordinates move freely and which have prescribed accelerations.
class SPACEDYN_EXPORT Mobility {
 public:
  /// The model's own: all joints free, the base free unless the model says it is fixed.
  explicit Mobility(const Model& model);
  /// @param base_free    whether the six base coordinates are free
  /// @param joint_free   one flag per joint
  Mobility(bool base_free, const std::vector<bool>& joint_free);

  bool base_free() const { return base_free_; }
  bool joint_free(int joint) const { return joint_free_[static_cast<std::size_t>(joint - 1)]; }
  /// Rows 0…5+n of the free and of the prescribed coordinates, ascending.
  const std::vector<int>& free() const { return free_; }
  const std::vector<int>& prescribed() const { return prescribed_; }

 private:
  bool base_free_;
  std::vector<bool> joint_free_;
  std::vector<int> free_;
  std::vector<int> prescribed_;
};

}  // namespace spacedyn
