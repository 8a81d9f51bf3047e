/// @file
/// How magnetic torquers share a torque.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"

namespace spacedyn {

/// Dipoles of torquers on one body that turn it as nearly about a wanted torque N as a field lets
/// them: the least dipole whose torque is the part of N across B [Sidi 1997],
///   m = B × N/|B|²,  d = A⁺ m,  A = [a_i],
/// all made smaller by the same factor where one would be beyond its limit. Whatever the number of
/// torquers, m × B · N ≥ 0.
class SPACEDYN_EXPORT TorquerAllocation {
 public:
  /// @throws DomainError, its text beginning with @p owner, if there are none, one is named twice
  /// or they are on different bodies
  TorquerAllocation(const std::string& owner, std::vector<Torquer> torquers);

  const std::vector<Torquer>& torquers() const { return torquers_; }
  int size() const { return static_cast<int>(torquers_.size()); }
  /// The body that carries them.
  int body() const { return torquers_.front().at.body; }
  /// @param torque  N m, inertial  @param dipoles  out, A m². Allocates nothing.
  void allocate(const EvaluationContext& context, const Vector3& torque, VectorRef dipoles) const;
  /// Adds their torques.
  void apply(const EvaluationContext& context, ConstVectorRef dipoles, Loads& loads) const;
  /// Axes, 0…2 of @p axes (columns, in the body's link frame), about which they have no torque in
  /// any field.
  std::vector<int> axes_without_torque(const Matrix3& axes) const;

 private:
  std::vector<Torquer> torquers_;
  Matrix3X axes_;     // of the torquers, in the link frame of their body
  Matrix3X inverse_;  // (A⁺)ᵀ, a column for each
};

}  // namespace spacedyn
