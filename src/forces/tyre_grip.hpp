/// @file
/// Forces of a tyre and the rate of its deflection, as numbers that may carry derivatives.
#pragma once

#include <cmath>

#include "forces/wheel_loads.hpp"
#include "math/smooth_step.hpp"
#include "spacedyn/forces/tyre_force.hpp"

namespace spacedyn {

constexpr double kDampedSpeed = 0.1;   // m/s
constexpr double kReleaseSpeed = 1.0;  // m/s: deflections fade at this over L above the ground

template <typename T>
struct TyreGrip {
  WheelLoads<T> loads;
  T rate_x{}, rate_y{};  // of the deflection, m/s
};

/// Of numbers far from overflow; at zero, a kink, with the derivative zero.
template <typename T>
T plane_length(const T& x, const T& y) {
  using std::sqrt;
  const T square = x * x + y * y;
  return value_of(square) > 0.0 ? sqrt(square) : T(0.0);
}

/// f(x) of TyreForce, x ≥ 0.
template <typename T>
T tyre_mobilized(const TyreForce::Settings& tyre, const T& x) {
  using std::atan;
  using std::sin;
  if (tyre.model == TyreModel::brush) {
    const T rest = T(1.0) - x / T(3.0);
    return value_of(rest) > 0.0 ? T(1.0) - rest * rest * rest : T(1.0);
  }
  const T C(tyre.shape), part = x / C;
  return sin(C * atan(part - T(tyre.curvature) * (part - atan(part))));
}

/// @param u_x, u_y  deflection of the carcass
template <typename T>
TyreGrip<T> tyre_grip(const TyreForce::Settings& tyre, const WheelScalars<T>& at, const T& u_x,
                      const T& u_y) {
  const double L = tyre.relaxation_length, mu = tyre.friction;
  TyreGrip<T> grip;
  T z = T(tyre.stiffness) * at.sinkage + T(tyre.damping) * at.sinkage_rate;
  if (!(value_of(z) > 0.0)) z = T(0.0);
  const T slide_x = at.forward - at.rim;
  const T& slide_y = at.sideward;
  const T rolling = smooth_sign(at.rim / T(tyre.slip_velocity));
  const T speed = at.rim * rolling;  // |rω|
  // where and how fast the bristles would slide, as forces per μ F_z
  const T c_x(tyre.slip_stiffness / (mu * L)), c_y(tyre.cornering_stiffness / (mu * L));
  const T x = plane_length(c_x * u_x, c_y * u_y);
  const T limit(tyre.model == TyreModel::brush ? 3.0 : 12.0);
  const T slipping =
      plane_length(c_x * slide_x, c_y * slide_y) / limit * smooth_step(x / limit - T(1.0));
  const T release = speed / T(L) + slipping;
  grip.rate_x = slide_x - release * u_x;
  grip.rate_y = slide_y - release * u_y;
  const T floor = value_of(z) > 1e-9 ? z : T(1e-9);
  const T damped =
      (T(1.0) - smooth_step(speed / T(kDampedSpeed))) * T(tyre.damping) / (T(mu) * floor);
  const T pull_x = c_x * u_x + damped * slide_x, pull_y = c_y * u_y + damped * slide_y;
  const T pull = plane_length(pull_x, pull_y);
  const T scale = value_of(pull) > 1e-12 ? tyre_mobilized(tyre, pull) / pull : T(1.0);
  WheelLoads<T>& loads = grip.loads;
  loads.x = T(-mu) * z * scale * pull_x;
  loads.y = T(-mu) * z * scale * pull_y;
  loads.z = z;
  // tangential forces act a radius below the centre
  loads.about_x = T(tyre.radius) * loads.y;
  loads.about_y =
      T(-tyre.rolling_resistance * tyre.radius) * z * rolling - T(tyre.radius) * loads.x;
  return grip;
}

/// A tyre above the ground, which unwinds.
template <typename T>
TyreGrip<T> released_tyre(const TyreForce::Settings& tyre, const T& u_x, const T& u_y) {
  TyreGrip<T> grip;
  grip.rate_x = -u_x * T(kReleaseSpeed / tyre.relaxation_length);
  grip.rate_y = -u_y * T(kReleaseSpeed / tyre.relaxation_length);
  return grip;
}

}  // namespace spacedyn
