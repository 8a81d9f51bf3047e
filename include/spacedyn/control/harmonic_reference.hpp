/// @file
/// References of closed form: oscillations, glide slopes, and motions that begin at an event.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// offset + amplitude sin(2π frequency (t − from_time) + phase), each per component; before
/// from_time its first value at rest. There the velocity jumps unless cos(phase) is zero.
class SPACEDYN_EXPORT HarmonicReference final : public Reference {
 public:
  /// Per component: amplitude and offset in units of the component, frequency in Hz, phase in rad.
  struct Oscillation {
    VectorX amplitude, frequency, phase, offset;
  };

  /// @throws DomainError if a frequency is not positive or a number not finite; DimensionError if
  /// sizes differ
  HarmonicReference(Oscillation oscillation, double from_time);

  int size() const override { return static_cast<int>(oscillation_.amplitude.size()); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;
  /// Whether the velocity of any component jumps at from_time.
  bool starts_with_a_jump() const;

 private:
  Oscillation oscillation_;
  double from_time_;
};

/// Glideslope [Hablani, Tapper & Dana-Bashian 2002]: along the straight line between two points the
/// speed is v = v_1 + (v_0 − v_1) ρ/ρ_0, ρ being the distance to go and ρ_0 all of it.
///
/// So ρ = (ρ_0 + v_1/a) e^{−a t} − v_1/a with a = (v_0 − v_1)/ρ_0, and it arrives at v_1 after
/// ln(v_0/v_1)/a. It begins with a jump of the velocity from rest and ends with one, so it is no
/// motion that can be imposed.
class SPACEDYN_EXPORT GlideslopeReference final : public Reference {
 public:
  /// @param speed, final_speed  v_0 and v_1, positive; equal ones make a straight walk
  /// @throws DomainError if a speed is not positive or a number is not finite; DimensionError if
  /// sizes differ
  GlideslopeReference(VectorX from, const VectorX& to, double from_time, double speed,
                      double final_speed);

  int size() const override { return static_cast<int>(from_.size()); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;
  /// s, of the whole way; 0 where both points are one.
  double duration() const { return duration_; }

 private:
  VectorX from_, direction_;  // unit vector, or zero
  double from_time_, distance_, speed_, rate_, duration_ = 0.0;
};

/// The value at time 0 of another reference, at rest, until an event has happened for the first
/// time; from then on that reference, its time counted from the event.
class SPACEDYN_EXPORT EventReference final : public Reference {
 public:
  /// @param event  in ForcedSystem::awaited
  /// @throws DomainError without a reference or with a negative number of an event
  EventReference(std::shared_ptr<const Reference> reference, int event);

  const Reference& reference() const { return *reference_; }
  int size() const override { return reference_->size(); }
  /// As before the event.
  ReferenceValue evaluate(int component, double time) const override;
  ReferenceValue at(int component, const Instant& now) const override;
  void append_event_discontinuities(const EventTimes& events,
                                    std::vector<double>& times) const override;

 private:
  std::shared_ptr<const Reference> reference_;
  EventStart start_;
};

}  // namespace spacedyn
