#include "loading/keys/fields.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

using Rigid = RigidContact::Settings;

const std::vector<std::string> kRigidFrictionLaws = {"coulomb", "rigid"};
const std::vector<std::string> kImpactLaws = {"newton", "poisson"};

constexpr Quantity kPlainFactor{Dimension::none, Range::not_negative};

const Fields<Rigid>& rigid_normal_fields() {
  static const Fields<Rigid> kFields = {
      {"restitution", "Coefficient of restitution, from 0 to 1", kPlainFactor,
       [](Rigid& r) -> double& { return r.restitution; }, Presence::required, kAtMostOne}};
  return kFields;
}

const Fields<Rigid>& rigid_friction_fields() {
  static const Fields<Rigid> kFields = {
      {"coefficient", "Of sliding and of impacts", kPlainFactor,
       [](Rigid& r) -> double& { return r.friction; }, Presence::required},
      {"static_coefficient", "Of sticking, default that of sliding", kPlainFactor,
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

/// μ and μ_s; zero without friction.
void read_rigid_friction(MapReader& map, ReadContext& context, RigidContact::Settings& settings) {
  const auto value = map.find("friction");
  if (!value) return;
  MapReader own(*value, context);
  const std::size_t errors_before = context.problems.error_count();
  if (const auto law = own.find("law")) {
    read_choice(*law, kRigidFrictionLaws, context.problems);
  }
  read_fields(own, rigid_friction_fields(), settings);
  if (!own.has("static_coefficient")) settings.static_friction = settings.friction;
  const bool is_right = context.problems.error_count() == errors_before;
  if (is_right && settings.static_friction < settings.friction) {
    own.error_at("static_coefficient", "expected at least the coefficient of sliding, " +
                                           format_number(settings.friction) + ", got " +
                                           format_number(settings.static_friction));
  }
  own.finish();
}

}  // namespace

extern const SchemaDefinition kRigidNormalDefinition{"rigid_contact_normal", rigid_normal_schema};
extern const SchemaDefinition kRigidFrictionDefinition{"rigid_contact_friction",
                                                       rigid_friction_schema};

void ScenarioReader::read_rigid_contact(MapReader& map, const std::string& name, const Value& place,
                                        const std::optional<Value>& between,
                                        std::vector<ContactPair> pairs) {
  const std::size_t errors_before = problems().error_count();
  RigidContact::Settings settings;
  MapReader normal(*map.find("normal"), context());
  normal.find("law");
  read_fields(normal, rigid_normal_fields(), settings);
  if (const auto law = normal.find("impact")) {
    const auto choice = read_choice(*law, kImpactLaws, problems());
    if (choice && *choice == 1) settings.impact = ImpactLaw::poisson;
  }
  normal.finish();
  read_rigid_friction(map, context(), settings);
  if (!between || pairs.empty() || problems().error_count() > errors_before) return;
  if (pairs.front().on_ground && !terrain_) return;
  settings.pairs = std::move(pairs);
  settings.terrain = terrain_;
  auto contact = std::make_shared<RigidContact>(name, settings);
  contacts_.push_back({nullptr, contact, *between, place, false});
  scenario_.setup.forces.push_back(std::move(contact));
}

}  // namespace spacedyn::loading
