#include "loading/scenario_reader.hpp"
#include "spacedyn/forces/tyre_force.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kTyreModels = {"brush", "pacejka"};

constexpr Quantity kTyreNumber{Dimension::none, Range::positive};

}  // namespace

void ScenarioReader::read_tyre(MapReader& map, const std::string& name) {
  const std::size_t errors_before = problems().error_count();
  TyreForce::Settings settings;
  const auto link = read_wheel_link(map);
  const auto model = map.find("model");
  const auto choice =
      model ? read_choice(*model, kTyreModels, {}, problems()) : std::optional<std::size_t>(0);
  if (choice && *choice == 1) {
    settings.model = TyreModel::pacejka;
    settings.shape = map.number("shape", kTyreNumber, settings.shape);
    settings.curvature = map.number("curvature", quantity::kNumber, settings.curvature);
    if (settings.shape < 1.0 || settings.shape > 2.0) {
      map.error_at("shape", "expected a shape from 1 to 2");
    }
    if (settings.curvature > 1.0) map.error_at("curvature", "expected a curvature of at most 1");
  }
  const Quantity length = quantity::kLength.within(Range::positive);
  settings.radius = map.required_number("radius", length);
  settings.width = map.required_number("width", length);
  settings.stiffness =
      map.required_number("stiffness", {Dimension::linear_stiffness, Range::positive});
  settings.damping =
      map.number("damping", {Dimension::none, Range::not_negative, false, "N s/m"}, 0.0);
  settings.friction = map.required_number("friction", kTyreNumber);
  settings.slip_stiffness = map.required_number("slip_stiffness", kTyreNumber);
  settings.cornering_stiffness = map.required_number("cornering_stiffness", kTyreNumber);
  settings.relaxation_length = map.number("relaxation_length", length, settings.radius);
  settings.rolling_resistance =
      map.number("rolling_resistance", {Dimension::none, Range::not_negative}, 0.0);
  settings.slip_velocity = map.number("slip_velocity", quantity::kVelocity.within(Range::positive),
                                      settings.slip_velocity);
  if (!link || !choice || !terrain_ || problems().error_count() > errors_before) return;
  for (const char* key :
       {"radius", "width", "stiffness", "friction", "slip_stiffness", "cornering_stiffness"}) {
    if (!map.has(key)) return;
  }
  settings.link = *link;
  settings.terrain = terrain_;
  scenario_.setup.forces.push_back(std::make_shared<TyreForce>(name, settings));
  check_wheel_start(map, *link, settings.radius);
}

}  // namespace spacedyn::loading
