/// @file
/// The conservation audit of equations.md: momentum and energy against what entered the system.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {

class Archive;

/// What has entered and left a system since the start, integrated beside the state.
struct AuditIntegrals {
  Vector3 impulse = Vector3::Zero();          ///< ∫ external force dt, N s
  Vector3 angular_impulse = Vector3::Zero();  ///< ∫ external moment about the system centroid dt
  double work = 0.0;        ///< ∫ power of loads, controllers and prescribed motion dt, J
  double dissipated = 0.0;  ///< ∫ power lost in dampers dt, J
  double throughput = 0.0;  ///< ∫ |power| dt, J
};

/// Energy of a system at one instant, J.
struct Energy {
  double kinetic = 0.0;
  double gravity = 0.0;  ///< in the uniform field and in those of orbits, bodies and polyhedra
  double elastic = 0.0;  ///< stored in joint springs and all other force elements
  double total() const { return kinetic + gravity + elastic; }
};

/// Drift of momentum, residual of energy and error of the attitude, the maximum over all accepted
/// steps.
class SPACEDYN_EXPORT ConservationAudit {
 public:
  /// Takes one accepted step into account; the first call sets the reference.
  /// @param least_energy  J, kept as the least scale of energies
  void update(const Momentum& momentum, const MomentumScale& scale, const Energy& energy,
              const AuditIntegrals& integrals, double least_energy = 0.0);
  /// Takes the attitude of the base after a step into account.
  void update_attitude(const Matrix3& A_0);

  /// Momentum that a projection has taken away since the last update; it goes on counting as drift.
  void count_removed(const Vector3& linear, const Vector3& angular);

  /// max |P − P(0) − ∫F dt| / max Σ m|v|; scales are kept from vanishing, for a body that only
  /// spins has no linear momentum but rounding errors all the same
  double linear_drift() const;
  double angular_drift() const;    ///< about the system centroid
  double momentum_drift() const;   ///< the larger of the two
  double energy_residual() const;  ///< |E − E(0) − W + D| / max(T_max, ∫|power|), kept from
                                   ///< vanishing likewise
  double linear_scale() const { return linear_scale_; }      ///< max Σ m|v|, kg m/s
  double angular_scale() const { return angular_scale_; }    ///< likewise, kg m²/s
  double energy_scale() const { return energy_scale_; }      ///< max(T_max, ∫|power|), J
  double attitude_error() const { return attitude_error_; }  ///< |A_0 A_0ᵀ − E|, largest element

 private:
  friend class Archive;
  void transfer(Archive& archive);

  bool started_ = false;
  Momentum first_momentum_;
  double first_energy_ = 0.0;
  Vector3 removed_linear_ = Vector3::Zero(), removed_angular_ = Vector3::Zero();
  double linear_error_ = 0.0, angular_error_ = 0.0, energy_error_ = 0.0;
  double linear_scale_ = 0.0, angular_scale_ = 0.0, energy_scale_ = 0.0;
  double attitude_error_ = 0.0;
};

}  // namespace spacedyn
