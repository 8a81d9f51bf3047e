#include <algorithm>

#include "loading/model_assembly.hpp"
#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kNormalLaws = {"linear", "hunt_crossley", "rigid"};
const std::vector<std::string> kFrictionLaws = {"coulomb", "bristle"};

constexpr Quantity kContactStiffness{Dimension::linear_stiffness, Range::positive};
constexpr Quantity kHertzStiffness{Dimension::none, Range::positive, false, "N/m^exponent"};
constexpr Quantity kContactDamping{Dimension::none, Range::not_negative, false, "N s/m"};
constexpr Quantity kFactor{Dimension::none, Range::not_negative};

/// Whether the normal law of a contact is `rigid`.
bool has_rigid_law(MapReader& map) {
  const auto normal = map.find("normal");
  if (!normal || !normal->node->is_mapping()) return false;
  const Entry* law = normal->node->find("law");
  return law != nullptr && law->value->is_scalar() && law->value->text == "rigid";
}

}  // namespace

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
  const auto choice = law ? read_choice(*law, kNormalLaws, {}, problems()) : std::nullopt;
  if (!choice) {
    own.report_missing();
    return std::nullopt;
  }
  if (*choice == 0) {
    normal.law = NormalContactLaw::linear;
    normal.stiffness = own.required_number("stiffness", kContactStiffness);
    normal.damping = own.number("damping", kContactDamping, 0.0);
  } else {
    normal.exponent = own.number("exponent", quantity::kNumber.within(Range::positive), 1.5);
    normal.stiffness = own.required_number("stiffness", kHertzStiffness);
    normal.restitution = own.required_number("restitution", kFactor);
    normal.least_impact_speed =
        own.number("least_impact_speed", quantity::kVelocity.within(Range::positive),
                   normal.least_impact_speed);
    if (normal.restitution > 1.0) {
      own.error_at("restitution",
                   "expected a number from 0 to 1, got " + format_number(normal.restitution));
    }
    if (normal.exponent < 1.0 || normal.exponent > 10.0) {
      own.error_at("exponent",
                   "expected an exponent from 1 to 10, got " + format_number(normal.exponent));
    }
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
    const auto choice = read_choice(*law, kFrictionLaws, {}, problems());
    if (choice && *choice == 1) friction.law = FrictionLaw::bristle;
  }
  const Quantity speed = quantity::kVelocity.within(Range::positive);
  friction.coefficient = own.required_number("coefficient", kFactor);
  friction.static_coefficient = own.number("static_coefficient", kFactor, friction.coefficient);
  friction.rolling = own.number("rolling", quantity::kLength.within(Range::not_negative), 0.0);
  friction.spinning = own.number("spinning", quantity::kLength.within(Range::not_negative), 0.0);
  friction.slip_rate =
      own.number("slip_rate", quantity::kRate.within(Range::positive), friction.slip_rate);
  if (friction.law == FrictionLaw::bristle) {
    friction.stiffness = own.required_number("stiffness", kContactStiffness);
    friction.damping =
        own.required_number("damping", {Dimension::none, Range::positive, false, "N s/m"});
  } else {
    friction.slip_velocity = own.number("slip_velocity", speed, friction.slip_velocity);
  }
  friction.stribeck_velocity =
      own.number("stribeck_velocity", speed, std::max(10.0 * friction.slip_velocity, 1e-12));
  if (friction.static_coefficient < friction.coefficient) {
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
