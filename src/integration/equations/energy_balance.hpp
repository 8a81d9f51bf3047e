/// @file
/// What enters and leaves a system through each of its sources of energy.
#pragma once

#include <vector>

#include "integration/equations/placed_system.hpp"
#include "integration/equations/rigid_dynamics.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "system/motion_forces.hpp"

namespace spacedyn {

/// What an impact at a rigid contact did.
struct ContactImpact {
  double impulse = 0.0;        ///< of its normal forces, N s
  double friction_work = 0.0;  ///< J, not positive
  double energy_lost = 0.0;    ///< J, friction included
};

/// Those of the elements and the others, where there are any.
struct EnergySources {
  EnergySources(const SimulationSetup& setup, const SystemElements& elements);

  std::vector<EnergySource> all;
  OtherSources others;
};

/// The integrals of the audit and those of elements.
class EnergyBalance {
 public:
  /// @param system, rigid, motions  must outlive this object; null without any
  EnergyBalance(const PlacedSystem& system, const RigidDynamics* rigid,
                const MotionForces* motions);

  /// All of energy_sources().
  const std::vector<EnergySource>& sources() const { return sources_.all; }
  /// What each of them has done and holds at the last evaluation.
  void read(const VectorX& x, std::vector<SourceEnergy>& energies) const;
  /// The one whose loads and stores exchanged most power at the last evaluation; −1: none does.
  int busiest_source() const;
  /// Sums over all sources.
  AuditIntegrals integrals(const VectorX& x) const;
  /// Balances what an event did.
  void add(const AuditIntegrals& change, VectorX& x) const;
  /// Counts what an impact at a rigid contact has lost.
  void add_contact_loss(std::size_t contact, const ContactImpact& impact, VectorX& x) const;
  /// Adds to rates what wrenches give to the system that the last evaluation did not see.
  void add_wrenches(const std::vector<BodyWrench>& wrenches, VectorX& rate) const;

  /// Power of what drives prescribed coordinates, W.
  void note_motion_power(double power) { power_of_motion_ = power; }
  /// Rates of all integrals at the last evaluation, and what leaves with propellant.
  void write_rates(VectorX& rate) const;

 private:
  void write_contacts(VectorRef rates) const;
  void add_outflow(VectorX& rate) const;

  const PlacedSystem& system_;
  const RigidDynamics* rigid_;
  const MotionForces* motions_;
  const EnergySources sources_;
  const std::vector<const AccelerationField*> fields_;
  double power_of_motion_ = 0.0;
};

}  // namespace spacedyn
