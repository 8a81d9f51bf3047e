/// @file
/// Displacing states, and putting them back onto the momentum and the centroid they must have.
#pragma once

#include "integration/equations/archive.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/equations/rigid_points.hpp"
#include "integration/equations/run_memory.hpp"
#include "math/rotation_vectors.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/configuration.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

/// Takes momentum, L about the system centroid, away from a state by its base twist alone.
/// @pre the equations are placed at x
void remove_momentum(const EquationsOfMotion& equations, const Vector3& linear,
                     const Vector3& angular, VectorX& x);

/// Corrects the base twist so that P and L about the system centroid become what the start and the
/// impulses since then say, the joint rates being kept; as long as no external force has acted,
/// also the position so that the centroid stays on its straight path.
class MomentumProjection {
 public:
  /// Takes momentum and centroid of the equations' last evaluation, at t = 0, as the reference.
  void start(const EquationsOfMotion& equations);

  /// What was taken away, to be reported as drift.
  struct Removed {
    Vector3 linear = Vector3::Zero();
    Vector3 angular = Vector3::Zero();
  };
  /// @param x  in and out; the state at @p time
  Removed apply(EquationsOfMotion& equations, VectorX& x, double time) const;

  void transfer(Archive& archive) {
    transfer_momentum(archive, reference_);
    archive(centroid_);
  }

 private:
  Momentum reference_;
  Vector3 centroid_ = Vector3::Zero();
};

/// Keeps r_g = r_g(0) + P t / w exact, whatever the method: without external forces a uniform
/// translation of position and velocity changes nothing else of the motion, so the base is moved as
/// a whole and the errors of the method stay in what the bodies do relative to the centroid.
class CentroidPath {
 public:
  /// @param setup  decides whether there can be such a path: a floating base, no gravity, and a
  ///               method that is not one of the original's
  explicit CentroidPath(const SimulationSetup& setup);

  /// Takes the path through the start.
  void start(const AuditPoint& point);
  /// Moves a state, unless an external force has acted until then.
  /// @param point  of that state
  /// @returns the linear momentum that was taken away
  Vector3 apply(const EquationsOfMotion& equations, const AuditPoint& point, VectorX& x,
                double time) const;
  /// Whether ends of steps are moved; outputs between them are where there is a path.
  bool moves_steps() const { return moves_steps_; }

  void transfer(Archive& archive) { archive(centroid_, momentum_); }

 private:
  bool is_possible_, moves_steps_;
  Vector3 centroid_ = Vector3::Zero(), momentum_ = Vector3::Zero();
};

/// Robots that loops hold together, directly or through others, as long as no fixed base is among
/// them, or the whole system where its base is free: each keeps its momentum whatever loops and
/// contacts do.
class FreeGroups {
 public:
  enum class BesideLoads { nothing, contact_wrenches };

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
  /// @name Moving the bases of each group to the momentum and the centroid that it is to have
  /// @{
  void move_momentum(const EquationsOfMotion& equations, VectorX& x) const;
  void move_centroid(const EquationsOfMotion& equations, VectorX& x) const;
  /// @}
  /// Adds what the last evaluation does in h to momenta and centroids that are to be. Moments are
  /// about where the centroids are after half of it at the velocities of its start: so forces
  /// between robots change no momentum of the whole.
  /// @param contacts  what contact wrenches are not among the loads
  /// @returns moment on the whole, N m, that an audit by places of that evaluation does not see
  Vector3 receive(const EquationsOfMotion& equations, double h, BesideLoads contacts);
  /// Leaves out robots whose free joint does not move freely.
  void restrict_to(const Model& model, const Mobility& mobility);
  bool is_empty() const { return groups_.empty(); }

 private:
  /// Mass, momentum and centroid as they were, and what they change by.
  struct Kept {
    RobotSums before;
    Vector3 impulse = Vector3::Zero(), turn = impulse, shift = impulse;
    Vector3 linear() const { return before.momentum.linear + impulse; }
    Vector3 angular() const { return before.momentum.angular_centroid + turn; }
  };
  struct Group {
    std::vector<std::size_t> robots;  // in Model::robots()
    Kept kept;
  };
  static RobotSums sums_of(const EquationsOfMotion& equations, const Group& group);
  template <typename Visit>
  void for_each(const Model& model, const Visit& visit);

  std::vector<Group> groups_;
  Kept whole_;
  bool moves_whole_ = false;  // the base is free and has mass to move
};

/// Adds a small displacement [δr_0; δφ_0; δq], which is overwritten, to the integrated positions.
inline void add_displacement(const EquationsOfMotion& equations, VectorX& displacement,
                             VectorX& x) {
  const StateLayout& layout = equations.layout();
  x.segment<3>(StateLayout::r_0) += displacement.head<3>();
  auto theta = x.segment<3>(StateLayout::theta);
  const Vector3 turn = displacement.segment<3>(3);
  theta += apply_dexp_inverse_so3(Vector3(theta), turn);
  auto change = displacement.tail(layout.joints);
  auto q = x.segment(StateLayout::q, layout.joints);
  joint_position_rate(equations.model(), q, change, change);
  q += change;
}

/// Integrated positions after a displacement [δr_0; φ_0; δq] of any size: φ_0 is a rotation vector
/// in inertial axes, those of spherical joints are in the axes of the carried link.
/// @param displacement  what follows in it is not looked at
/// @param end  out: its positions
inline void displace(const EquationsOfMotion& equations, const VectorX& x,
                     const VectorX& displacement, VectorX& end) {
  const StateLayout& layout = equations.layout();
  const auto q = x.segment(StateLayout::q, layout.joints);
  end.segment(StateLayout::q, layout.joints) = q + displacement.segment(6, layout.joints);
  for (const int first : equations.model().spherical_joints()) {
    end.segment<3>(StateLayout::q + first - 1) =
        turn_spherical(q, first, displacement.segment<3>(6 + first - 1));
  }
  if (!equations.mobility().base_free()) return;
  end.segment<3>(StateLayout::r_0) = x.segment<3>(StateLayout::r_0) + displacement.head<3>();
  const Vector3 theta = x.segment<3>(StateLayout::theta), turn = displacement.segment<3>(3);
  end.segment<3>(StateLayout::theta) = rotated(turn, theta);
}

}  // namespace spacedyn
