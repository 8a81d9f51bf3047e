#include <algorithm>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/model/names.hpp"

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
  if (!normal || !normal->node->is_mapping()) return false;
  const Entry* law = normal->node->find("law");
  return law != nullptr && law->value->is_scalar() && law->value->text == "rigid";
}

}  // namespace

extern const SchemaDefinition kContactDefinition{"contact", contact_schema};

void ScenarioReader::read_contacts() {
  const auto list = map_.find("contacts");
  if (!list) return;
  std::size_t position = 0;
  for_each_item(*list, problems(), [&](const Value& item) {
    MapReader map(item, context());
    const std::string name = read_element_name(map, "contact", position++);
    contact_names_.insert(name);
    guard(item, problems(), [&] { read_contact(map, name, item); });
    map.finish();
  });
}

void ScenarioReader::read_contact(MapReader& map, const std::string& name, const Value& place) {
  const std::size_t errors_before = problems().error_count();
  ContactForce::Settings settings;
  const auto between =
      map.require("between", "a list of two: shapes, links, 'terrain' or 'all', which may touch");
  if (between) settings.pairs = read_pairs(*between);
  if (has_rigid_law(map)) {
    return read_rigid_contact(map, name, place, between, std::move(settings.pairs));
  }
  const auto normal = read_normal(map);
  const auto friction = read_friction(map);
  ContactPlace spoken{nullptr, nullptr, place, place, map.boolean("penetrating_start", false)};
  if (!between || !normal || !friction || problems().error_count() > errors_before) return;
  // a model or a terrain that is wrong has errors of its own
  if (settings.pairs.empty() || (settings.pairs.front().on_ground && !terrain_)) return;
  settings.terrain = terrain_;
  settings.normal = *normal;
  settings.friction = *friction;
  auto contact = std::make_shared<ContactForce>(name, settings);
  spoken.contact = contact;
  spoken.between = *between;
  spoken.stiffness = descend(place, "normal.stiffness");
  contacts_.push_back(std::move(spoken));
  scenario_.setup.forces.push_back(std::move(contact));
}

std::optional<NormalContact::Settings> ScenarioReader::read_normal(MapReader& map) {
  const auto value = map.require("normal", "a mapping with the 'law' of the normal force");
  if (!value) return std::nullopt;
  MapReader own(*value, context());
  const std::size_t errors_before = problems().error_count();
  NormalContact::Settings normal;
  const auto law = own.require("law", list_choices(kNormalLaws));
  const auto choice = law ? read_choice(*law, kNormalLaws, problems()) : std::nullopt;
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
  if (problems().error_count() > errors_before || !own.has("stiffness")) return std::nullopt;
  return normal;
}

std::optional<ContactFriction> ScenarioReader::read_friction(MapReader& map) {
  ContactFriction friction;
  const auto value = map.find("friction");
  if (!value) return friction;
  MapReader own(*value, context());
  const std::size_t errors_before = problems().error_count();
  if (const auto law = own.find("law")) {
    const auto choice = read_choice(*law, kFrictionLaws, problems());
    if (choice && *choice == 1) friction.law = FrictionLaw::bristle;
  }
  read_fields(own, friction_fields(), friction);
  read_fields(own, friction.law == FrictionLaw::bristle ? bristle_fields() : coulomb_fields(),
              friction);
  friction.stribeck_velocity = std::max(10.0 * friction.slip_velocity, 1e-12);
  read_fields(own, stribeck_fields(), friction);
  if (!own.has("static_coefficient")) friction.static_coefficient = friction.coefficient;
  const bool is_right = problems().error_count() == errors_before;
  if (is_right && friction.static_coefficient < friction.coefficient) {
    own.error_at("static_coefficient", "expected at least the coefficient of sliding, " +
                                           format_number(friction.coefficient) + ", got " +
                                           format_number(friction.static_coefficient));
  }
  own.finish();
  if (problems().error_count() > errors_before) return std::nullopt;
  return friction;
}

const ContactPlace* ScenarioReader::read_contact_name(MapReader& map) {
  const auto value = map.require("contact", "the name of one of 'contacts'");
  const auto name = value ? read_text(*value, problems()) : std::nullopt;
  if (!name) return nullptr;
  for (const ContactPlace& place : contacts_) {
    if (place.name() == *name) return &place;
  }
  if (contact_names_.count(*name) > 0) return nullptr;  // its own errors say why
  const std::string nearest = nearest_name(*name, {contact_names_.begin(), contact_names_.end()});
  problems().error(value->node->mark, value->path,
                   "expected the name of one of 'contacts', got " + quote(*name),
                   nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  return nullptr;
}

bool ScenarioReader::has_contacts() const { return !contact_names_.empty(); }

}  // namespace spacedyn::loading
