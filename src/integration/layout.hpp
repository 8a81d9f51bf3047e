/// @file
/// Where everything sits in the vector that the steppers integrate.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// x = [r_0, θ, q, v_0, ω_0, q̇, z, audit integrals], with θ the base attitude in its chart.
struct StateLayout {
  StateLayout(int joint_count, std::vector<std::string> names_of_auxiliaries)
      : joints(joint_count),
        auxiliaries(static_cast<int>(names_of_auxiliaries.size())),
        auxiliary_names(std::move(names_of_auxiliaries)) {}

  int joints;                                ///< n
  int auxiliaries;                           ///< number of states z
  std::vector<std::string> auxiliary_names;  ///< for instance `state 1 of 'motor'`

  static constexpr int r_0 = 0;
  static constexpr int theta = 3;
  static constexpr int q = 6;
  int v_0() const { return 6 + joints; }
  int omega_0() const { return 9 + joints; }
  int qd() const { return 12 + joints; }
  int z() const { return 12 + 2 * joints; }
  /// First audit integral; everything before it determines the motion.
  int books() const { return z() + auxiliaries; }
  int size() const { return books() + kBooks; }

  /// Impulse (3), angular impulse (3), work, dissipated, throughput.
  static constexpr int kBooks = 9;
};

}  // namespace spacedyn
