/// @file
/// An impulse at an instant, with the stops and the rigid contacts that answer it.
#pragma once

#include <vector>

#include "integration/contacts/impulse_solver.hpp"
#include "integration/contacts/resting_contacts.hpp"

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
  struct PointArrival {
    std::size_t point;  ///< of rigid contacts
    double restitution;
    ImpactLaw law;
  };

  VectorX impulse;                ///< Λ of the environment, size 6 + n; empty: none
  AuditIntegrals integrals = {};  ///< impulse and angular impulse of Λ
  std::vector<Imposed> imposed;   ///< by internal impulses of either sign
  std::vector<Arrival> arrivals;  ///< joints that move into a stop, or not at all: q̇⁺ = −e q̇⁻
  std::vector<PointArrival> points;  ///< points that meet
  bool closes_loops = false;         ///< a connection has been made: K u becomes zero

  /// Whether only stops and points that meet change velocities, which never gains energy.
  bool is_collision() const { return impulse.size() == 0 && imposed.empty() && !closes_loops; }
};

/// What an impact did besides changing velocities.
struct ImpactOutcome {
  double energy_lost = 0.0;  ///< J
  VectorX multipliers;       ///< impulses of the loops, where it closed them
  std::vector<double> lost;  ///< at each rigid contact, J; empty if none took part
  double residual = 0.0;     ///< largest violation of a condition of a rigid contact, m/s
  bool failed = false;       ///< no impulses were found; the equations have failed
};

/// Changes velocities; stops at which joints rest and points of rigid contacts push and never pull,
/// and let go what parts.
///
/// All are rows of one ComplementarityProblem. Of joints at stops and of points without friction,
/// velocity + e · (that before) and impulse are not negative and one of them is zero: Newton's law
/// with Moreau's rule, which takes energy away whatever the restitutions. Poisson's law gives the
/// impulse of a compression back times e. With friction either may add energy (Kane); then all
/// restitutions are reduced, by one factor, just until none is added. Momentum of a free system
/// changes by Λ and by what the ground does; the energy is counted.
ImpactOutcome strike(const Impact& impact, EquationsOfMotion& equations, RestingContacts& contacts,
                     VectorX& x, double time);

}  // namespace spacedyn
