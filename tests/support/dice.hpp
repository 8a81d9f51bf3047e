/// @file
/// Random numbers and vectors, the same for the same seed.
#pragma once

#include <random>

#include "spacedyn/math/types.hpp"

namespace spacedyn::testing {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double number(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(engine_);
  }
  /// Components from −size to size.
  Vector3 vector(double size) {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }

 private:
  std::mt19937 engine_;
};

}  // namespace spacedyn::testing
