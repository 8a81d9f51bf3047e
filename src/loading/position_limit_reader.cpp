#include <algorithm>

#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "spacedyn/integration/position_stops.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kLimitActions = {"warn", "stop", "ignore"};
constexpr std::size_t kStopAtLimits = 1, kIgnoreLimits = 2;

/// What the stiffness of a stop for all of some joints is measured in; a plain number for both
/// kinds.
Quantity stop_stiffness(const Model& model, const std::vector<int>& joints) {
  const auto turns = [&](int joint) { return model.joint(joint).type == JointType::revolute; };
  const auto count = std::count_if(joints.begin(), joints.end(), turns);
  if (count == static_cast<std::ptrdiff_t>(joints.size())) {
    return {Dimension::angular_stiffness, Range::positive};
  }
  if (count == 0) return {Dimension::linear_stiffness, Range::positive};
  return {Dimension::none, Range::positive, false, "N*m/rad or N/m"};
}

}  // namespace

void ScenarioReader::read_position_limits() {
  const auto value = map_.find("position_limits");
  if (!value) return;
  MapReader map(*value, context());
  std::optional<std::size_t> action = 0;
  if (const auto given = map.find("action")) {
    action = read_choice(*given, kLimitActions, {}, problems());
  }
  if (action == kStopAtLimits) {
    read_position_stops(map);
  } else {
    const std::string reason = "only 'action: stop' has a stop";
    for (const char* key : {"stiffness", "damping", "restitution"}) {
      if (action) {
        map.refuse(key, reason);
      } else {
        map.find(key);
      }
    }
  }
  if (action == kIgnoreLimits) scenario_.setup.warn_at_position_limits = false;
  map.finish();
}

void ScenarioReader::read_position_stops(MapReader& map) {
  const std::size_t errors_before = problems().error_count();
  const bool rigid = map.has("restitution");
  const std::vector<int> joints =
      model_ ? joints_without_stops(scenario_.setup) : std::vector<int>();
  double stiffness = 0.0, damping = 0.0, restitution = 0.0;
  if (rigid) {
    map.refuse("stiffness", "'restitution' is given as well");
    map.refuse("damping", "'restitution' is given as well");
    restitution = map.number("restitution", quantity::kNumber.within(Range::not_negative), 0.0);
    if (restitution > 1.0) map.error_at("restitution", "expected a number from 0 to 1");
  } else {
    if (!map.has("stiffness")) {
      map.require("stiffness", "a stiffness, or a restitution, of the stops");
    } else if (!model_) {
      map.find("stiffness");
    } else {
      stiffness = map.required_number("stiffness", stop_stiffness(*model_, joints));
    }
    damping = map.number("damping", quantity::kNumber.within(Range::not_negative), 0.0);
  }
  if (!model_ || (!rigid && !(stiffness > 0.0))) return;
  for (const int joint : joints) {
    const Joint& own = model_->joint(joint);
    if (start_of(joint) < own.position_lower || start_of(joint) > own.position_upper) {
      map.error_at("action", "expected a start within all position limits, got joint '" + own.name +
                                 "' at " + format_number(start_of(joint)) + " outside [" +
                                 format_number(own.position_lower) + ", " +
                                 format_number(own.position_upper) + "]");
    }
    if (!rigid && own.position_lower == own.position_upper) {
      map.error_at("action",
                   "expected position limits that are apart, got joint '" + own.name +
                       "' with both at " + format_number(own.position_lower),
                   "lock the joint, or give a restitution");
    }
    if (element_names_.count(own.name + " limit") > 0) {
      map.error_at("action", "expected no element named '" + own.name +
                                 " limit', which is the name of the stop of joint '" + own.name +
                                 "'");
    }
  }
  if (problems().error_count() > errors_before) return;
  if (rigid) {
    add_impulsive_stops(scenario_.setup, restitution);
  } else {
    add_compliant_stops(scenario_.setup, stiffness, damping);
  }
}

}  // namespace spacedyn::loading
