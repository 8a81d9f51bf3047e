/// @file
/// A transfer between two points of a local orbital frame by two changes of the velocity.
#pragma once

#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Free motion about a circular orbit [Clohessy & Wiltshire 1960] from rest at one point to another
/// in a given time, where it stays at rest. x is outward, y along the track, z along the normal.
///
/// With τ = n t, s = sin τ, c = cos τ the velocity v of departure solves
///
///     ⎡   s       2(1 − c)⎤ ⎡v_x⎤     ⎡x − (4 − 3c) x_0    ⎤
///     ⎣−2(1 − c)  4s − 3τ ⎦ ⎣v_y⎦ = n ⎣y − y_0 − 6(s − τ) x_0⎦,   s v_z = n (z − c z_0).
///
/// It begins and ends with a jump of the velocity, so it is no motion that can be imposed.
class SPACEDYN_EXPORT TwoImpulseReference final : public Reference {
 public:
  /// @param rate  n of the orbit, rad/s
  /// @param duration  s
  /// @throws DomainError if rate or duration is not positive, a number is not finite or
  /// is_singular()
  TwoImpulseReference(const Vector3& from, const Vector3& to, double from_time, double duration,
                      double rate);

  /// Whether no velocity, or none of moderate size, leads there in this time: the determinant
  /// 8(1 − c) − 3τ s in the plane is below τ/1000, as it is after whole revolutions; out of it s is
  /// below 1/1000 and z ≠ c z_0.
  static bool is_singular(const Vector3& from, const Vector3& to, double duration, double rate);

  int size() const override { return 3; }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;
  /// Change of the velocity at departure, m/s.
  const Vector3& departure() const { return departure_; }
  /// Change of the velocity at arrival, m/s.
  Vector3 arrival() const;

 private:
  ReferenceValue drift(int component, double since) const;

  Vector3 from_, to_, departure_ = Vector3::Zero();
  double from_time_, duration_, rate_;
};

}  // namespace spacedyn
