/// @file
/// Putting a state back onto the momentum that the system must have.
#pragma once

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

}  // namespace spacedyn
