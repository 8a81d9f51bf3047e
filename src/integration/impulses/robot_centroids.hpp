/// @file
/// Linear momentum of each robot that floats. Private.
#pragma once

#include <vector>

#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

/// Keeps m v_g⁺ = m v_g + Σ F h and r_g⁺ = r_g + h (v_g + v_g⁺)/2 for the centroid of each robot,
/// by a translation of its base. A step in coordinates of a base whose origin is not the centroid
/// has them but for an error of its order; a translation changes nothing else of the motion.
class RobotCentroids {
 public:
  RobotCentroids(const SimulationSetup& setup, const EquationsOfMotion& equations);

  /// Whether coordinates are those of centroids already.
  bool is_idle() const { return bases_.empty(); }
  /// Takes the start of a step.
  void start(EquationsOfMotion& equations, const VectorX& x, double time);
  /// Moves its end. @pre the loads of the equations are those of the step, and the frames those of
  /// the end
  /// @param h  s
  void finish(const EquationsOfMotion& equations, double h, VectorX& x);
  void transfer(Archive& archive);

 private:
  struct Base {
    int row;         ///< of the translation, among velocities
    int first, end;  ///< bodies
    double mass;
    Vector3 r_g = Vector3::Zero(), v_g = Vector3::Zero();
  };
  void add(const EquationsOfMotion& equations, const Base& base, const Vector3& offset, int body);
  static void find(const EquationsOfMotion& equations, const Base& base, Vector3& r_g,
                   Vector3& v_g);

  std::vector<Base> bases_;
  VectorX end_;  // to which r_g and v_g belong
};

}  // namespace spacedyn
