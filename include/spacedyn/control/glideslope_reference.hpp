/// @file
/// An approach along a line whose speed falls with the distance to go.
#pragma once

#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
