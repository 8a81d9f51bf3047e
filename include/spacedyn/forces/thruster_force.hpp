/// @file
/// A thruster that opens on a schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// F w(t) along the direction of a thruster. Its opening w follows the command u(t − delay) in
/// [0, 1] at rates from −1/fall_time to 1/rise_time, and at once where these times are zero.
///
/// With a finite specific impulse it consumes ṁ = F w/(I_sp g_0), g_0 = 9.80665 m/s²; the
/// propellant used is its auxiliary state. A simulation takes it out of the thruster's tank, if it
/// has one, and closes the thruster when the tank is empty; without one masses stay as they are.
class SPACEDYN_EXPORT ThrusterForce final : public ForceElement {
 public:
  /// @param command  1 row, 0…1; a pulse shorter than minimum_on_time is refused
  /// @throws DimensionError if the command has another number of rows; DomainError if a command is
  /// outside of 0…1 or a pulse too short
  ThrusterForce(std::string name, const Thruster& thruster, const TimeTable& command);
  /// One that PulseAction opens.
  /// @param slot  of EventTimes::pulses, from 0, of this force alone
  ThrusterForce(std::string name, const Thruster& thruster, std::size_t slot);

  /// A thruster that is commanded open from one time until another; a short pulse lasts
  /// minimum_on_time. @throws DomainError if until ≤ from or a number is not finite
  static TimeTable pulse(const Thruster& thruster, double from, double until);

  const Thruster& thruster() const { return thruster_; }
  /// w: its force over that of a thruster that is open, 0…1.
  double opening(const Instant& now) const;
  /// Nothing of one on a schedule.
  std::optional<std::size_t> slot() const { return slot_; }

  int auxiliary_size() const override { return consumes() ? 1 : 0; }
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  void append_discontinuities(std::vector<double>& times) const override;
  void append_event_discontinuities(const EventTimes& events,
                                    std::vector<double>& times) const override;

 private:
  bool consumes() const;
  /// Hands out the stretches in which an opening by events is linear: where one begins, its value
  /// there and its slope. @param first  a pulse before which the thruster is closed
  template <typename Visit>
  void for_each_stretch(const std::vector<ThrusterPulse>& pulses, std::size_t first,
                        const Visit& visit) const;
  double pulsed_opening(const Instant& now) const;

  Thruster thruster_;
  TimeTable opening_;
  std::optional<std::size_t> slot_;
};

}  // namespace spacedyn
