/// @file
/// Laws that ask for a wrench, with the actuators that realize it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/allocation.hpp"
#include "spacedyn/control/controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// A law whose demand an allocation realizes: each law works with each allocation that has what it
/// asks for.
class SPACEDYN_EXPORT WrenchController : public Controller {
 public:
  const Allocation& allocation() const { return *allocation_; }
  /// That of the modulation of thrusters, if they have one.
  double sample_period() const override { return sample_period_; }
  int command_size() const override { return allocation_->command_size(); }
  const ThrusterValves* valves() const override { return allocation_->valves(); }
  /// Propellant used by each thruster, kg.
  int auxiliary_size() const override;
  void state_rate(const EvaluationContext& context, ConstVectorRef command,
                  VectorRef zd) const override;
  /// @throws DomainError if the actuators are not of the model
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  void declare(Declarations& declared) const override;
  /// What the law asks for.
  virtual WrenchDemand demand(const EvaluationContext& context) const = 0;

 protected:
  /// @throws DomainError without an allocation, or if the period is negative or not finite
  WrenchController(std::string name, std::shared_ptr<const Allocation> allocation,
                   double sample_period);

 private:
  std::shared_ptr<const Allocation> allocation_;
  double sample_period_;
};

/// Gains of feedback along or about three axes.
struct AxisGains {
  Vector3 stiffness = Vector3::Zero();  ///< K, N/m or N m/rad
  Vector3 damping = Vector3::Zero();    ///< D, N s/m or N m s/rad
  double dead_band = 0.0;               ///< each component of an error is less by it, or zero

  /// @throws DomainError, its text beginning with @p owner, if one is negative or not finite, or no
  /// gain is other than zero
  void check(const std::string& owner) const;
  /// Whether an axis has a gain.
  bool act_on(int axis) const { return stiffness(axis) + damping(axis) != 0.0; }
  /// K e + D ė, e without what is within the dead band.
  Vector3 feedback(const Vector3& error, const Vector3& rate) const;
};

}  // namespace spacedyn
