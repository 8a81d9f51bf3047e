/// @file
/// Slip and slip angle of a wheel at any speeds, standstill included, and the soil under it.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "forces/rut_trace.hpp"
#include "forces/wheel_loads.hpp"
#include "math/smooth_step.hpp"
#include "spacedyn/forces/wheel_force.hpp"

namespace spacedyn {

/// Depths to which soils were pressed and the part of the width each has, the deepest first, and at
/// last untouched soil.
template <typename T>
struct SoilLayers {
  std::size_t count = 0;
  std::array<T, WheelForce::kMostLeaders + 1> pressed{}, share{};

  SoilLayers() = default;
  /// Those of its traces. @param find  the bed of a trace, by its number
  template <typename Find>
  SoilLayers(std::size_t traces, const Find& find) {
    std::array<RutBed<T>, WheelForce::kMostLeaders> beds{};
    for (std::size_t i = 0; i < traces && i < beds.size(); ++i) {
      const RutBed<T> bed = find(i);
      if (!(value_of(bed.depth) > 0.0 && value_of(bed.overlap) > 0.0)) continue;
      std::size_t place = count++;
      for (; place > 0 && value_of(beds[place - 1].depth) < value_of(bed.depth); --place) {
        beds[place] = beds[place - 1];
      }
      beds[place] = bed;
    }
    T rest(1.0);
    for (std::size_t i = 0; i < count; ++i) {
      pressed[i] = beds[i].depth;
      share[i] = rest * beds[i].overlap;
      rest -= share[i];
    }
    pressed[count] = T(0.0);
    share[count++] = rest;
  }

  SoilLayers<double> values() const {
    SoilLayers<double> result;
    result.count = count;
    for (std::size_t i = 0; i < count; ++i) {
      result.pressed[i] = value_of(pressed[i]);
      result.share[i] = value_of(share[i]);
    }
    return result;
  }
};

/// WheelSoilModel::Contact with derivatives.
template <typename T>
struct SoilContact {
  T sinkage{}, slip{}, lateral{}, slip_angle{}, pressing{}, pressed{};
};

template <typename T>
T magnitude(const T& x) {
  return value_of(x) < 0.0 ? -x : x;
}

/// Slips of a wheel that travels along its heading, regular at any speeds.
template <typename T>
SoilContact<T> slips_of(const T& forward, const T& sideward, const T& rim, double least_speed) {
  using std::atan;
  const T fastest = (value_of(forward) < value_of(rim) ? rim : forward) / T(least_speed);
  const T speed = T(least_speed) * smooth_floor(fastest);
  SoilContact<T> contact;
  contact.slip = (rim - forward) / speed;
  // driving v_y/(rω), braking (1 − s) v_y/v
  const T braking =
      smooth_step(T(0.5) * fastest) * (value_of(contact.slip) < 0.0 ? contact.slip : T(0.0));
  contact.lateral = (T(1.0) - braking) * sideward / speed;
  contact.slip_angle =
      atan(sideward / (T(least_speed) * smooth_floor(magnitude(forward) / T(least_speed))));
  return contact;
}

/// 1 where a wheel travels along its heading, 0 where it travels against it.
template <typename T>
T share_forward(const T& forward, const T& rim, double least_speed) {
  // a wheel that spins on the spot counts as travelling where it drives to
  const T drive = smooth_sign(rim / T(least_speed));
  return smooth_step(T(0.5) * (forward / T(least_speed) + drive + T(1.0)));
}

/// Visits both directions of travel between which a wheel is, and the soils under it.
/// @param visit  (const SoilContact<T>&, const T& share, double direction); 1: along the heading
template <typename T, typename Visit>
void for_each_soil_contact(const WheelScalars<T>& at, const WheelForce::Settings& settings,
                           const SoilLayers<T>& layers, const Visit& visit) {
  using std::sqrt;
  const double least = settings.slip_velocity;
  const T forward = share_forward(at.forward, at.rim, least);
  const T rate = T(settings.sinkage_damping) * at.sinkage_rate;
  const T pressing = rate + sqrt(T(1.0) + rate * rate);
  for (const double direction : {1.0, -1.0}) {
    const T share = direction > 0.0 ? forward : T(1.0) - forward;
    if (value_of(share) == 0.0) continue;
    SoilContact<T> contact = slips_of(T(direction) * at.forward, T(direction) * at.sideward,
                                      T(direction) * at.rim, least);
    contact.sinkage = at.sinkage;
    contact.pressing = pressing;
    for (std::size_t i = 0; i < layers.count; ++i) {
      if (value_of(layers.share[i]) == 0.0) continue;
      contact.pressed = layers.pressed[i];
      visit(contact, share * layers.share[i], direction);
    }
  }
}

/// Adds the forces of one direction of travel. @param force  any with the parts of WheelSoilForce
template <typename T, typename Force>
void add_soil_force(const Force& force, const T& share, double direction, WheelLoads<T>& loads) {
  const T along = share * T(direction);
  loads.x += along * force.drawbar_pull;
  loads.y -= along * force.side_force;
  loads.z += share * force.vertical_force;
  loads.about_x -= along * force.overturning_moment;
  loads.about_y -= along * force.resistance_torque;
  loads.about_z -= share * force.aligning_moment;
}

}  // namespace spacedyn
