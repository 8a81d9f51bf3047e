/// @file
/// The constant block of a Model that kernels read.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/kernels/tree.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Constants of all bodies, contiguous and aligned. Rotations of spherical joints are kept here as
/// those of their first coordinates, so that each workspace has constants of its own.
class TreeConstants {
 public:
  explicit TreeConstants(const Model& model);

  Tree tree() const;
  /// Entry of each body of the Model, the inverse of Tree::body.
  const std::vector<int>& entry() const { return entry_; }
  /// Sets the fixed rotation of the joint of an entry, the link frame at q = 0 in the axes of the
  /// lower link.
  void set_rotation(int entry, const Matrix3& C);
  /// Sets mass, centroid and inertia of an entry; then update_carried_masses().
  void set_body(int entry, const Body& body);
  void update_carried_masses();

 private:
  template <typename Block>
  using Aligned = std::unique_ptr<Block[], void (*)(Block*)>;
  void plan_visits();
  void find_openings(const Topology& topology);
  void sum_carried_masses();
  void bound_inertias();

  std::vector<int> body_, entry_, lower_, run_, spherical_, origin_, opens_;
  std::vector<Opening> openings_;
  std::vector<Visit> visits_;
  Aligned<LinkConstants> links_;
  Aligned<LinkBlock> blocks_;
  int block_count_;
  double inverse_base_bound_[2];
};

}  // namespace spacedyn
