/// @file
/// A distance between two points that follows a reference.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/motion_constraint.hpp"

namespace spacedyn {

/// A loop of type distance whose length is a function of time: |r_to − r_from| = ℓ(t).
///
/// What its force does at the rate ℓ̇ is work of a source of its name.
class SPACEDYN_EXPORT RheonomicDistance final : public MotionConstraint {
 public:
  struct Settings {
    Frame from, to;                           ///< of two bodies
    std::shared_ptr<const Reference> length;  ///< ℓ, m, one component, without jumps of velocity
  };

  /// @throws DomainError without a reference; DimensionError unless it has one component
  RheonomicDistance(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  /// @throws DomainError if a point is on no body of the model or both are on one
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  std::vector<const Schedule*> schedules() const override { return {settings_.length.get()}; }
  int row_count() const override { return 1; }
  std::vector<int> bodies() const override { return {settings_.to.body, settings_.from.body}; }
  bool is_on_ground() const override { return false; }
  void rows(const EvaluationContext& context, MotionRows& rows) const override;

 private:
  Settings settings_;
};

}  // namespace spacedyn
