/// @file
/// Limits and checks of matrices in joint space.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "model/short_number.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/regularity.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// n, if a dense n×n matrix may be formed. @throws DimensionError naming the matrix otherwise.
inline int dense_size(const Model& model, const std::string& matrix) {
  const int n = model.joint_count();
  if (n <= Topology::kMaxDenseLinks) return n;
  throw DimensionError("the " + matrix + " of " + std::to_string(n) +
                       " joints is not formed; the limit is " +
                       std::to_string(Topology::kMaxDenseLinks) + " joints");
}

/// A pivot below this part of its diagonal element is rounding: some motion moves no mass.
constexpr double kLeastPivot = 64.0 * std::numeric_limits<double>::epsilon();

/// Says what moves without resistance.
inline NumericalError singularity_error(const Model& model, const State& state, double time = 0.0) {
  const auto loose = find_singularity(model, state, !model.has_fixed_base());
  return {"the inertia matrix is not positive definite at this state" +
              (loose ? ": " + *loose + " moves without resistance" : std::string()),
          time, 0, "inertia matrix"};
}

/// @throws DomainError unless a number is finite and ≥ 0.
inline void require_not_negative(const std::string& name, double value) {
  if (std::isfinite(value) && value >= 0.0) return;
  throw DomainError(name + " is " + short_number(value) +
                    ", expected a finite number that is not negative");
}

/// @throws DomainError unless a number is finite and > 0.
inline void require_positive(const std::string& name, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  throw DomainError(name + " is " + short_number(value) + ", expected a finite positive number");
}

}  // namespace spacedyn
