/// @file
/// Robots that move together, and the momentum that nothing takes from them. Private.
#pragma once

#include "integration/equations/equations_of_motion.hpp"
#include "spacedyn/inertia/robot_momentum.hpp"

namespace spacedyn {

/// Robots that loops hold together, directly or through others, as long as no fixed base is among
/// them: each group keeps its momentum whatever the loops do.
class FreeGroups {
 public:
  FreeGroups() = default;
  /// @param all  those that no loop holds as well, each a group
  FreeGroups(const Model& model, const std::vector<Loop>& loops, bool all = false);

  bool empty() const { return groups_.empty(); }
  /// Takes the momenta and centroids of the equations' last update as those to be kept. No
  /// allocation.
  void note(const EquationsOfMotion& equations);
  /// Moves the bases of each group together, so that its momentum is what it was: joint rates and
  /// relative velocities stay. @pre the equations are placed at x
  void restore_momentum(const EquationsOfMotion& equations, VectorX& x) const;
  /// Likewise so that the centroid of each group is where it was.
  void restore_centroid(const EquationsOfMotion& equations, VectorX& x) const;

 private:
  struct Group {
    std::vector<std::size_t> robots;  // in Model::robots()
    RobotSums before;
  };
  static RobotSums sums_of(const EquationsOfMotion& equations, const Group& group);

  std::vector<Group> groups_;
};

}  // namespace spacedyn
