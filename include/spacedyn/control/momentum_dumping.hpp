/// @file
/// Takes momentum out of reaction wheels by thrusters.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Thrusters push the whole system with the torque N = −k h about its centroid, h = Σ J Ω a being
/// the spin momentum of the wheels; who holds the attitude by these wheels then lets them run down
/// as e^{−kt}. Openings are continuous between 0 and 1.
class SPACEDYN_EXPORT MomentumDumping final : public Controller {
 public:
  struct Settings {
    std::vector<int> wheels;          ///< joints of reaction wheels on one body
    std::vector<Thruster> thrusters;  ///< of the model
    double gain = 0.0;                ///< k, 1/s
  };

  /// @throws DomainError if the gain is not positive and finite, a joint has no wheel, wheels are
  /// named twice or on several bodies, or ThrusterAllocation does
  MomentumDumping(std::string name, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  /// Its command are the openings of these thrusters.
  const ThrusterAllocation& allocation() const { return allocation_; }
  int command_size() const override { return allocation_.size(); }
  /// Propellant used by each thruster, kg.
  int auxiliary_size() const override { return allocation_.size(); }
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;

 private:
  Settings settings_;
  ThrusterAllocation allocation_;
};

}  // namespace spacedyn
