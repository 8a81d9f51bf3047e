/// @file
/// The conservation audit of equations.md: momentum and energy against what entered the system.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

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

/// What was at work in a step.
struct AuditCause {
  enum class Kind {
    none,
    event,   ///< one happened where the step begins
    source,  ///< of energy_sources(): the one with most power at the end of the step
    body     ///< the one that turned fastest, where no source has power
  };
  Kind kind = Kind::none;
  int index = 0;  ///< of the event, of the source, or of the body
};

/// Where an error of momentum or energy comes from. Relative errors are over the scale of the run.
struct WorstInstant {
  double time = 0.0;              ///< of the largest error, s
  double growth = 0.0;            ///< largest change of the error in one step, relative
  double from = 0.0, to = 0.0;    ///< begin and end of that step, s
  std::string cause_kind, cause;  ///< `event`, `source` or `body`, and its name; may be empty
};

/// `at t = 4.5 s; grew most, by 0.00031, from 4.49 s to 4.5 s: event 'touch'`.
SPACEDYN_EXPORT std::string to_string(const WorstInstant& worst);

/// An error as it grows from step to step.
struct TrackedError {
  Vector3 last = Vector3::Zero();  ///< after the last step
  double largest = 0.0, time = 0.0;
  double growth = 0.0, from = 0.0, to = 0.0;
  AuditCause cause;             ///< of the growth
  bool has_grown_most = false;  ///< in the last step

  void update(const Vector3& error, double begin, double end);
};

/// An accepted step.
struct AuditedStep {
  double from = 0.0, to = 0.0;  ///< s
  double least_energy = 0.0;    ///< J, kept as the least scale of energies
};

/// Drift of momentum, residual of energy and error of the attitude, the maximum over all accepted
/// steps.
class SPACEDYN_EXPORT ConservationAudit {
 public:
  /// Takes one accepted step into account; the first call sets the reference.
  /// @returns whether an error has changed more than in any step before, so that its cause is due
  bool update(const Momentum& momentum, const MomentumScale& scale, const Energy& energy,
              const AuditIntegrals& integrals, const AuditedStep& step = {});
  /// Says what was at work in the step of the last update.
  void attribute(const AuditCause& cause);
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

  /// @name Where momentum_drift() and energy_residual() come from; nothing without an error
  /// @{
  std::optional<WorstInstant> worst_momentum() const;
  std::optional<WorstInstant> worst_energy() const;
  /// Takes the names of causes from a run that ends.
  void name_causes(const std::function<std::string(const AuditCause&)>& name);
  /// @}

 private:
  friend class Archive;
  void transfer(Archive& archive);

  bool started_ = false;
  Momentum first_momentum_;
  double first_energy_ = 0.0;
  Vector3 removed_linear_ = Vector3::Zero(), removed_angular_ = Vector3::Zero();
  TrackedError linear_, angular_, energy_;
  std::array<std::string, 3> causes_;  // names, in this order
  double linear_scale_ = 0.0, angular_scale_ = 0.0, energy_scale_ = 0.0;
  double attitude_error_ = 0.0;
};

}  // namespace spacedyn
