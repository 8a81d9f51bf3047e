#include <cmath>

#include "loading/body_reader.hpp"
#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/joint_stop.hpp"

namespace spacedyn::loading {

std::optional<std::pair<double, double>> ScenarioReader::read_limits(MapReader& map, int joint) {
  const Joint& own = model_->joint(joint);
  std::pair<double, double> limits{own.position_lower, own.position_upper};
  if (const auto value = map.find("limits")) {
    const auto given =
        read_numbers(*value, position_quantity(own.type).or_infinite(), 2, problems());
    if (!given) return std::nullopt;
    limits = std::pair{(*given)(0), (*given)(1)};
  } else if (std::isinf(limits.first) && std::isinf(limits.second)) {
    map.error_at("limits", "expected 'limits', for joint '" + own.name +
                               "' has no position_limits of its own");
    return std::nullopt;
  }
  if (!(limits.first < limits.second)) {
    map.error_at("limits", "expected a lower and a higher limit, got " +
                               format_number(limits.first) + " and " +
                               format_number(limits.second));
    return std::nullopt;
  }
  const double start = start_of(joint);
  if (start < limits.first || start > limits.second) {
    map.error_at("limits", "expected limits around the start of joint '" + own.name + "' at " +
                               format_number(start));
  }
  return limits;
}

void ScenarioReader::read_joint_stop(MapReader& map, const std::string& name) {
  const auto joint = read_free_joint(map, {"stiffness", "damping", "limits"});
  if (!joint) return;
  const bool turns = model_->joint(*joint).type == JointType::revolute;
  const Quantity stiffness{turns ? Dimension::angular_stiffness : Dimension::linear_stiffness,
                           Range::positive};
  JointStop::Settings settings;
  settings.joint = *joint;
  settings.stiffness = map.required_number("stiffness", stiffness);
  settings.damping = map.number("damping", quantity::kNumber.within(Range::not_negative), 0.0);
  const auto limits = read_limits(map, *joint);
  if (!limits || !(settings.stiffness > 0.0)) return;
  settings.lower = limits->first;
  settings.upper = limits->second;
  scenario_.setup.forces.push_back(std::make_shared<JointStop>(name, settings));
}

void ScenarioReader::read_brake(MapReader& map, const std::string& name) {
  const auto joint = read_free_joint(map, {"torque", "presliding"});
  JointBrake::Settings settings;
  settings.from = map.number("from", quantity::kTime, 0.0);
  settings.until = map.number("until", quantity::kTime.or_infinite(), settings.until);
  if (!joint) return;
  const JointType type = model_->joint(*joint).type;
  settings.joint = *joint;
  settings.torque = map.required_number("torque", effort_quantity(type).within(Range::positive));
  settings.presliding = map.number("presliding", position_quantity(type).within(Range::positive),
                                   settings.presliding);
  if (settings.from >= settings.until) {
    map.error_at("until", "expected a time after 'from', " + format_number(settings.from) + " s");
    return;
  }
  if (!(settings.torque > 0.0)) return;
  scenario_.setup.forces.push_back(std::make_shared<JointBrake>(name, settings));
}

void ScenarioReader::read_joint_limit(MapReader& map, const std::string& name) {
  const auto joint = read_free_joint(map, {"limits"});
  Event event;
  if (const auto value = map.find("restitution")) {
    const double restitution =
        map.number("restitution", quantity::kNumber.within(Range::not_negative), 0.0);
    if (restitution > 1.0) map.error_at("restitution", "expected a number from 0 to 1");
    if (joint && restitution <= 1.0) event.actions.emplace_back(BounceAction{*joint, restitution});
  }
  read_actions(map, event);
  if (joint) let_rest(*joint, event);
  const auto limits = joint ? read_limits(map, *joint) : std::nullopt;
  if (!limits) return;
  const auto add = [&](const char* side, double position, CrossingDirection direction) {
    if (std::isinf(position)) return;
    event.name = name + side;
    event.value = joint_position_event(*joint, position);
    event.direction = direction;
    scenario_.setup.events.push_back(event);
  };
  add(" lower", limits->first, CrossingDirection::falling);
  add(" upper", limits->second, CrossingDirection::rising);
}

}  // namespace spacedyn::loading
