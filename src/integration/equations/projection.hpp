/// @file
/// Putting states back onto the momentum and the centroid that the system must have.
#pragma once

#include "integration/equations/archive.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/equations/run_memory.hpp"

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

}  // namespace spacedyn
