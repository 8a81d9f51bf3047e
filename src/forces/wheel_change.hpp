/// @file
/// How a wheel stands and rolls with each coordinate of a system, and with its rate.
#pragma once

#include "forces/frame_pair.hpp"
#include "forces/wheel_loads.hpp"

namespace spacedyn {

/// First-order change of a stance.
struct WheelChange {
  PairMotion motion;  ///< of the ground and of the wheel's centre
  Vector3 heading = Vector3::Zero(), axis = Vector3::Zero(), up = Vector3::Zero();
  Vector3 place = Vector3::Zero(),
          ground_velocity = Vector3::Zero();  ///< nearest point, its motion
  WheelScalars<double> scalars;
};

/// A wheel whose loads are differentiated.
class WheelVariation {
 public:
  WheelVariation(const EvaluationContext& context, const WheelElement::Mount& mount);

  const WheelStance& stance() const { return stance_; }
  /// @param visit  (const WheelChange& change, bool by_velocity, Eigen::Index column)
  template <typename Visit>
  void for_each_change(const Visit& visit) const {
    pair_.for_each_change(context_, motion_,
                          [&](const PairMotion& motion, bool by_velocity, Eigen::Index column) {
                            visit(change_by(motion), by_velocity, column);
                          });
  }
  /// Adds the generalized force of loads that change and move with the wheel.
  void add(const WheelChange& change, const WheelLoads<double>& now,
           const WheelLoads<double>& loads_change, VectorRef column) const;

 private:
  WheelChange change_by(const PairMotion& motion) const;

  const EvaluationContext& context_;
  double radius_;
  FramePair pair_;
  PairMotion motion_;
  WheelStance stance_;
  Vector3 normal_rate_;           // G v, G = ∂n/∂(centre)
  Matrix3 normal_rate_by_place_;  // ∂(G v)/∂(centre)
};

}  // namespace spacedyn
