#include "spacedyn/control/station_keeping.hpp"

#include <cmath>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

void demand(bool condition, const std::string& message) {
  if (!condition) throw DomainError(message);
}

bool are_gains(const Vector3& gain) { return gain.allFinite() && gain.minCoeff() >= 0.0; }

bool is_duration(double value) { return std::isfinite(value) && value >= 0.0; }

}  // namespace

StationKeeping::StationKeeping(std::string name, const Model& model, Settings settings)
    : Controller(std::move(name)),
      settings_(std::move(settings)),
      nozzles_(owner_prefix(*this), settings_.thrusters, settings_.modulation) {
  const std::string owner = owner_prefix(*this);
  demand(are_gains(settings_.stiffness), owner + "stiffness must be finite and not negative");
  demand(are_gains(settings_.damping), owner + "damping must be finite and not negative");
  demand(!settings_.stiffness.isZero(0.0) || !settings_.damping.isZero(0.0),
         owner + "it has no gain that is not zero");
  demand(is_duration(settings_.dead_band), owner + "dead_band must be finite and not negative");
  demand(is_duration(settings_.sample_period),
         owner + "sample_period must be finite and not negative");
  demand(settings_.reference != nullptr, owner + "it has no reference");
  check_same_size(owner + "the reference", settings_.reference->size(), 3);
  if (settings_.modulation.acts()) settings_.sample_period = settings_.modulation.period;
  body_ = settings_.thrusters.front().at.body;
  for (const Thruster& thruster : settings_.thrusters) {
    demand(thruster.at.body == body_, owner + '\'' + thruster.name + "' and '" +
                                          settings_.thrusters.front().name +
                                          "' are on different bodies");
  }
  check(model);
  nozzles_.connect(model);
}

void StationKeeping::check(const Model& model) const { check_body(*this, body_, model); }

void StationKeeping::command(const EvaluationContext& context, VectorRef command) const {
  const auto at = static_cast<std::size_t>(body_);
  Vector3 place, velocity;
  for (int i = 0; i < 3; ++i) {
    const ReferenceValue wanted = settings_.reference->evaluate(i, context.time);
    place(i) = wanted.position;
    velocity(i) = wanted.velocity;
  }
  Vector3 error = place - context.frames.r[at];
  const double band = settings_.dead_band;
  if (band > 0.0) error -= Vector3(error.cwiseMax(-band).cwiseMin(band));
  const Vector3 rate = velocity - context.velocities.v[at];
  const Vector3 force =
      settings_.stiffness.cwiseProduct(error) + settings_.damping.cwiseProduct(rate);
  nozzles_.allocate_force(context, force, command);
}

void StationKeeping::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  command(context, zd);
  nozzles_.flow(zd, zd);
}

void StationKeeping::apply(const EvaluationContext& context, ConstVectorRef command,
                           Loads& loads) const {
  nozzles_.apply(context, command, loads);
}

void StationKeeping::append_discontinuities(std::vector<double>& times) const {
  if (settings_.sample_period > 0.0) return;  // sees its reference at sample instants only
  settings_.reference->append_discontinuities(times);
}

}  // namespace spacedyn
