/// @file
/// Soils side by side under one wheel: in ruts that others have pressed, and untouched.
#pragma once

#include <array>
#include <cstddef>

#include "forces/rut_trace.hpp"
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

}  // namespace spacedyn
