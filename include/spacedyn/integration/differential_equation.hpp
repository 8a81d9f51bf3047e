/// @file
/// What a method of integration sees of a system.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// ẋ = f(t, x).
class DifferentialEquation {
 public:
  /// ẋ; NaN after a failure.
  virtual void operator()(const VectorX& x, VectorX& rate, double time) = 0;
  virtual bool has_failed() const = 0;

 protected:
  DifferentialEquation() = default;
  ~DifferentialEquation() = default;
  DifferentialEquation(const DifferentialEquation&) = default;
  DifferentialEquation& operator=(const DifferentialEquation&) = default;
};

}  // namespace spacedyn
