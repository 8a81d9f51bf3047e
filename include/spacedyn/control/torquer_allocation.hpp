/// @file
/// How magnetic torquers share a torque.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/allocation.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"

namespace spacedyn {

/// Dipoles of torquers on one body that turn it as nearly about a wanted torque N as a field lets
/// them: the least dipole whose torque is the part of N across B [Sidi 1997],
///   m = B × N/|B|²,  d = A⁺ m,  A = [a_i],
/// all made smaller by the same factor where one would be beyond its limit. Whatever the number of
/// torquers, m × B · N ≥ 0.
class SPACEDYN_EXPORT TorquerAllocation final : public Allocation {
 public:
  /// @throws DomainError, its text beginning with @p owner, if there are none, one is named twice
  /// or they are on different bodies
  TorquerAllocation(const std::string& owner, const Model& model, std::vector<Torquer> torquers);

  const std::vector<Torquer>& torquers() const { return torquers_; }
  int size() const { return static_cast<int>(torquers_.size()); }
  int command_size() const override { return size(); }
  /// Axes about which they have no torque in any field.
  std::vector<int> idle_axes(const Model& model) const override;
  /// @param command  dipoles, A m²
  void allocate(const EvaluationContext& context, const WrenchDemand& demand,
                VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  void append_outputs(const std::string& controller,
                      std::vector<ActuatorOutput>& outputs) const override;

 private:
  std::vector<Torquer> torquers_;
  Matrix3X directions_;  // of the torquers, in the link frame of their body
  Matrix3X inverse_;     // (A⁺)ᵀ, a column for each
};

}  // namespace spacedyn
