#include "spacedyn/control/station_keeping.hpp"

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

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
