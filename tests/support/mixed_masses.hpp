/// @file
/// Chains of links of very different mass, and their accelerations to sixty digits.
#pragma once

#include "spacedyn/state/loads.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing {

/// A chain of five revolute joints whose masses are spread over @p decades below and above 1 kg, at
/// a state, with loads that make accelerations of order one, so that all rows count.
struct MixedCase {
  MixedCase(unsigned seed, double decades);

  /// Largest error of accelerations, relative to the largest of them or 1.
  double relative_error(const VectorX& computed) const;

  RandomModels random;
  Model model;
  State state;
  Loads loads;
  VectorX acceleration;  ///< u̇, computed with sixty digits
  double condition;      ///< of H with its diagonal scaled to ones, which a factorization feels
};

}  // namespace spacedyn::testing
