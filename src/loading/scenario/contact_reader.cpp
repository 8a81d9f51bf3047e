#include <algorithm>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kNormalLaws = {"linear", "hunt_crossley", "rigid"};
const std::vector<std::string> kFrictionLaws = {"coulomb", "bristle"};

using Normal = NormalContact::Settings;

constexpr Quantity kContactStiffness{Dimension::linear_stiffness, Range::positive};
constexpr Quantity kContactFactor{Dimension::none, Range::not_negative};
constexpr Quantity kSlidingSpeed{Dimension::velocity, Range::positive};
constexpr Quantity kFrictionLength{Dimension::length, Range::not_negative};

const Fields<Normal>& linear_fields() {
  static const Fields<Normal> kFields = {
      {"stiffness", "Stiffness, N/m", kContactStiffness,
       [](Normal& n) -> double& { return n.stiffness; }, Presence::required},
      {"damping",
       "Damping, N s/m, default 0",
       {Dimension::none, Range::not_negative, false, "N s/m"},
       [](Normal& n) -> double& { return n.damping; }}};
  return kFields;
}

const Fields<Normal>& hunt_crossley_fields() {
  static const Fields<Normal> kFields = {
      {"exponent",
       "Of the depth, default 1.5",
       quantity::kNumber.within(Range::positive),
       [](Normal& n) -> double& { return n.exponent; },
       Presence::optional,
       {1.0, 10.0}},
      {"stiffness",
       "Stiffness, N/m^exponent",
       {Dimension::none, Range::positive, false, "N/m^exponent"},
       [](Normal& n) -> double& { return n.stiffness; },
       Presence::required},
      {"restitution", "Coefficient of restitution, from 0 to 1", kContactFactor,
       [](Normal& n) -> double& { return n.restitution; }, Presence::required, kAtMostOne},
      {"least_impact_speed", "Slower impacts give more back, m/s", kSlidingSpeed,
       [](Normal& n) -> double& { return n.least_impact_speed; }}};
  return kFields;
}

const Fields<ContactFriction>& friction_fields() {
  static const Fields<ContactFriction> kFields = {
      {"coefficient", "Of sliding", kContactFactor,
       [](ContactFriction& f) -> double& { return f.coefficient; }, Presence::required},
      {"static_coefficient", "Of sticking, default that of sliding", kContactFactor,
       [](ContactFriction& f) -> double& { return f.static_coefficient; }},
      {"rolling", "Coefficient of rolling, m, default 0", kFrictionLength,
       [](ContactFriction& f) -> double& { return f.rolling; }},
      {"spinning", "Coefficient of spinning, m, default 0", kFrictionLength,
       [](ContactFriction& f) -> double& { return f.spinning; }},
      {"slip_rate", "Rate below which rolling and spinning are regularized, rad/s",
       quantity::kRate.within(Range::positive),
       [](ContactFriction& f) -> double& { return f.slip_rate; }}};
  return kFields;
}

const Fields<ContactFriction>& bristle_fields() {
  static const Fields<ContactFriction> kFields = {
      {"stiffness", "Of the bristles, N/m", kContactStiffness,
       [](ContactFriction& f) -> double& { return f.stiffness; }, Presence::required},
      {"damping",
       "Of the bristles, N s/m",
       {Dimension::none, Range::positive, false, "N s/m"},
       [](ContactFriction& f) -> double& { return f.damping; },
       Presence::required}};
  return kFields;
}

const Fields<ContactFriction>& coulomb_fields() {
  static const Fields<ContactFriction> kFields = {
      {"slip_velocity", "Velocity below which sliding is regularized, m/s", kSlidingSpeed,
       [](ContactFriction& f) -> double& { return f.slip_velocity; }}};
  return kFields;
}

const Fields<ContactFriction>& stribeck_fields() {
  static const Fields<ContactFriction> kFields = {
      {"stribeck_velocity", "Velocity over which sticking becomes sliding, m/s", kSlidingSpeed,
       [](ContactFriction& f) -> double& { return f.stribeck_velocity; }}};
  return kFields;
}

std::string compliant_normal_schema(std::size_t law, std::string_view title,
                                    const Fields<Normal>& fields) {
  MappingSchema schema(title);
  schema.require("law", constant_schema(kNormalLaws[law]));
  describe_fields(fields, schema);
  return schema.text();
}

std::string contact_friction_schema() {
  MappingSchema schema("Friction; absent: none");
  schema.allow("law", choice_schema(kFrictionLaws, "Default coulomb"));
  describe_fields(friction_fields(), schema);
  describe_fields(stribeck_fields(), schema);
  describe_fields(coulomb_fields(), schema);
  describe_fields(bristle_fields(), schema, Presence::optional);
  schema.add_rule(R"("if": {"properties": {"law": {"const": "bristle"}}, "required": ["law"]})")
      .add_rule(R"("then": {"required": ["stiffness", "damping"], )"
                R"("properties": {"slip_velocity": false}})")
      .add_rule(R"("else": {"properties": {"stiffness": false, "damping": false}})");
  return schema.text();
}

std::string contact_schema() {
  const std::string normal = one_of_schema(
      {compliant_normal_schema(0, "A spring and a damper, without adhesion", linear_fields()),
       compliant_normal_schema(1, "Damping in proportion to the elastic force, by restitution",
                               hunt_crossley_fields()),
       reference_schema("rigid_contact_normal")},
      "The law of the normal force");
  MappingSchema schema("Shapes that may touch, and what they answer");
  schema.allow("name", text_schema())
      .require("between",
               one_of_schema({constant_schema("all"), list_schema(text_schema(), 2)},
                             "Two of shapes, links, terrain and all; or all among themselves"))
      .require("normal", normal)
      .allow("friction", R"({"title": "Friction; absent: none", "type": "object"})")
      .allow("penetrating_start", boolean_schema("Whether shapes may overlap at the start"))
      .add_rule(R"("if": {"properties": {"normal": {"properties": {"law": {"const": "rigid"}}}}})")
      .add_rule(R"("then": {"properties": {"penetrating_start": false, "friction": )" +
                reference_schema("rigid_contact_friction") + "}}")
      .add_rule(R"("else": {"properties": {"friction": )" + contact_friction_schema() + "}}");
  return schema.text();
}

/// Whether the normal law of a contact is `rigid`.
bool has_rigid_law(MapReader& map) {
  const auto normal = map.find("normal");
  return normal && normal->node->text_at("law") == "rigid";
}

using Rigid = RigidContact::Settings;

const std::vector<std::string> kRigidFrictionLaws = {"coulomb", "rigid"};
const std::vector<std::string> kImpactLaws = {"newton", "poisson"};

const Fields<Rigid>& rigid_normal_fields() {
  static const Fields<Rigid> kFields = {
      {"restitution", "Coefficient of restitution, from 0 to 1", kContactFactor,
       [](Rigid& r) -> double& { return r.restitution; }, Presence::required, kAtMostOne}};
  return kFields;
}

const Fields<Rigid>& rigid_friction_fields() {
  static const Fields<Rigid> kFields = {
      {"coefficient", "Of sliding and of impacts", kContactFactor,
       [](Rigid& r) -> double& { return r.friction; }, Presence::required},
      {"static_coefficient", "Of sticking, default that of sliding", kContactFactor,
       [](Rigid& r) -> double& { return r.static_friction; }}};
  return kFields;
}

std::string rigid_normal_schema() {
  MappingSchema schema("Bodies that do not yield");
  schema.require("law", constant_schema("rigid"));
  describe_fields(rigid_normal_fields(), schema);
  schema.allow("impact",
               choice_schema(kImpactLaws, "Restitution of velocities (default) or of impulses"));
  return schema.text();
}

std::string rigid_friction_schema() {
  MappingSchema schema("Exact Coulomb friction; absent: none");
  schema.allow("law", choice_schema(kRigidFrictionLaws));
  describe_fields(rigid_friction_fields(), schema);
  return schema.text();
}

void check_sticking(MapReader& map, double sliding, double sticking) {
  if (sticking >= sliding) return;
  map.error_at("static_coefficient", "expected at least the coefficient of sliding, " +
                                         format_number(sliding) + ", got " +
                                         format_number(sticking));
}

/// μ and μ_s; zero without friction.
void read_rigid_friction(MapReader& map, RigidContact::Settings& settings) {
  const auto value = map.find("friction");
  if (!value) return;
  MapReader own(*value, map.context());
  const ErrorMark errors(map.problems());
  find_choice(own, "law", kRigidFrictionLaws);
  read_fields(own, rigid_friction_fields(), settings);
  if (!own.has("static_coefficient")) settings.static_friction = settings.friction;
  if (!errors.found()) check_sticking(own, settings.friction, settings.static_friction);
  own.finish();
}

RigidContact::Settings read_rigid_laws(MapReader& map) {
  RigidContact::Settings settings;
  MapReader normal(*map.find("normal"), map.context());
  normal.find("law");
  read_fields(normal, rigid_normal_fields(), settings);
  if (find_choice(normal, "impact", kImpactLaws) == 1U) settings.impact = ImpactLaw::poisson;
  normal.finish();
  read_rigid_friction(map, settings);
  return settings;
}

std::optional<NormalContact::Settings> read_normal(MapReader& map) {
  const auto value = map.require("normal", "a mapping with the 'law' of the normal force");
  if (!value) return std::nullopt;
  MapReader own(*value, map.context());
  const ErrorMark errors(map.problems());
  NormalContact::Settings normal;
  const auto choice = require_choice(own, "law", kNormalLaws);
  if (!choice) {
    own.report_missing();
    return std::nullopt;
  }
  if (*choice == 0) {
    normal.law = NormalContactLaw::linear;
    read_fields(own, linear_fields(), normal);
  } else {
    read_fields(own, hunt_crossley_fields(), normal);
  }
  own.finish();
  if (errors.found() || !own.has("stiffness")) return std::nullopt;
  return normal;
}

std::optional<ContactFriction> read_friction(MapReader& map) {
  ContactFriction friction;
  const auto value = map.find("friction");
  if (!value) return friction;
  MapReader own(*value, map.context());
  const ErrorMark errors(map.problems());
  if (find_choice(own, "law", kFrictionLaws) == 1U) friction.law = FrictionLaw::bristle;
  read_fields(own, friction_fields(), friction);
  read_fields(own, friction.law == FrictionLaw::bristle ? bristle_fields() : coulomb_fields(),
              friction);
  friction.stribeck_velocity = std::max(10.0 * friction.slip_velocity, 1e-12);
  read_fields(own, stribeck_fields(), friction);
  if (!own.has("static_coefficient")) friction.static_coefficient = friction.coefficient;
  if (!errors.found()) check_sticking(own, friction.coefficient, friction.static_coefficient);
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
extern const SchemaDefinition kRigidNormalDefinition{"rigid_contact_normal", rigid_normal_schema};
extern const SchemaDefinition kRigidFrictionDefinition{"rigid_contact_friction",
                                                       rigid_friction_schema};

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
