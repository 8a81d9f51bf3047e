#include "loading/keys/fields.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

/// Name of the controller among the elements of the run.
const char* const kName = "flying_base";

const Fields<BaseGains>& flight_position_fields() {
  static const Fields<BaseGains> kFields = {
      {"stiffness",
       "K, N/m",
       {Dimension::linear_stiffness, Range::not_negative},
       [](BaseGains& gains) -> double& { return gains.stiffness; },
       Presence::required},
      {"damping", "D, N s/m", quantity::kNumber.within(Range::not_negative),
       [](BaseGains& gains) -> double& { return gains.damping; }, Presence::required},
      {"force_limit", "Of the vector's length, N, default none",
       quantity::kForce.within(Range::positive).or_infinite(),
       [](BaseGains& gains) -> double& { return gains.limit; }}};
  return kFields;
}

const Fields<BaseGains>& flight_attitude_fields() {
  static const Fields<BaseGains> kFields = {
      {"stiffness",
       "K, N*m/rad",
       {Dimension::angular_stiffness, Range::not_negative},
       [](BaseGains& gains) -> double& { return gains.stiffness; },
       Presence::required},
      {"damping", "D, N m s/rad", quantity::kNumber.within(Range::not_negative),
       [](BaseGains& gains) -> double& { return gains.damping; }, Presence::required},
      {"torque_limit", "Of the vector's length, N*m, default none",
       quantity::kTorque.within(Range::positive).or_infinite(),
       [](BaseGains& gains) -> double& { return gains.limit; }}};
  return kFields;
}

BaseGains read_base_gains(const Value& value, const Fields<BaseGains>& fields,
                          ReadContext& context) {
  BaseGains gains;
  MapReader map(value, context);
  read_fields(map, fields, gains);
  if (map.is_mapping() && map.has("stiffness") && map.has("damping") && gains.stiffness == 0.0 &&
      gains.damping == 0.0) {
    map.error_at("stiffness", "expected a gain that is not zero, got none: nothing would act");
  }
  map.finish();
  return gains;
}

std::string flight_position_schema() {
  MappingSchema schema("Force of a flying base: K_p (r_ref − r_0) + D_p (ṙ_ref − v_0), limited");
  describe_fields(flight_position_fields(), schema);
  return schema.text();
}

std::string flight_attitude_schema() {
  MappingSchema schema("Torque of a flying base: K_a log(A_ref A_0ᵀ) + D_a (ω_ref − ω_0), limited");
  describe_fields(flight_attitude_fields(), schema);
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kFlightPositionDefinition{"flight_position", flight_position_schema};
extern const SchemaDefinition kFlightAttitudeDefinition{"flight_attitude", flight_attitude_schema};

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
    flight_->position = read_base_gains(*position, flight_position_fields(), context());
  }
  if (attitude) {
    flight_->attitude = read_base_gains(*attitude, flight_attitude_fields(), context());
  }
  flight_->sample_period = read_sample_period(map);
}

void ScenarioReader::add_flight_control() {
  flight_->motion = read_motion(motion_, false);
  if (is_robot_) return;  // one controller of several is made with the whole
  element_names_.insert(kName);
  controller_names_.insert(kName);
  if (problems().has_errors()) return;
  scenario_.setup.controllers.push_back(std::make_shared<BasePd>(kName, *flight_));
}

}  // namespace spacedyn::loading
