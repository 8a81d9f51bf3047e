/// @file
/// A tether whose length without force a winch changes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/forces/tether.hpp"

namespace spacedyn {

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
