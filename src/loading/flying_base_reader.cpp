#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"

namespace spacedyn::loading {
namespace {

/// Name of the controller among the elements of the run.
const char* const kName = "flying_base";

BaseGains read_gains(const Value& value, Dimension stiffness, const char* limit_key,
                     const Quantity& limit, ReadContext& context) {
  BaseGains gains;
  MapReader map(value, context);
  gains.stiffness = map.required_number("stiffness", {stiffness, Range::not_negative});
  gains.damping = map.required_number("damping", {Dimension::none, Range::not_negative});
  gains.limit = map.number(limit_key, limit.within(Range::positive).or_infinite(), gains.limit);
  if (map.is_mapping() && map.has("stiffness") && map.has("damping") && gains.stiffness == 0.0 &&
      gains.damping == 0.0) {
    map.error_at("stiffness", "expected a gain that is not zero, got none: nothing would act");
  }
  map.finish();
  return gains;
}

}  // namespace

void ScenarioReader::read_flight(MapReader& map) {
  flight_.emplace();
  motion_ = map.find("motion");
  const auto position = map.find("position"), attitude = map.find("attitude");
  if (!position && !attitude) {
    map.error_at("mode",
                 "expected at least one of the keys position and attitude for a flying base, got "
                 "neither");
  }
  if (position) {
    flight_->position = read_gains(*position, Dimension::linear_stiffness, "force_limit",
                                   quantity::kForce, context());
  }
  if (attitude) {
    flight_->attitude = read_gains(*attitude, Dimension::angular_stiffness, "torque_limit",
                                   quantity::kTorque, context());
  }
  flight_->sample_period =
      map.number("sample_period", quantity::kTime.within(Range::not_negative), 0.0);
  if (const auto value = map.find("sample_period")) {
    check_count(*value, scenario_.duration, flight_->sample_period, "samples", problems());
  }
}

void ScenarioReader::add_flight_control() {
  flight_->motion = read_motion(motion_, false);
  element_names_.insert(kName);
  controller_names_.insert(kName);
  if (problems().has_errors()) return;
  scenario_.setup.controllers.push_back(std::make_shared<BasePd>(kName, *flight_));
}

}  // namespace spacedyn::loading
