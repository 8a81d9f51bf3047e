#include "loading/scenario_reader.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kLineStiffness{Dimension::linear_stiffness, Range::not_negative};
constexpr Quantity kTorsionalStiffness{Dimension::angular_stiffness, Range::not_negative};
constexpr Quantity kLineDamping{Dimension::none, Range::not_negative, false, "N s/m"};
constexpr Quantity kTorsionalDamping{Dimension::none, Range::not_negative, false, "N m s/rad"};

}  // namespace

std::optional<std::pair<Frame, Frame>> ScenarioReader::read_pair(MapReader& map) {
  auto from = read_point(map, "from");
  auto to = read_point(map, "to");
  if (!from || !to) return std::nullopt;
  if (from->body == to->body) {
    map.error_at("to", "expected a point of another body than that of 'from', got " +
                           quote(to->name) + ", which is on '" + model_->body(to->body).name +
                           "', too");
    return std::nullopt;
  }
  return std::pair{std::move(*from), std::move(*to)};
}

void ScenarioReader::read_bushing(MapReader& map, const std::string& name) {
  if (auto bushing = make_bushing(map, name)) {
    scenario_.setup.forces.push_back(std::move(bushing));
  }
}

std::shared_ptr<const Bushing> ScenarioReader::make_bushing(MapReader& map,
                                                            const std::string& name) {
  const auto pair = read_pair(map);
  const auto read = [&](const std::optional<Value>& value, const Quantity& linear,
                        const Quantity& angular) -> std::optional<Vector6> {
    if (!value) return std::nullopt;
    const auto numbers =
        read_list(*value, {linear, linear, linear, angular, angular, angular}, problems());
    if (!numbers) return std::nullopt;
    return Vector6(*numbers);
  };
  const auto stiffness =
      read(map.require("stiffness", "a list of 6 stiffnesses: along x, y, z, then about them"),
           kLineStiffness, kTorsionalStiffness);
  const auto damping = map.find("damping");
  const auto dampings = damping ? read(damping, kLineDamping, kTorsionalDamping)
                                : std::optional(Vector6(Vector6::Zero()));
  if (!pair || !stiffness || !dampings) return nullptr;
  if (stiffness->isZero(0.0) && dampings->isZero(0.0)) {
    map.error_at("stiffness", "expected a stiffness or a damping that is not zero, got zeros");
    return nullptr;
  }
  return std::make_shared<Bushing>(
      name, Bushing::Settings{pair->first, pair->second, *stiffness, *dampings});
}

void ScenarioReader::read_spring_damper(MapReader& map, const std::string& name) {
  const auto pair = read_pair(map);
  SpringDamper::Settings settings;
  const std::size_t errors_before = problems().error_count();
  settings.stiffness = map.required_number("stiffness", kLineStiffness);
  settings.damping = map.number("damping", kLineDamping, 0.0);
  const bool has_length = map.has("rest_length");
  settings.rest_length =
      map.number("rest_length", quantity::kLength.within(Range::not_negative), 0.0);
  if (!pair || !map.has("stiffness") || problems().error_count() > errors_before) return;
  if (settings.stiffness == 0.0 && settings.damping == 0.0) {
    map.error_at("stiffness", "expected a stiffness or a damping that is not zero, got zeros");
    return;
  }
  LinkFrames frames(*model_);
  compute_link_frames(*model_, scenario_.initial, frames);
  const double distance =
      (frame_position(frames, pair->second) - frame_position(frames, pair->first)).norm();
  if (!(distance > 0.0)) {
    map.error_at("to",
                 "expected points that are apart at the start: their line has no direction, " +
                     quote(pair->first.name) + " and " + quote(pair->second.name) +
                     " are at one place");
    return;
  }
  settings.from = pair->first;
  settings.to = pair->second;
  if (!has_length) settings.rest_length = distance;
  scenario_.setup.forces.push_back(std::make_shared<SpringDamper>(name, settings));
}

}  // namespace spacedyn::loading
