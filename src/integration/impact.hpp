/// @file
/// An impulse at an instant, with the stops that answer it.
#pragma once

#include <vector>

#include "integration/impulse_solver.hpp"
#include "integration/resting_contacts.hpp"

namespace spacedyn {

/// What changes velocities at an instant.
struct Impact {
  struct Imposed {
    int joint;
    double velocity;  ///< afterwards
  };
  struct Arrival {
    std::size_t stop;
    double restitution;
  };

  VectorX impulse;                ///< Λ of the environment, size 6 + n; empty: none
  AuditIntegrals integrals = {};  ///< impulse and angular impulse of Λ
  std::vector<Imposed> imposed;   ///< by internal impulses of either sign
  std::vector<Arrival> arrivals;  ///< joints that move into a stop, or not at all: q̇⁺ = −e q̇⁻
  bool closes_loops = false;      ///< a connection has been made: K u becomes zero
};

/// What an impact did besides changing velocities.
struct ImpactOutcome {
  double energy_lost = 0.0;  ///< J
  VectorX multipliers;       ///< impulses of the loops, where it closed them
};

/// Changes velocities; stops at which joints rest push and never pull, and let go joints that part.
///
/// Of all joints at stops, inward velocity + e · (that before) and impulse are not negative and one
/// of them is zero: Newton's law of impact with Moreau's rule, which takes energy away whatever the
/// restitutions. Momentum of a free system changes by Λ only; the energy is counted.
ImpactOutcome strike(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                     VectorX& x, double time);

}  // namespace spacedyn
