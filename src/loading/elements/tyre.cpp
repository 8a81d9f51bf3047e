#include "loading/elements/force_types.hpp"
#include "loading/keys/fields.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/tyre_force.hpp"

namespace spacedyn::loading {
namespace {

using Tyre = TyreForce::Settings;

const std::vector<std::string> kTyreModels = {"brush", "pacejka"};

constexpr Quantity kTyreLength{Dimension::length, Range::positive};
constexpr Quantity kTyreNumber{Dimension::none, Range::positive};

const Fields<Tyre>& tyre_fields() {
  static const Fields<Tyre> kFields = {
      {"radius", "Radius, m", kTyreLength, [](Tyre& t) -> double& { return t.radius; },
       Presence::required},
      {"width", "Width, m", kTyreLength, [](Tyre& t) -> double& { return t.width; },
       Presence::required},
      {"stiffness",
       "Radial stiffness, N/m",
       {Dimension::linear_stiffness, Range::positive},
       [](Tyre& t) -> double& { return t.stiffness; },
       Presence::required},
      {"damping",
       "Radial damping, N s/m, default 0",
       {Dimension::none, Range::not_negative, false, "N s/m"},
       [](Tyre& t) -> double& { return t.damping; }},
      {"friction", "Coefficient of friction", kTyreNumber,
       [](Tyre& t) -> double& { return t.friction; }, Presence::required},
      {"slip_stiffness", "Force along over load and slip, at small slip", kTyreNumber,
       [](Tyre& t) -> double& { return t.slip_stiffness; }, Presence::required},
      {"cornering_stiffness", "Force across over load and slip angle, at small angles", kTyreNumber,
       [](Tyre& t) -> double& { return t.cornering_stiffness; }, Presence::required},
      {"relaxation_length", "Relaxation length, m, default the radius", kTyreLength,
       [](Tyre& t) -> double& { return t.relaxation_length; }},
      {"rolling_resistance",
       "Resistance over load, default 0",
       {Dimension::none, Range::not_negative},
       [](Tyre& t) -> double& { return t.rolling_resistance; }},
      {"slip_velocity", "Velocity below which slip is regularized, m/s",
       quantity::kVelocity.within(Range::positive),
       [](Tyre& t) -> double& { return t.slip_velocity; }}};
  return kFields;
}

const Fields<Tyre>& pacejka_fields() {
  static const Fields<Tyre> kFields = {{"shape",
                                        "Shape C of pacejka, default 1.65",
                                        quantity::kNumber,
                                        [](Tyre& t) -> double& { return t.shape; },
                                        Presence::optional,
                                        {1.0, 2.0}},
                                       {"curvature",
                                        "Curvature E of pacejka, default 0",
                                        quantity::kNumber,
                                        [](Tyre& t) -> double& { return t.curvature; },
                                        Presence::optional,
                                        {-std::numeric_limits<double>::infinity(), 1.0}}};
  return kFields;
}

void read_tyre(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  Tyre settings;
  const auto link = read_wheel_link(scenario, map);
  const auto model = map.find("model");
  const auto choice =
      model ? read_choice(*model, kTyreModels, map.problems()) : std::optional<std::size_t>(0);
  bool complete = link && choice;
  if (choice && *choice == 1) {
    settings.model = TyreModel::pacejka;
    complete = read_fields(map, pacejka_fields(), settings) && complete;
  } else {
    for (const auto& field : pacejka_fields()) {
      map.refuse(field.key, "only the model 'pacejka' has it");
    }
  }
  complete = read_fields(map, tyre_fields(), settings) && complete;
  if (!map.has("relaxation_length")) settings.relaxation_length = settings.radius;
  if (!complete || !scenario.ground.terrain) return;
  settings.link = *link;
  settings.terrain = scenario.ground.terrain;
  scenario.add_force(std::make_shared<TyreForce>(name, settings));
  check_wheel_start(scenario, map, *link, settings.radius);
}

MappingSchema tyre_schema() {
  MappingSchema schema("A tyre on hard ground");
  schema.require("link", text_schema("On a revolute joint"))
      .allow("model", choice_schema(kTyreModels, "Default brush"));
  describe_fields(tyre_fields(), schema);
  describe_fields(pacejka_fields(), schema);
  schema.add_rule(R"("if": {"properties": {"model": {"const": "pacejka"}}, "required": ["model"]},)"
                  R"( "else": {"properties": {"shape": false, "curvature": false}})");
  return schema;
}

}  // namespace

extern const ForceType kTyreType{"tyre", read_tyre, tyre_schema};

}  // namespace spacedyn::loading
