#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/tyre_force.hpp"

namespace spacedyn::loading {
namespace {

using Tyre = TyreForce::Settings;

Mapping<Tyre> tyre_keys() {
  using namespace kind;
  const Quantity length = positive(kLength), factor = positive(kNumber);
  const char* only_pacejka = "only the model 'pacejka' has it";
  Mapping<Tyre> keys("A tyre on hard ground");
  keys.require("link", &Tyre::link, wheel_link());
  keys.allow("model", &Tyre::model, choice<TyreModel>({"brush", "pacejka"}, "Default brush"));
  keys.require("radius", &Tyre::radius, number(length, "Radius, m"));
  keys.require("width", &Tyre::width, number(length, "Width, m"));
  keys.require("stiffness", &Tyre::stiffness,
               number(positive(kLinearStiffness), "Radial stiffness, N/m"));
  keys.allow("damping", &Tyre::damping,
             number(not_negative(in("N s/m")), "Radial damping, N s/m, default 0"));
  keys.require("friction", &Tyre::friction, number(factor, "Coefficient of friction"));
  keys.require("slip_stiffness", &Tyre::slip_stiffness,
               number(factor, "Force along over load and slip, at small slip"));
  keys.require("cornering_stiffness", &Tyre::cornering_stiffness,
               number(factor, "Force across over load and slip angle, at small angles"));
  keys.allow("relaxation_length", &Tyre::relaxation_length,
             number(length, "Relaxation length, m, default the radius"));
  keys.allow("rolling_resistance", &Tyre::rolling_resistance,
             number(not_negative(kNumber), "Resistance over load, default 0"));
  keys.allow("slip_velocity", &Tyre::slip_velocity,
             number(positive(kVelocity), "Velocity below which slip is regularized, m/s"));
  keys.allow("shape", &Tyre::shape, number(kNumber, "Shape C of pacejka, default 1.65", {1.0, 2.0}))
      .when("model", "pacejka", only_pacejka);
  keys.allow("curvature", &Tyre::curvature,
             number(kNumber, "Curvature E of pacejka, default 0",
                    {-std::numeric_limits<double>::infinity(), 1.0}))
      .when("model", "pacejka", only_pacejka);
  return keys;
}

void add_tyre(Reading& reading, const std::string& name, Tyre& tyre) {
  if (!reading.scenario->ground.terrain) return;
  tyre.terrain = reading.scenario->ground.terrain;
  reading.scenario->add_force(std::make_shared<TyreForce>(name, tyre));
  check_wheel_start(*reading.scenario, reading.map, tyre.link, tyre.radius);
}

}  // namespace

extern const ForceType kTyreType = force_type<tyre_keys>("tyre", add_tyre);

}  // namespace spacedyn::loading
