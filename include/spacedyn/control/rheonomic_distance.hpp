/// @file
/// A distance between two points that follows a reference, or that a winch controls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "spacedyn/forces/tether.hpp"

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

/// A Tether whose ℓ_0 follows a reference: the stretch is ℓ − ℓ_0(t), its damper sees ℓ̇ − ℓ̇_0. The
/// winch has no mass; what it does, −T ℓ̇_0, is work of the tether. It reels in no further than to
/// ℓ_0 = 0, where the reference is negative.
class SPACEDYN_EXPORT WinchTether final : public Tether {
 public:
  /// @param settings     whose rest length is not looked at
  /// @param rest_length  ℓ_0, m, one component
  /// @throws as Tether; DomainError without a reference; DimensionError unless it has one component
  WinchTether(std::string name, Settings settings, std::shared_ptr<const Reference> rest_length);

  std::vector<const Schedule*> schedules() const override { return {rest_length_.get()}; }
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;

 protected:
  Rest rest(const Instant& now) const override;

 private:
  std::shared_ptr<const Reference> rest_length_;
};

}  // namespace spacedyn
