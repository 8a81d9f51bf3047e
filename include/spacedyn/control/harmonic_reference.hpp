/// @file
/// An oscillation as a reference.
#pragma once

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

}  // namespace spacedyn
