#include "spacedyn/control/momentum_dumping.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/control/wheel_allocation.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

MomentumDumping::MomentumDumping(std::string name, const Model& model, Settings settings,
                                 std::shared_ptr<const Allocation> allocation)
    : WrenchController(std::move(name), std::move(allocation), 0.0),
      settings_(std::move(settings)) {
  if (!std::isfinite(settings_.gain) || settings_.gain <= 0.0) {
    throw DomainError(owner_prefix(*this) + "the gain must be finite and positive");
  }
  check(model);
}

void MomentumDumping::check(const Model& model) const {
  WrenchController::check(model);
  check_wheels(owner_prefix(*this), model, settings_.wheels);
}

WrenchDemand MomentumDumping::demand(const EvaluationContext& context) const {
  Vector3 momentum = Vector3::Zero();
  for (const int joint : settings_.wheels) {
    momentum += context.model.wheel(joint)->spin_inertia * context.state.qd(joint - 1) *
                context.frames.k[static_cast<std::size_t>(joint)];
  }
  return {-settings_.gain * momentum};
}

}  // namespace spacedyn
