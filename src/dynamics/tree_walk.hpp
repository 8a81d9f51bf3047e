/// @file
/// A model's tree in depth-first order, the order in which subtrees are contiguous.
#pragma once

#include <vector>

#include "spacedyn/math/spatial/symmetric_matrix.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// The constants of one body that recursions read, gathered; position 0 of a walk is the base.
struct WalkBody {
  int link = 0;    ///< index in the model, 0…n
  int parent = 0;  ///< position of the lower link in the walk
  int end = 0;     ///< one past the last position of its subtree
  int children = 0;
  int fork = 0;  ///< number of bodies with several children below it, the base not counted
  bool revolute = true;
  double armature = 0.0;
  double mass = 0.0;
  Vector3 center_of_mass = Vector3::Zero();
  SymmetricMatrix inertia_L;
  Vector3 origin = Vector3::Zero();        ///< of the joint, in the parent's link frame
  Matrix3 rotation = Matrix3::Identity();  ///< link frame at q = 0 in the parent's link frame
};

/// Positions [begin, end) of a walk.
struct WalkRange {
  int begin = 0, end = 0;
  int size() const { return end - begin; }
};

/// Every body after the one that carries it, and each subtree a range of positions.
struct TreeWalk {
  explicit TreeWalk(const Model& model);

  int joint_count() const { return static_cast<int>(bodies.size()) - 1; }
  const WalkBody& operator[](int position) const {
    return bodies[static_cast<std::size_t>(position)];
  }

  std::vector<WalkBody> bodies;
  std::vector<WalkRange> branches;  ///< the subtrees that the base carries, in order
  int deepest_fork = 0;             ///< largest WalkBody::fork
};

}  // namespace spacedyn
