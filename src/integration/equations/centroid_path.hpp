/// @file
/// The straight path of the system centroid while no external force acts.
#pragma once

#include "integration/equations/archive.hpp"
#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

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
