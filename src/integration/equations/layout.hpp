/// @file
/// Where everything sits in the vector that the steppers integrate.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// x = [r_0, θ, q, v_0, ω_0, q̇, z, audit integrals, integrals of elements], with θ the base
/// attitude in its chart.
struct StateLayout {
  StateLayout(int joint_count, std::vector<std::string> names_of_auxiliaries, int energy_sources,
              int integrals_of_elements = 0)
      : joints(joint_count),
        sources(energy_sources),
        element_integrals(integrals_of_elements),
        auxiliaries(static_cast<int>(names_of_auxiliaries.size())),
        auxiliary_names(std::move(names_of_auxiliaries)) {}

  int joints;                                ///< n
  int sources;                               ///< number of energy sources
  int element_integrals;                     ///< number of integrals that elements ask for
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
  int integrals() const { return z() + auxiliaries; }
  int audit_count() const { return 7 + 2 * sources; }
  /// Of the audit and of elements.
  int integral_count() const { return audit_count() + element_integrals; }
  int size() const { return integrals() + integral_count(); }

  /// @name Inside the audit integrals: impulse, angular impulse, throughput, then work and
  /// dissipation of each source
  /// @{
  static constexpr int impulse = 0;
  static constexpr int angular_impulse = 3;
  static constexpr int throughput = 6;
  static constexpr int work(int source) { return 7 + 2 * source; }
  static constexpr int dissipated(int source) { return 8 + 2 * source; }
  /// @}
};

}  // namespace spacedyn
