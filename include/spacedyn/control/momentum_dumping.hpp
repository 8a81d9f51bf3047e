/// @file
/// Takes momentum out of reaction wheels by thrusters or magnetic torquers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/control/torquer_allocation.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Thrusters push the whole system with the torque N = −k h about its centroid, h = Σ J Ω a being
/// the spin momentum of the wheels; who holds the attitude by these wheels then lets them run down
/// as e^{−kt}. Openings are continuous between 0 and 1, or modulated.
///
/// Torquers in place of thrusters give the part of N across the magnetic field, see
/// TorquerAllocation: the momentum along the field stays until the field has turned.
class SPACEDYN_EXPORT MomentumDumping final : public Controller {
 public:
  struct Settings {
    std::vector<int> wheels;          ///< joints of reaction wheels on one body
    std::vector<Thruster> thrusters;  ///< of the model
    std::vector<Torquer> torquers;    ///< in place of thrusters
    ThrusterModulation modulation;    ///< of thrusters
    double gain = 0.0;                ///< k, 1/s
  };

  /// @throws DomainError if the gain is not positive and finite, a joint has no wheel, wheels are
  /// named twice or on several bodies, there are thrusters and torquers, or ThrusterAllocation or
  /// TorquerAllocation throws
  MomentumDumping(std::string name, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  /// The thrusters whose openings are its command; null with torquers.
  const ThrusterAllocation* nozzles() const override { return nozzles_.get(); }
  /// The torquers whose dipoles are its command; null with thrusters.
  const TorquerAllocation* torquers() const { return torquers_.get(); }
  /// That of the modulation.
  double sample_period() const override { return settings_.modulation.period; }
  int command_size() const override { return nozzles_ ? nozzles_->size() : torquers_->size(); }
  /// Propellant used by each thruster, kg.
  int auxiliary_size() const override { return nozzles_ ? nozzles_->size() : 0; }
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;

 private:
  Settings settings_;
  std::unique_ptr<const ThrusterAllocation> nozzles_;
  std::unique_ptr<const TorquerAllocation> torquers_;
};

}  // namespace spacedyn
