#include "loading/model_assembly.hpp"
#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kPlainFactor{Dimension::none, Range::not_negative};

/// μ and μ_s; zero without friction.
void read_rigid_friction(MapReader& map, ReadContext& context, RigidContact::Settings& settings) {
  const auto value = map.find("friction");
  if (!value) return;
  MapReader own(*value, context);
  if (const auto law = own.find("law")) {
    read_choice(*law, {"coulomb", "rigid"}, {}, context.problems);
  }
  settings.friction = own.required_number("coefficient", kPlainFactor);
  settings.static_friction = own.number("static_coefficient", kPlainFactor, settings.friction);
  if (settings.static_friction < settings.friction) {
    own.error_at("static_coefficient", "expected at least the coefficient of sliding, " +
                                           format_number(settings.friction) + ", got " +
                                           format_number(settings.static_friction));
  }
  own.finish();
}

}  // namespace

void ScenarioReader::read_rigid_contact(MapReader& map, const std::string& name, const Value& place,
                                        const std::optional<Value>& between,
                                        std::vector<ContactPair> pairs) {
  const std::size_t errors_before = problems().error_count();
  RigidContact::Settings settings;
  MapReader normal(*map.find("normal"), context());
  normal.find("law");
  settings.restitution = normal.required_number("restitution", kPlainFactor);
  if (settings.restitution > 1.0) {
    normal.error_at("restitution",
                    "expected a number from 0 to 1, got " + format_number(settings.restitution));
  }
  if (const auto law = normal.find("impact")) {
    const auto choice = read_choice(*law, {"newton", "poisson"}, {}, problems());
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
