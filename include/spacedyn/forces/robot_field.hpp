/// @file
/// What fields that attract all bodies have in common.
#pragma once

#include <vector>

#include "spacedyn/forces/acceleration_field.hpp"

namespace spacedyn {

/// A field that attracts all bodies. Gravity is taken at each of them, with its gradient, or, where
/// the model has been divided, at the centroid of each robot.
class SPACEDYN_EXPORT RobotField : public ForceElement, public AccelerationField {
 public:
  /// @throws DomainError if another model has been divided
  void check(const Model& model) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override {
    attract(context, &loads);
  }
  EnergyRates energy_rates(const EvaluationContext& context) const override {
    return attract(context, nullptr);
  }
  EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef) const override {
    return attract(context, &loads);
  }

 protected:
  using ForceElement::ForceElement;
  void divide(const Model& model);
  /// Adds the loads unless null.
  virtual EnergyRates attract(const EvaluationContext& context, Loads* loads) const = 0;

  std::vector<int> robots_;  // of each body; empty unless divided
  int robot_count_ = 1;
};

}  // namespace spacedyn
