/// @file
/// Joint torques from a function or from outside, for programs that need no class of their own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/joint_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// τ = f(context), computed continuously or sampled and held.
class SPACEDYN_EXPORT FunctionController final : public Controller {
 public:
  using Law = std::function<void(const EvaluationContext& context, VectorRef tau)>;
  /// What a sampled law remembers from one sample to the next, zero at first; it is saved and
  /// restored with the state. Law and update see it as `context.auxiliary`.
  struct Memory {
    int size;
    /// Changes it after the command of a sample; must depend on its arguments only.
    std::function<void(const EvaluationContext& context, VectorRef memory)> update;
  };

  /// @param joint_count    n of the model it is made for
  /// @param law            writes all n joint torques; must depend on its argument only and not
  ///                       allocate
  /// @param sample_period  s; 0 means continuous
  /// @throws DomainError if the period is negative or not finite, there is no law, or memory is
  /// without a period, a size or an update
  FunctionController(std::string name, int joint_count, Law law, double sample_period = 0.0,
                     Memory memory = {});
  /// A law of some joints: no other controller may drive one of them at the same time.
  /// @param joints  1…n, of which the law writes one torque each
  /// @throws DomainError as above, without joints, or if one is named twice
  FunctionController(std::string name, std::vector<int> joints, Law law, double sample_period = 0.0,
                     Memory memory = {});

  double sample_period() const override { return sample_period_; }
  bool looks_at_readings() const override { return true; }
  int command_size() const override { return joint_count_; }
  /// None where the law writes the torques of all joints: which of them it drives is not known.
  DrivenJoints driven_joints() const override { return {joints_, true}; }
  int memory_size() const override { return memory_.size; }
  void advance(const EvaluationContext& context, VectorRef memory) const override {
    if (memory_.size > 0) memory_.update(context, memory);
  }
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override {
    law_(context, command);
  }
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;

 private:
  int joint_count_;  // values of a command
  std::vector<int> joints_ = {};
  Law law_;
  double sample_period_;
  Memory memory_;
};

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
