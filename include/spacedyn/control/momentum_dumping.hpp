/// @file
/// Takes momentum out of reaction wheels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/wrench_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Asks for the torque N = −k h, h = Σ J Ω a being the spin momentum of wheels; who holds the
/// attitude by these wheels then lets them run down as e^{−kt}.
///
/// Torquers give the part of N across the magnetic field: the momentum along the field stays until
/// the field has turned. Other wheels or gyros take the momentum over.
class SPACEDYN_EXPORT MomentumDumping final : public WrenchController {
 public:
  struct Settings {
    std::vector<int> wheels;  ///< joints of reaction wheels, whose momentum is taken out
    double gain = 0.0;        ///< k, 1/s
  };

  /// @throws DomainError if the gain is not positive and finite, a joint has no wheel, or wheels
  /// are named twice
  MomentumDumping(std::string name, const Model& model, Settings settings,
                  std::shared_ptr<const Allocation> allocation);

  const Settings& settings() const { return settings_; }
  void check(const Model& model) const override;
  WrenchDemand demand(const EvaluationContext& context) const override;

 private:
  Settings settings_;
};

}  // namespace spacedyn
