#include "spacedyn/control/momentum_dumping.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
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

StationKeeping::StationKeeping(std::string name, Settings settings,
                               std::shared_ptr<const Allocation> allocation)
    : WrenchController(std::move(name), std::move(allocation), settings.sample_period),
      settings_(std::move(settings)) {
  const std::string owner = owner_prefix(*this);
  settings_.check(owner);
  if (!settings_.reference) throw DomainError(owner + "it has no reference");
  check_same_size(owner + "the reference", settings_.reference->size(), 3);
  if (this->allocation().has_force()) return;
  throw DomainError(owner + "its " + this->allocation().kind() + " have no force");
}

WrenchDemand StationKeeping::demand(const EvaluationContext& context) const {
  const auto at = static_cast<std::size_t>(allocation().body());
  Vector3 place, velocity;
  for (int i = 0; i < 3; ++i) {
    const ReferenceValue wanted = settings_.reference->at(i, context.instant());
    place(i) = wanted.position;
    velocity(i) = wanted.velocity;
  }
  WrenchDemand demand;
  demand.force =
      settings_.feedback(place - context.frames.r[at], velocity - context.velocities.v[at]);
  demand.counts_force = true;
  return demand;
}

}  // namespace spacedyn
