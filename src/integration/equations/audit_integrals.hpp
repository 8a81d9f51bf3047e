/// @file
/// Rates of the audit integrals: what enters and leaves a system at one instant.
#pragma once

#include "inertia/system_sums.hpp"
#include "integration/equations/layout.hpp"
#include "spacedyn/integration/audit.hpp"
#include "spacedyn/state/loads.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// What a system receives from outside at one instant, inertial axes.
struct Received {
  Vector3 force;   ///< N
  Vector3 moment;  ///< about the system centroid, N m
};

/// The part that needs no frames of links: complete if nothing but gravity and joint forces acts.
/// @param forces  all of [F_b; τ], those of prescribed coordinates and supports included
/// @param mass    of the system
Received received_by_coordinates(const Loads& loads, const VectorX& forces, double mass);
/// Adds the rest: what a force on the base does about the centroid, and wrenches on bodies.
void add_received_by_links(const Model& model, const LinkFrames& frames, const Loads& loads,
                           const VectorX& forces, Received& received);

/// Of forces and moments on bodies, all components: zero if there are none, infinite or NaN if one
/// is not finite.
double size_of_wrenches(const Loads& loads);
/// Power of loads on coordinates, W.
double power_on_coordinates(const State& state, const Loads& loads);
/// Power of wrenches on bodies, W.
double power_on_bodies(const LinkVelocities& velocities, const Loads& loads);

/// Where the sources of energy stand: elements first, then these where there are any, else −1.
struct OtherSources {
  int motion = -1, events = -1, propellant = -1;
};

/// Derivative of the audit integrals.
/// @param powers  of the elements, which are the first sources
/// @param motion  power of what drives prescribed coordinates, W
/// @param rates   out
void write_integral_rates(const Received& received, const std::vector<ElementPower>& powers,
                          double motion, const OtherSources& others, VectorRef rates);

/// What the conservation audit looks at after each step.
struct AuditPoint {
  Momentum momentum;
  MomentumScale scale;
  Energy energy;
  double least_energy;  ///< J, less counts as rounding
  Vector3 r_g;          ///< system centroid
};

/// The magnitudes of momentum_scale(), kept from vanishing where rounding does not.
///
/// A pendulum with a point mass has no angular momentum about its centroid, a spinning top no
/// linear one, and both have rounding errors. A thousandth of the linear scale (relative to the
/// base) times the radius of gyration of the system about the base bounds the angular scale from
/// below, a thousandth of the angular scale divided by that radius the linear one.
/// @param least_momentum  kg m/s, less counts as rest: of the whole mass at the absolute tolerance
///                        of velocities, and a billionth of what the weight has given
MomentumScale audit_scale(const SystemSums& sums, double least_momentum);

/// Sums over a run are known to that share of what they are sums of: beside no motion their
/// rounding errors would be large.
constexpr double kRoundingOfSums = 1e-9;

/// The whole mass at the absolute tolerance of velocities has an energy that no run resolves: an
/// error of that size is such a part of the least scale of energies, no matter how little moves.
constexpr double kResolution = 1e-9;

/// The least scale of energies, J: what the tolerance of velocities leaves open, and a billionth of
/// what is stored.
double least_energy(const Energy& energy, double of_tolerance);

/// Sums over all sources.
AuditIntegrals unpack_integrals(ConstVectorRef integrals);
/// Adds what has entered at an instant through one source.
void add_integrals(const AuditIntegrals& change, int source, VectorRef integrals);

}  // namespace spacedyn
