#include <algorithm>

#include "loading/keys/time_series.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kNormalLaws = {"linear", "hunt_crossley", "rigid"};
const std::vector<std::string> kFrictionLaws = {"coulomb", "bristle"};
const std::vector<std::string> kRigidFrictionLaws = {"coulomb", "rigid"};

using Normal = NormalContact::Settings;
using Friction = ContactFriction;
using Rigid = RigidContact::Settings;

constexpr Quantity kContactStiffness{Dimension::linear_stiffness, Range::positive};
constexpr Quantity kContactFactor{Dimension::none, Range::not_negative};
constexpr Quantity kSlidingSpeed{Dimension::velocity, Range::positive};
constexpr Quantity kFrictionLength{Dimension::length, Range::not_negative};

Mapping<Normal> linear_keys() {
  using namespace kind;
  Mapping<Normal> keys("A spring and a damper, without adhesion");
  keys.require("stiffness", &Normal::stiffness, kContactStiffness, "Stiffness, N/m");
  return keys.allow("damping", &Normal::damping, not_negative(in("N s/m")),
                    "Damping, N s/m, default 0");
}

Mapping<Normal> hunt_crossley_keys() {
  using namespace kind;
  Mapping<Normal> keys("Damping in proportion to the elastic force, by restitution");
  keys.allow("exponent", &Normal::exponent, positive(kNumber), "Of the depth, default 1.5",
             {1.0, 10.0});
  keys.require("stiffness", &Normal::stiffness, positive(in("N/m^exponent")),
               "Stiffness, N/m^exponent");
  keys.require("restitution", &Normal::restitution, kContactFactor,
               "Coefficient of restitution, from 0 to 1", kAtMostOne);
  return keys.allow("least_impact_speed", &Normal::least_impact_speed, kSlidingSpeed,
                    "Slower impacts give more back, m/s");
}

Mapping<Rigid> rigid_normal_keys() {
  Mapping<Rigid> keys("Bodies that do not yield");
  keys.require("restitution", &Rigid::restitution, kContactFactor,
               "Coefficient of restitution, from 0 to 1", kAtMostOne);
  return keys.allow("impact", &Rigid::impact,
                    kind::choice<ImpactLaw>({"newton", "poisson"},
                                            "Restitution of velocities (default) or of impulses"));
}

/// What sticks is held by as much at least as what slides.
void check_sticking(MapReader& map, double sliding, double& sticking) {
  if (!map.has("static_coefficient")) sticking = sliding;
  if (sticking >= sliding) return;
  map.error_at("static_coefficient", "expected at least the coefficient of sliding, " +
                                         format_number(sliding) + ", got " +
                                         format_number(sticking));
}

Mapping<Friction> friction_keys() {
  using namespace kind;
  Mapping<Friction> keys;
  keys.require("coefficient", &Friction::coefficient, kContactFactor, "Of sliding");
  keys.allow("static_coefficient", &Friction::static_coefficient, kContactFactor,
             "Of sticking, default that of sliding");
  keys.allow("rolling", &Friction::rolling, kFrictionLength,
             "Coefficient of rolling, m, default 0");
  keys.allow("spinning", &Friction::spinning, kFrictionLength,
             "Coefficient of spinning, m, default 0");
  keys.allow("slip_rate", &Friction::slip_rate, positive(kRate),
             "Rate below which rolling and spinning are regularized, rad/s");
  keys.allow("stribeck_velocity", &Friction::stribeck_velocity, kSlidingSpeed,
             "Velocity over which sticking becomes sliding, m/s");
  return keys.check([](Friction& friction, Reading& reading) {
    if (!reading.map.has("stribeck_velocity")) {
      friction.stribeck_velocity = std::max(10.0 * friction.slip_velocity, 1e-12);
    }
    check_sticking(reading.map, friction.coefficient, friction.static_coefficient);
  });
}

Mapping<Friction> coulomb_keys() {
  return friction_keys().allow("slip_velocity", &Friction::slip_velocity, kSlidingSpeed,
                               "Velocity below which sliding is regularized, m/s");
}

Mapping<Friction> bristle_keys() {
  using namespace kind;
  return friction_keys()
      .require("stiffness", &Friction::stiffness, kContactStiffness, "Of the bristles, N/m")
      .require("damping", &Friction::damping, positive(in("N s/m")), "Of the bristles, N s/m");
}

Mapping<Rigid> rigid_friction_keys() {
  Mapping<Rigid> keys("Exact Coulomb friction; absent: none");
  const auto describe = [](MappingSchema& schema) {
    schema.allow("law", choice_schema(kRigidFrictionLaws));
  };
  keys.group({describe, [](Reading& reading, Rigid&) {
                const auto law = reading.map.find("law");
                return !law || read_choice(*law, kRigidFrictionLaws, reading.problems());
              }});
  keys.require("coefficient", &Rigid::friction, kContactFactor, "Of sliding and of impacts");
  keys.allow("static_coefficient", &Rigid::static_friction, kContactFactor,
             "Of sticking, default that of sliding");
  return keys.check([](Rigid& rigid, Reading& reading) {
    check_sticking(reading.map, rigid.friction, rigid.static_friction);
  });
}

Json law_schema(const char* law, const MappingTable& keys) {
  MappingSchema schema(keys.title());
  schema.require("law", constant_schema(law));
  keys.describe(schema);
  return schema;
}

Json contact_friction_schema() {
  MappingSchema schema("Friction; absent: none");
  schema.allow("law", choice_schema(kFrictionLaws, "Default coulomb"));
  once<coulomb_keys>().describe(schema);
  once<bristle_keys>().describe(schema, Presence::optional);
  const Json bristle =
      all_rules({required_rule({"stiffness", "damping"}), no_key_rule({"slip_velocity"})});
  return schema.add_rule(
      if_rule(value_rule("law", "bristle"), bristle, no_key_rule({"stiffness", "damping"})));
}

Json contact_schema() {
  const Json normal = one_of_schema({law_schema("linear", once<linear_keys>()),
                                     law_schema("hunt_crossley", once<hunt_crossley_keys>()),
                                     reference_schema("rigid_contact_normal")},
                                    "The law of the normal force");
  MappingSchema schema("Shapes that may touch, and what they answer");
  schema.allow("name", text_schema())
      .require("between",
               one_of_schema({constant_schema("all"), list_schema(text_schema(), 2)},
                             "Two of shapes, links, terrain and all; or all among themselves"))
      .require("normal", normal)
      .allow("friction", {{"title", "Friction; absent: none"}, {"type", "object"}})
      .allow("penetrating_start", boolean_schema("Whether shapes may overlap at the start"))
      .add_rule(if_rule(
          {{"properties", {{"normal", {{"properties", {{"law", constant_schema("rigid")}}}}}}}},
          {{"properties",
            {{"penetrating_start", false},
             {"friction", reference_schema("rigid_contact_friction")}}}},
          {{"properties", {{"friction", contact_friction_schema()}}}}));
  return schema;
}

/// Whether the normal law of a contact is `rigid`.
bool has_rigid_law(MapReader& map) {
  const auto normal = map.find("normal");
  return normal && normal->node->text_at("law") == "rigid";
}

Rigid read_rigid_laws(MapReader& map) {
  Rigid settings;
  MapReader normal(*map.find("normal"), map.context());
  normal.find("law");
  once<rigid_normal_keys>().read(normal, settings);
  normal.finish();
  if (const auto friction = map.find("friction")) {
    once<rigid_friction_keys>().read_whole(*friction, map.context(), settings);
  }
  return settings;
}

std::optional<Normal> read_normal(MapReader& map) {
  const auto value = map.require("normal", "a mapping with the 'law' of the normal force");
  if (!value) return std::nullopt;
  MapReader own(*value, map.context());
  const ErrorMark errors(map.problems());
  Normal normal;
  const auto choice = require_choice(own, "law", kNormalLaws);
  if (!choice) {
    own.report_missing();
    return std::nullopt;
  }
  if (*choice == 0) normal.law = NormalContactLaw::linear;
  const bool is_right =
      (*choice == 0 ? once<linear_keys>() : once<hunt_crossley_keys>()).read(own, normal);
  own.finish();
  if (!is_right || errors.found()) return std::nullopt;
  return normal;
}

std::optional<Friction> read_friction(MapReader& map) {
  Friction friction;
  const auto value = map.find("friction");
  if (!value) return friction;
  MapReader own(*value, map.context());
  const ErrorMark errors(map.problems());
  const bool is_bristle = find_choice(own, "law", kFrictionLaws) == 1U;
  if (is_bristle) friction.law = FrictionLaw::bristle;
  (is_bristle ? once<bristle_keys>() : once<coulomb_keys>()).read(own, friction);
  own.finish();
  if (errors.found()) return std::nullopt;
  return friction;
}

void read_contact(ScenarioContext& scenario, MapReader& map, const std::string& name,
                  const Value& value) {
  const ErrorMark errors(map.problems());
  const std::shared_ptr<const Terrain>& terrain = scenario.ground.terrain;
  ContactPlace place{nullptr, nullptr, value, value, false};
  std::vector<ContactPair> pairs;
  if (const auto between = map.require(
          "between", "a list of two: shapes, links, 'terrain' or 'all', which may touch")) {
    place.between = *between;
    pairs = read_pairs(scenario, *between);
  }
  // a model or a terrain that is wrong has errors of its own
  const bool is_known = !pairs.empty() && (terrain || !pairs.front().on_ground);
  if (has_rigid_law(map)) {
    RigidContact::Settings settings = read_rigid_laws(map);
    if (!is_known || errors.found()) return;
    settings.pairs = std::move(pairs);
    settings.terrain = terrain;
    place.rigid = std::make_shared<RigidContact>(name, settings);
    scenario.add_force(place.rigid);
  } else {
    const auto normal = read_normal(map);
    const auto friction = read_friction(map);
    place.may_penetrate = map.boolean("penetrating_start", false);
    if (!is_known || !normal || !friction || errors.found()) return;
    ContactForce::Settings settings;
    settings.pairs = std::move(pairs);
    settings.terrain = terrain;
    settings.normal = *normal;
    settings.friction = *friction;
    place.stiffness = descend(value, "normal.stiffness");
    place.contact = std::make_shared<ContactForce>(name, settings);
    scenario.add_force(place.contact);
  }
  scenario.contacts.push_back(std::move(place));
}

}  // namespace

extern const SchemaDefinition kContactDefinition{"contact", contact_schema};
extern const SchemaDefinition kRigidNormalDefinition{
    "rigid_contact_normal", [] { return law_schema("rigid", once<rigid_normal_keys>()); }};
extern const SchemaDefinition kRigidFrictionDefinition{"rigid_contact_friction",
                                                       schema_of<rigid_friction_keys>};

void read_contacts(ScenarioContext& scenario) {
  std::size_t position = 0;
  for_each_item_of(scenario, "contacts", [&](const Value& item) {
    MapReader map(item, scenario.context());
    const std::string name = read_element_name(scenario, map, "contact", position++);
    scenario.names.contacts.insert(name);
    guard(item, scenario.problems(), [&] { read_contact(scenario, map, name, item); });
    map.finish();
  });
}

const ContactPlace* read_contact_name(ScenarioContext& scenario, MapReader& map) {
  const auto value = map.require("contact", "the name of one of 'contacts'");
  const auto name = value ? read_text(*value, map.problems()) : std::nullopt;
  if (!name) return nullptr;
  for (const ContactPlace& place : scenario.contacts) {
    if (place.name() == *name) return &place;
  }
  const auto& names = scenario.names.contacts;
  if (names.count(*name) > 0) return nullptr;  // its own errors say why
  map.problems().error(*value, "expected the name of one of 'contacts', got " + quote(*name),
                       nearest_hint(*name, {names.begin(), names.end()}));
  return nullptr;
}

}  // namespace spacedyn::loading
