/// @file
/// What moves together, and the momentum that nothing takes from it. Private.
#pragma once

#include "integration/equations/equations_of_motion.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {

/// Robots that loops hold together, directly or through others, as long as no fixed base is among
/// them, or the whole system where its base is free: each keeps its momentum whatever loops and
/// contacts do.
class FreeGroups {
 public:
  FreeGroups() = default;
  /// @param all  those that no loop holds as well, each a group
  FreeGroups(const Model& model, const std::vector<Loop>& loops, bool all = false);

  /// Takes the momenta and centroids of the equations' last update as those to be kept. No
  /// allocation.
  void note(const EquationsOfMotion& equations);
  /// Moves the bases of each group together, so that its momentum is what it was: joint rates and
  /// relative velocities stay. The equations are placed at x before and after.
  /// @returns false if the state is not usable
  bool restore_momentum(EquationsOfMotion& equations, VectorX& x, double time) const;
  /// Likewise so that the centroid of each group is where it was.
  bool restore_centroid(EquationsOfMotion& equations, VectorX& x, double time) const;

 private:
  struct Group {
    std::vector<std::size_t> robots;  // in Model::robots()
    RobotSums before;
  };
  static RobotSums sums_of(const EquationsOfMotion& equations, const Group& group);

  std::vector<Group> groups_;
  RobotSums whole_;  // of a system whose base is free; otherwise without mass
};

}  // namespace spacedyn
