/// @file
/// Torques that come from outside of a run.
#pragma once

#include <string>

#include "spacedyn/control/joint_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Joint torques that a program gives while it steps a simulation, see Simulation::command().
///
/// At each sample the latest torques are taken, limited, delayed and held. They are what the
/// controller remembers, zero at the start, so that a run which nothing commands has none.
class SPACEDYN_EXPORT ExternalController final : public JointController {
 public:
  /// Stiffness, damping and reference are not used.
  using Settings = JointTracking;

  /// @throws DomainError without joints, if a joint is named twice, a limit is not positive, or the
  /// sample period is not finite and positive; DimensionError if limits do not fit the joints
  ExternalController(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  const JointTracking& tracking() const override { return settings_; }
  void declare(Declarations& declared) const override;
  int memory_size() const override { return command_size(); }
  void command(const EvaluationContext& context, VectorRef command) const override;
  /// The torques do not depend on the state.
  bool differentiate(const EvaluationContext&, ConstVectorRef, CommandMode,
                     LoadDerivatives&) const override {
    return true;
  }

 private:
  Settings settings_;
};

}  // namespace spacedyn
