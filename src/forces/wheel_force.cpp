#include "spacedyn/forces/wheel_force.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/rut_trace.hpp"
#include "forces/wheel_slips.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

/// What acts on the wheel, and what is recorded of it.
struct WheelForce::Contact {
  WheelLoads<double> loads;
  WheelReading reading;

  void add(const WheelSoilForce& force, const SoilContact<double>& at, double share,
           double direction) {
    add_soil_force(force, share, direction, loads);
    reading.slip += share * at.slip;
    reading.slip_angle += share * at.slip_angle;
    reading.drawbar_pull += share * force.drawbar_pull;
    reading.side_force += share * force.side_force;
    reading.vertical_force += share * force.vertical_force;
    reading.resistance_torque += share * force.resistance_torque;
  }
};

namespace {

SoilLayers<double> layers_under(const std::vector<RutTrace>& traces, const WheelStance& stance,
                                const EvaluationContext& context) {
  return {traces.size(), [&](std::size_t i) {
            return traces[i].at(stance.ground.point, RutTrace::states_of(context.auxiliary, i));
          }};
}

/// With their derivatives in time. @param rate_of  ż of a trace, by its number
template <typename RateOf>
SoilLayers<Dual<1>> moving_layers_under(const std::vector<RutTrace>& traces,
                                        const WheelStance& stance, const EvaluationContext& context,
                                        const RateOf& rate_of) {
  return {traces.size(), [&](std::size_t i) {
            return traces[i].at(stance.ground.point, stance.ground_velocity(),
                                RutTrace::states_of(context.auxiliary, i), rate_of(i));
          }};
}

}  // namespace

WheelForce::WheelForce(std::string name, const Settings& settings)
    : WheelElement(std::move(name),
                   {settings.link, settings.wheel.radius, settings.wheel.width, settings.terrain}),
      settings_(settings),
      model_(settings.wheel, settings.soil, settings.gravity) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  require(settings.terrain != nullptr, "a wheel needs a terrain");
  require(std::isfinite(settings.sinkage_damping) && settings.sinkage_damping >= 0.0,
          "the sinkage damping must not be negative");
  require(std::isfinite(settings.slip_velocity) && settings.slip_velocity > 0.0,
          "the slip velocity must be positive");
  if (settings.follows.empty()) return;
  require(settings.follows.size() <= kMostLeaders, "a wheel follows at most 4 others");
  require(settings.soil.unloading_modulus[0] + settings.soil.unloading_modulus[1] > 0.0,
          "a wheel that follows another needs a soil with an unloading modulus");
  require(std::isfinite(settings.rut_length) && settings.rut_length >= 0.0,
          "the length of the rut must be positive");
  const double length =
      settings.rut_length > 0.0 ? settings.rut_length : 24.0 * settings.wheel.radius;
  for (const Mount& leader : settings.follows) {
    require(leader.terrain != nullptr, "a wheel that others follow needs a terrain");
    require(leader.link != settings.link, "a wheel cannot follow itself");
    traces_.emplace_back(leader, settings.wheel.width, length, settings.slip_velocity);
  }
}

int WheelForce::auxiliary_size() const {
  return static_cast<int>(traces_.size()) * RutTrace::kStates;
}

void WheelForce::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  for (std::size_t i = 0; i < traces_.size(); ++i) {
    traces_[i].rate(wheel_stance(traces_[i].leader(), context),
                    RutTrace::states_of(context.auxiliary, i), RutTrace::states_of(zd, i));
  }
}

WheelForce::~WheelForce() = default;

WheelForce::Contact WheelForce::contact(const WheelStance& stance,
                                        const SoilLayers<double>& layers) const {
  Contact contact;
  contact.reading.sinkage = stance.sinkage;
  if (!stance.stands) return contact;
  for_each_soil_contact(scalars_of(stance), settings_, layers,
                        [&](const SoilContact<double>& at, double share, double direction) {
                          contact.add(model_.force({at.sinkage, at.slip, at.lateral, at.slip_angle,
                                                    at.pressing, at.pressed}),
                                      at, share, direction);
                        });
  return contact;
}

void WheelForce::declare(Declarations& declared) const {
  WheelElement::declare(declared);
  declared.track = [this](const LinkFrames& frames) -> TrackPoint {
    const WheelPose pose = wheel_pose(mount(), frames);
    // across the track, along the ground
    const Vector3 across = 0.5 * mount().width * pose.ground.normal.cross(pose.heading);
    return {pose.ground.point + across, pose.ground.point - across,
            pose.stands ? pose.sinkage : 0.0};
  };
}

void WheelForce::apply(const EvaluationContext& context, Loads& loads) const {
  const WheelStance at = stance(context);
  if (!at.stands || at.sinkage <= 0.0) return;
  const Contact now = contact(at, layers_under(traces_, at, context));
  add_at_center(context, settings_.link, at, now.loads, loads);
}

WheelReading WheelForce::reading(const EvaluationContext& context) const {
  const WheelStance at = stance(context);
  return contact(at, layers_under(traces_, at, context)).reading;
}

double WheelForce::stored_energy(const EvaluationContext& context) const {
  const WheelStance at = stance(context);
  if (traces_.empty() || !at.stands) return model_.pressing_work(at.sinkage);
  const auto layers = layers_under(traces_, at, context);
  double energy = 0.0;
  for (std::size_t i = 0; i < layers.count; ++i) {
    const double pressed = layers.pressed[i];
    energy += layers.share[i] * (pressed > 0.0 ? model_.pressing_work(at.sinkage, pressed).work
                                               : model_.pressing_work(at.sinkage));
  }
  return energy;
}

double WheelForce::pressing_rate(const WheelStance& at, const SoilLayers<Dual<1>>& layers) const {
  const auto untouched = [&] {
    return model_.force(at.sinkage, 0.0, 0.0).vertical_force * at.sinkage_rate;
  };
  if (traces_.empty()) return untouched();
  double rate = 0.0;
  for (std::size_t i = 0; i < layers.count; ++i) {
    const Dual<1>& share = layers.share[i];
    const Dual<1>& pressed = layers.pressed[i];
    if (share.value == 0.0 && share.slope[0] == 0.0) continue;
    if (pressed.value > 0.0) {
      const auto work = model_.pressing_work(at.sinkage, pressed.value);
      rate += share.slope[0] * work.work + share.value * (work.by_sinkage * at.sinkage_rate +
                                                          work.by_pressed * pressed.slope[0]);
    } else {
      rate += share.value * untouched();
      if (share.slope[0] != 0.0) rate += share.slope[0] * model_.pressing_work(at.sinkage);
    }
  }
  return rate;
}

EnergyRates WheelForce::energy_rates(const EvaluationContext& context) const {
  const WheelStance at = stance(context);
  if (!at.stands || at.sinkage <= 0.0) return {};
  Eigen::Matrix<double, RutTrace::kStates, 1> rate;
  const auto layers = moving_layers_under(
      traces_, at, context, [&](std::size_t i) -> auto& {
        traces_[i].rate(wheel_stance(traces_[i].leader(), context),
                        RutTrace::states_of(context.auxiliary, i), rate);
        return rate;
      });
  return energy_rates(at, contact(at, layers.values()), layers);
}

EnergyRates WheelForce::energy_rates(const WheelStance& at, const Contact& now,
                                     const SoilLayers<Dual<1>>& layers) const {
  const double pressing = pressing_rate(at, layers);
  return {pressing, -power_of(now.loads, at) - pressing};
}

EnergyRates WheelForce::act(const EvaluationContext& context, Loads& loads, VectorRef rate) const {
  auxiliary_rate(context, rate);
  const WheelStance at = stance(context);
  if (!at.stands || at.sinkage <= 0.0) return {};
  const auto layers = moving_layers_under(
      traces_, at, context, [&](std::size_t i) { return RutTrace::states_of(rate, i); });
  const Contact now = contact(at, layers.values());
  add_at_center(context, settings_.link, at, now.loads, loads);
  return energy_rates(at, now, layers);
}

}  // namespace spacedyn
