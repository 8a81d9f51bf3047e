#include "spacedyn/forces/tyre_force.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/tyre_grip.hpp"
#include "forces/wheel_loads.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

/// A tyre on its ground.
struct TyreForce::Grip : TyreGrip<double> {
  WheelStance at;
  bool touches = false;
};

TyreForce::TyreForce(std::string name, const Settings& settings)
    : WheelElement(std::move(name),
                   {settings.link, settings.radius, settings.width, settings.terrain}),
      settings_(settings) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  const auto positive = [](double x) { return std::isfinite(x) && x > 0.0; };
  const auto not_negative = [](double x) { return std::isfinite(x) && x >= 0.0; };
  require(settings.terrain != nullptr, "a tyre needs a terrain");
  require(positive(settings.radius) && not_negative(settings.width),
          "the radius must be positive, the width not negative");
  require(positive(settings.stiffness) && not_negative(settings.damping),
          "the stiffness must be positive, the damping not negative");
  require(positive(settings.friction), "the friction must be positive");
  require(positive(settings.slip_stiffness) && positive(settings.cornering_stiffness),
          "slip and cornering stiffness must be positive");
  require(not_negative(settings.relaxation_length), "the relaxation length must not be negative");
  require(not_negative(settings.rolling_resistance), "the rolling resistance must not be negative");
  require(settings.shape >= 1.0 && settings.shape <= 2.0, "the shape must be from 1 to 2");
  require(settings.curvature <= 1.0 && std::isfinite(settings.curvature),
          "the curvature must be at most 1");
  require(positive(settings.slip_velocity), "the slip velocity must be positive");
  if (settings_.relaxation_length == 0.0) settings_.relaxation_length = settings.radius;
}

TyreForce::~TyreForce() = default;

double TyreForce::mobilized(double x) const { return tyre_mobilized(settings_, x); }

TyreForce::Grip TyreForce::grip(const EvaluationContext& context) const {
  Grip grip;
  grip.at = stance(context);
  grip.touches = grip.at.stands && grip.at.sinkage > 0.0;
  TyreGrip<double>& own = grip;
  const double u_x = context.auxiliary(0), u_y = context.auxiliary(1);
  own = grip.touches ? tyre_grip(settings_, scalars_of(grip.at), u_x, u_y)
                     : released_tyre(settings_, u_x, u_y);
  return grip;
}

void TyreForce::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  const Grip now = grip(context);
  zd(0) = now.rate_x;
  zd(1) = now.rate_y;
}

void TyreForce::declare(Declarations& declared) const {
  WheelElement::declare(declared);
  declared.arrows.push_back(
      {"Force on " + name(),
       "force",
       "N",
       "wheels",
       {"_drawbar_pull_N", "_side_force_N", "_vertical_force_N"},
       [this](const EvaluationContext& context, ConstVectorRef forces, Vector3& origin,
              Vector3& force) {
         const WheelStance now = stance(context);
         // drawbar pull and side force are those of the direction of travel
         const double direction = now.forward + now.rim < 0.0 ? -1.0 : 1.0;
         origin = now.ground.point;
         force = direction * (forces(0) * now.heading - forces(1) * now.axis) + forces(2) * now.up;
       }});
}

void TyreForce::apply(const EvaluationContext& context, Loads& loads) const {
  add(grip(context), context, loads);
}

void TyreForce::add(const Grip& now, const EvaluationContext& context, Loads& loads) const {
  if (!now.touches) return;
  add_at_center(context, settings_.link, now.at, now.loads, loads);
}

WheelReading TyreForce::reading(const EvaluationContext& context) const {
  const Grip now = grip(context);
  WheelReading reading;
  reading.sinkage = now.at.sinkage;
  // in the direction of travel
  const double direction = now.at.forward + now.at.rim < 0.0 ? -1.0 : 1.0;
  const double forward = direction * now.at.forward, rim = direction * now.at.rim;
  const double least = settings_.slip_velocity;
  reading.slip = (rim - forward) / (least * smooth_floor(std::max(forward, rim) / least));
  reading.slip_angle =
      std::atan(direction * now.at.sideward / (least * smooth_floor(std::abs(forward) / least)));
  reading.drawbar_pull = direction * now.loads.x;
  reading.side_force = -direction * now.loads.y;
  reading.vertical_force = now.loads.z;
  reading.resistance_torque = -direction * now.loads.about_y;
  return reading;
}

double TyreForce::stored_energy(const EvaluationContext& context) const {
  const Grip now = grip(context);
  const double h = now.touches ? now.at.sinkage : 0.0;
  return 0.5 * settings_.stiffness * h * h;
}

EnergyRates TyreForce::energy_rates(const EvaluationContext& context) const {
  return energy_rates(grip(context));
}

EnergyRates TyreForce::act(const EvaluationContext& context, Loads& loads, VectorRef rate) const {
  const Grip now = grip(context);
  add(now, context, loads);
  rate << now.rate_x, now.rate_y;
  return energy_rates(now);
}

EnergyRates TyreForce::energy_rates(const Grip& now) const {
  if (!now.touches) return {};
  const double spring = settings_.stiffness * now.at.sinkage * now.at.sinkage_rate;
  return {spring, -power_of(now.loads, now.at) - spring};
}

bool TyreForce::differentiate(const EvaluationContext& context,
                              LoadDerivatives& derivatives) const {
  constexpr int kStanceVariables = 7;  // the scalars of a stance and the deflection
  using Number = Dual<kStanceVariables>;
  const WheelVariation wheel(context, mount());
  const WheelStance& at = wheel.stance();
  const bool touches = at.stands && at.sinkage > 0.0;
  const Number u_x = Number::variable(context.auxiliary(0), 5),
               u_y = Number::variable(context.auxiliary(1), 6);
  const TyreGrip<Number> grip =
      touches ? tyre_grip(settings_, variables_of<kStanceVariables>(at), u_x, u_y)
              : released_tyre(settings_, u_x, u_y);
  const Eigen::Index row = derivatives.slice;
  const WheelLoads<double> now = values_of(grip.loads);
  if (touches) {
    wheel.for_each_change([&](const WheelChange& change, bool by_velocity, Eigen::Index column) {
      wheel.add(
          change, now, change_of(grip.loads, change.scalars),
          (by_velocity ? derivatives.force_velocity : derivatives.force_configuration).col(column));
      auto rate =
          (by_velocity ? derivatives.rate_velocity : derivatives.rate_configuration).col(column);
      rate(row) += change_of(grip.rate_x, change.scalars);
      rate(row + 1) += change_of(grip.rate_y, change.scalars);
    });
  }
  for (const Eigen::Index k : {0, 1}) {
    const auto variable = static_cast<std::size_t>(5 + k);
    if (touches)
      wheel.add({}, {}, slopes_of(grip.loads, variable), derivatives.force_auxiliary.col(row + k));
    derivatives.rate_auxiliary(row, row + k) += grip.rate_x.slope[variable];
    derivatives.rate_auxiliary(row + 1, row + k) += grip.rate_y.slope[variable];
  }
  return true;
}

}  // namespace spacedyn
