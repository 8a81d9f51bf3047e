/// @file
/// What acts on a wheel, in its own axes, as numbers that may carry derivatives.
#pragma once

#include "forces/frame_pair.hpp"
#include "forces/wheel_motion.hpp"
#include "math/dual.hpp"

namespace spacedyn {

/// How a wheel stands and rolls, as far as its loads depend on it.
template <typename T>
struct WheelScalars {
  T sinkage{}, sinkage_rate{}, forward{}, sideward{}, rim{};
};

inline WheelScalars<double> scalars_of(const WheelStance& at) {
  return {at.sinkage, at.sinkage_rate, at.forward, at.sideward, at.rim};
}

/// The same as the first five of N variables.
template <int N>
WheelScalars<Dual<N>> variables_of(const WheelStance& at) {
  return {Dual<N>::variable(at.sinkage, 0), Dual<N>::variable(at.sinkage_rate, 1),
          Dual<N>::variable(at.forward, 2), Dual<N>::variable(at.sideward, 3),
          Dual<N>::variable(at.rim, 4)};
}

/// Force at the centre of a wheel and moment about it, along heading, spin axis and up.
template <typename T>
struct WheelLoads {
  T x{}, y{}, z{};                    // N
  T about_x{}, about_y{}, about_z{};  // N m
};

inline Vector3 force_of(const WheelLoads<double>& loads, const WheelPose& at) {
  return loads.x * at.heading + loads.y * at.axis + loads.z * at.up;
}

inline Vector3 moment_of(const WheelLoads<double>& loads, const WheelPose& at) {
  return loads.about_x * at.heading + loads.about_y * at.axis + loads.about_z * at.up;
}

/// Of loads on a wheel that moves, W.
inline double power_of(const WheelLoads<double>& loads, const WheelStance& at) {
  return force_of(loads, at).dot(at.velocity) + moment_of(loads, at).dot(at.omega);
}

/// Adds them to the link that is the wheel.
inline void add_at_center(const EvaluationContext& context, int link, const WheelPose& at,
                          const WheelLoads<double>& wheel, Loads& loads) {
  loads.add_wrench(link, context.frames.r[static_cast<std::size_t>(link)], at.center,
                   force_of(wheel, at), moment_of(wheel, at));
}

inline WheelLoads<double> scaled(const WheelLoads<double>& loads, double factor) {
  return {factor * loads.x,       factor * loads.y,       factor * loads.z,
          factor * loads.about_x, factor * loads.about_y, factor * loads.about_z};
}

inline WheelLoads<double> operator+(const WheelLoads<double>& a, const WheelLoads<double>& b) {
  return {a.x + b.x,
          a.y + b.y,
          a.z + b.z,
          a.about_x + b.about_x,
          a.about_y + b.about_y,
          a.about_z + b.about_z};
}

/// How a number changes with the first five variables of its derivatives.
template <int N>
double change_of(const Dual<N>& number, const WheelScalars<double>& by) {
  const auto& slope = number.slope;
  return slope[0] * by.sinkage + slope[1] * by.sinkage_rate + slope[2] * by.forward +
         slope[3] * by.sideward + slope[4] * by.rim;
}

/// The same of each of the loads. @param of  (const T& load) → double
template <typename T, typename Of>
WheelLoads<double> each_of(const WheelLoads<T>& loads, const Of& of) {
  return {of(loads.x),       of(loads.y),       of(loads.z),
          of(loads.about_x), of(loads.about_y), of(loads.about_z)};
}

template <int N>
WheelLoads<double> change_of(const WheelLoads<Dual<N>>& loads, const WheelScalars<double>& by) {
  return each_of(loads, [&](const Dual<N>& load) { return change_of(load, by); });
}

template <int N>
WheelLoads<double> values_of(const WheelLoads<Dual<N>>& loads) {
  return each_of(loads, [](const Dual<N>& load) { return load.value; });
}

/// By one variable.
template <int N>
WheelLoads<double> slopes_of(const WheelLoads<Dual<N>>& loads, std::size_t variable) {
  return each_of(loads, [&](const Dual<N>& load) { return load.slope[variable]; });
}

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
