#include "loading/scenario/reference_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/control/event_reference.hpp"
#include "spacedyn/control/glideslope_reference.hpp"
#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/control/resting_table.hpp"
#include "spacedyn/control/shaped_reference.hpp"
#include "spacedyn/control/spline_reference.hpp"
#include "spacedyn/control/two_impulse_reference.hpp"

namespace spacedyn::loading {
namespace {

using ReferencePtr = std::shared_ptr<const Reference>;

const std::vector<std::string> kReferenceTypes = {"constant", "quintic",    "trapezoid",
                                                  "table",    "glideslope", "two_impulse",
                                                  "harmonic", "shaped",     "spline"};
const std::vector<std::string> kInterpolations = {"linear", "cubic"};
const std::vector<std::string> kEnds = {"natural", "rest"};
constexpr std::size_t kRest = 1;

const std::vector<std::string> kShapers = {"zv", "zvd", "ei"};

constexpr Quantity kTravelTime{Dimension::time, Range::positive};
constexpr Quantity kFrequency{Dimension::none, Range::positive, false, "Hz"};
constexpr Quantity kShare{Dimension::none, Range::not_negative};

/// One number, or one per component; nothing where the key is absent or wrong.
std::optional<VectorX> each(MapReader& map, const char* key,
                            const std::vector<Quantity>& quantities) {
  const auto value = map.require(key, expectation(quantities.front()) + " or a list");
  return value ? read_each(*value, quantities, map.problems()) : std::nullopt;
}

/// The same of a key that may be absent.
std::optional<VectorX> each_or(MapReader& map, const char* key,
                               const std::vector<Quantity>& quantities, const VectorX& fallback) {
  const auto value = map.find(key);
  return value ? read_each(*value, quantities, map.problems()) : fallback;
}

/// One quantity for each component.
std::vector<Quantity> all(const ReferenceFrame& frame, const Quantity& quantity) {
  return std::vector<Quantity>(frame.position.size(), quantity);
}

VectorX start_of(MapReader& map, const ReferenceFrame& frame) {
  const auto from = map.find("from");
  return from ? read_each(*from, frame.position, map.problems()).value_or(frame.start)
              : frame.start;
}

/// From one place to another.
struct Travel {
  VectorX from;
  std::optional<VectorX> to;  ///< nothing where it is wrong
  double from_time;

  Travel(MapReader& map, const ReferenceFrame& frame)
      : from(start_of(map, frame)),
        to(each(map, "to", frame.position)),
        from_time(map.number("from_time", quantity::kTime, 0.0)) {}
};

ReferencePtr read_constant(MapReader& map, const ReferenceFrame& frame) {
  const auto position = each(map, "position", frame.position);
  return position ? std::make_shared<ConstantReference>(*position) : nullptr;
}

ReferencePtr read_quintic(MapReader& map, const ReferenceFrame& frame) {
  const auto [from, to, from_time] = Travel(map, frame);
  const double duration = map.required_number("duration", kTravelTime);
  if (!to || !(duration > 0.0)) return nullptr;
  return std::make_shared<QuinticReference>(from, *to, from_time, duration);
}

ReferencePtr read_trapezoid(MapReader& map, const ReferenceFrame& frame) {
  const auto [from, to, from_time] = Travel(map, frame);
  const auto velocity = each(map, "velocity", quantity::positive(frame.velocity));
  const auto acceleration = each(map, "acceleration", quantity::positive(frame.acceleration));
  if (!to || !velocity || !acceleration) return nullptr;
  return std::make_shared<TrapezoidReference>(from, *to, from_time, *velocity, *acceleration);
}

ReferencePtr read_table(MapReader& map, const ReferenceFrame& frame) {
  const auto time = map.require("time", "a list of times (s)");
  const auto position = map.require("position", "a list of rows, one for each time");
  const auto times = time ? read_times(*time, map.problems()) : std::nullopt;
  const auto rows = position && times
                        ? read_rows(*position, times->size(), frame.position, map.problems())
                        : std::nullopt;
  std::optional<std::size_t> choice = 0;
  if (const auto interpolation = map.find("interpolation")) {
    choice = read_choice(*interpolation, kInterpolations, map.problems());
  }
  if (choice == std::size_t{0} && frame.must_be_smooth) {
    map.error_at("interpolation",
                 "expected cubic, got linear: an imposed motion must not jump in "
                 "velocity");
    return nullptr;
  }
  std::optional<std::size_t> ends = 0;
  if (const auto given = map.find("ends")) {
    ends = read_choice(*given, kEnds, map.problems());
    if (choice == std::size_t{0}) {
      map.error_at("ends",
                   "expected interpolation: cubic beside it; a linear table has no such ends");
    }
  }
  if (!times || !rows || !choice || !ends) return nullptr;
  if (*ends == kRest) return std::make_shared<RestingTable>(*times, *rows);
  return std::make_shared<TableReference>(*times, *rows,
                                          static_cast<TableReference::Interpolation>(*choice));
}

/// Reports a motion whose velocity jumps where it is imposed.
bool refuse_jumps(MapReader& map, const ReferenceFrame& frame, const std::string& type) {
  if (!frame.must_be_smooth) return false;
  map.error_at("type", "expected a motion without jumps in velocity, got " + type +
                           ": an imposed motion must not jump");
  return true;
}

ReferencePtr read_glideslope(MapReader& map, const ReferenceFrame& frame) {
  const auto [from, to, from_time] = Travel(map, frame);
  const Quantity speed = frame.velocity.front().within(Range::positive);
  const double first = map.required_number("speed", speed);
  const double last = map.required_number("final_speed", speed);
  if (refuse_jumps(map, frame, "glideslope")) return nullptr;
  if (!to || !(first > 0.0) || !(last > 0.0)) return nullptr;
  return std::make_shared<GlideslopeReference>(from, *to, from_time, first, last);
}

ReferencePtr read_two_impulse(MapReader& map, const ReferenceFrame& frame) {
  const auto [from, to, from_time] = Travel(map, frame);
  const double duration = map.required_number("duration", kTravelTime);
  if (refuse_jumps(map, frame, "two_impulse")) return nullptr;
  if (frame.orbit_rate < 0.0) return nullptr;  // reported where the orbit is
  if (frame.orbit_rate == 0.0) {
    map.error_at("type",
                 "expected a motion that needs no orbit, got two_impulse, which is that of a place "
                 "in one",
                 "'environment: {orbit: …}' makes one; of several robots 'control: "
                 "station_keeping' follows it");
    return nullptr;
  }
  if (!to || !(duration > 0.0)) return nullptr;
  if (TwoImpulseReference::is_singular(from, *to, duration, frame.orbit_rate)) {
    map.error_at("duration", "expected a duration in which two impulses lead there, got " +
                                 format_number(duration) + " s: a turn of n t = " +
                                 format_number(frame.orbit_rate * duration) + " rad is singular");
    return nullptr;
  }
  return std::make_shared<TwoImpulseReference>(from, *to, from_time, duration, frame.orbit_rate);
}

ReferencePtr read_harmonic(MapReader& map, const ReferenceFrame& frame) {
  const auto size = static_cast<Eigen::Index>(frame.position.size());
  const auto amplitude = each(map, "amplitude", frame.position);
  const auto frequency = each(map, "frequency", all(frame, kFrequency));
  const auto phase = each_or(map, "phase", all(frame, quantity::kAngle), VectorX::Zero(size));
  const double from_time = map.number("from_time", quantity::kTime, 0.0);
  // by default the first value is the start
  const VectorX swing = amplitude && phase ? VectorX(amplitude->array() * phase->array().sin())
                                           : VectorX(VectorX::Zero(size));
  const auto offset = each_or(map, "offset", frame.position, frame.start - swing);
  if (!amplitude || !frequency || !phase || !offset) return nullptr;
  const auto harmonic = std::make_shared<HarmonicReference>(
      HarmonicReference::Oscillation{*amplitude, *frequency, *phase, *offset}, from_time);
  if (frame.must_be_smooth && from_time > 0.0 && harmonic->starts_with_a_jump()) {
    map.error_at("from_time",
                 "expected 0, or a phase at which the velocity is zero: an imposed motion must not "
                 "jump in velocity",
                 "'phase: 90 deg' starts from rest");
    return nullptr;
  }
  return harmonic;
}

/// Whether a reference that rests before its first discontinuity jumps in velocity there.
bool starts_with_a_jump(const Reference& reference) {
  std::vector<double> times;
  reference.append_discontinuities(times);
  if (times.empty()) return false;
  const double first = *std::min_element(times.begin(), times.end());
  for (int i = 0; i < reference.size(); ++i) {
    const ReferenceValue value = reference.evaluate(i, first);
    // of a cosine of 90 deg nothing but rounding is left
    const double rounding = 1e-12 * (std::abs(value.position) + std::abs(value.acceleration));
    if (std::abs(value.velocity) > rounding) return true;
  }
  return false;
}

ReferencePtr read_shaped(MapReader& map, const ReferenceFrame& frame) {
  const auto size = static_cast<Eigen::Index>(frame.position.size());
  const auto shaper = require_choice(map, "shaper", kShapers);
  const auto frequency = each(map, "frequency", all(frame, kFrequency));
  const auto damping = each_or(map, "damping_ratio", all(frame, kShare), VectorX::Zero(size));
  if (shaper && kShapers[*shaper] != "ei") {
    map.refuse("vibration", "shaper " + kShapers[*shaper] + " leaves none; shaper: ei has it");
  }
  const auto vibration = each_or(map, "vibration", all(frame, kShare),
                                 VectorX::Constant(size, ShapedMode{}.vibration));
  const auto of = map.require("of", "a reference");
  ReferenceFrame part = frame;
  part.is_part = true;
  const ReferencePtr reference = of ? read_reference(*of, part, map.context()) : nullptr;
  for (const auto& [key, values] :
       {std::pair("damping_ratio", &damping), std::pair("vibration", &vibration)}) {
    if (!*values || ((*values)->array() < 1.0).all()) continue;
    map.error_at(key, "expected a number below 1, got " + format_number((*values)->maxCoeff()));
    return nullptr;
  }
  if (!shaper || !frequency || !damping || !vibration || !reference) return nullptr;
  if (frame.must_be_smooth && starts_with_a_jump(*reference)) {
    map.error_at("of",
                 "expected a motion that starts from rest: its delayed copies must not jump in "
                 "velocity");
    return nullptr;
  }
  std::vector<ShapedMode> modes;
  for (Eigen::Index i = 0; i < size; ++i) {
    modes.push_back({(*frequency)(i), (*damping)(i), (*vibration)(i)});
  }
  return std::make_shared<ShapedReference>(reference, static_cast<Shaper>(*shaper), modes);
}

/// Lets a reference begin at the event of `start`, if that is given.
ReferencePtr start_at_event(MapReader& map, const ReferenceFrame& frame,
                            const ReferencePtr& reference) {
  if (!map.has("start")) return reference;
  if (frame.is_part) {
    map.refuse("start", "it belongs to the reference that is shaped");
    return nullptr;
  }
  map.refuse("from_time", "'start' is given as well");
  const int event = map.start_event();
  if (event < 0 || !reference) return nullptr;
  for (int i = 0; frame.must_be_smooth && i < reference->size(); ++i) {
    const ReferenceValue first = reference->evaluate(i, 0.0);
    if (std::abs(first.velocity) <= 1e-12 * (std::abs(first.position) + 1.0)) continue;
    map.error_at("start",
                 "expected a motion that starts from rest: an imposed motion must not jump in "
                 "velocity at its event");
    return nullptr;
  }
  return std::make_shared<EventReference>(reference, event);
}

ReferencePtr read_spline(MapReader& map, const ReferenceFrame& frame) {
  const auto time = map.require("time", "a list of times (s)");
  const auto position = map.require("position", "a list of rows, one for each time");
  const double from_time = map.number("from_time", quantity::kTime, 0.0);
  const auto times = time ? read_times(*time, map.problems()) : std::nullopt;
  const auto rows = position && times
                        ? read_rows(*position, times->size(), frame.position, map.problems())
                        : std::nullopt;
  if (!times || !rows) return nullptr;
  return std::make_shared<SplineReference>(*times, *rows, from_time);
}

constexpr std::array kReaders = {read_constant, read_quintic,    read_trapezoid,
                                 read_table,    read_glideslope, read_two_impulse,
                                 read_harmonic, read_shaped,     read_spline};

MappingSchema motion_of_joints_schema(std::size_t type) {
  MappingSchema schema(kReferenceTypes[type]);
  schema.require("type", constant_schema(kReferenceTypes[type]));
  if (type > 0) schema.allow("start", reference_schema("start_event"));
  return schema;
}

MappingSchema travel_schema(std::size_t type) {
  MappingSchema schema = motion_of_joints_schema(type);
  schema
      .allow("from", each_schema(quantity::kJointPosition,
                                 "rad or m: one number, or one per component; default the start"))
      .require("to",
               each_schema(quantity::kJointPosition, "rad or m: one number, or one per component"))
      .allow("from_time", number_schema({quantity::kTime}, "When it begins, s, default 0"));
  return schema;
}

std::string reference_trajectory_schema() {
  const std::string positions =
      each_schema(quantity::kJointPosition, "rad or m: one number, or one per component");
  MappingSchema constant = motion_of_joints_schema(0);
  constant.require("position", positions);
  MappingSchema quintic = travel_schema(1);
  quintic.require("duration", number_schema({kTravelTime}, "Of the motion, s"));
  MappingSchema trapezoid = travel_schema(2);
  trapezoid
      .require("velocity",
               each_schema(quantity::positive(quantity::kJointVelocity),
                           "The highest, rad/s or m/s: one number, or one per component"))
      .require("acceleration",
               each_schema(quantity::positive(quantity::kJointAcceleration),
                           "Of the ramps, rad/s² or m/s²: one number, or one per component"));
  MappingSchema table = motion_of_joints_schema(3);
  table.require("time", reference_schema("times"))
      .require("position", series_schema(positions, 2, "One row per time"))
      .allow("interpolation",
             choice_schema(kInterpolations, "Default linear; imposed motion needs cubic"))
      .allow("ends",
             choice_schema(kEnds, "Of a cubic table: without acceleration (default) or at rest"));
  MappingSchema glideslope = travel_schema(4);
  const std::string speed =
      number_schema(quantity::positive(quantity::kJointVelocity), "rad/s or m/s");
  glideslope.require("speed", speed).require("final_speed", speed);
  MappingSchema two_impulse = travel_schema(5);
  two_impulse.require("duration", number_schema({kTravelTime}, "Of the transfer, s"));
  const std::string frequency =
      each_schema({kFrequency}, "Undamped, Hz: one number, or one per component");
  MappingSchema harmonic = motion_of_joints_schema(6);
  harmonic.require("amplitude", positions)
      .require("frequency", frequency)
      .allow("phase",
             each_schema({quantity::kAngle}, "rad: one number, or one per component; default 0"))
      .allow("offset", each_schema(quantity::kJointPosition,
                                   "rad or m: one number, or one per component; by default the "
                                   "first value is the start"))
      .allow("from_time", number_schema({quantity::kTime}, "When it begins, s, default 0"));
  MappingSchema shaped = motion_of_joints_schema(7);
  shaped.require("shaper", choice_schema(kShapers, "Which impulses"))
      .require("frequency", frequency)
      .allow("damping_ratio", each_schema({kShare}, "From 0, the default, to below 1"))
      .allow("vibration", each_schema({kShare}, "What ei leaves, from 0 to below 1; default 0.05"))
      .require("of", reference_schema("reference", "The reference to be shaped"));
  MappingSchema spline = motion_of_joints_schema(8);
  spline.require("time", reference_schema("times"))
      .require("position", series_schema(positions, 2, "One row per time"))
      .allow("from_time",
             number_schema({quantity::kTime}, "From which the times count, s, default 0"));
  return one_of_schema(
      {constant.text(), quintic.text(), trapezoid.text(), table.text(), glideslope.text(),
       two_impulse.text(), harmonic.text(), shaped.text(), spline.text()},
      "A reference trajectory");
}

}  // namespace

extern const SchemaDefinition kReferenceDefinition{"reference", reference_trajectory_schema};

void ReferenceFrame::add(const Quantity& position_of, const Quantity& velocity_of,
                         const Quantity& acceleration_of) {
  position.push_back(position_of);
  velocity.push_back(velocity_of);
  acceleration.push_back(acceleration_of);
}

void ReferenceFrame::add_joint(JointType type) {
  add(position_quantity(type), velocity_quantity(type),
      type == JointType::prismatic ? quantity::kAcceleration : quantity::kAngularAcceleration);
}

std::shared_ptr<const Reference> read_reference(const Value& value, const ReferenceFrame& frame,
                                                ReadContext& context) {
  MapReader map(value, context);
  const auto choice = require_choice(map, "type", kReferenceTypes);
  if (!choice) {
    map.report_missing();
    return nullptr;
  }
  ReferencePtr reference;
  if (*choice == 0) map.refuse("start", "a constant reference has no motion to begin");
  guard(value, context.problems, [&] { reference = kReaders[*choice](map, frame); });
  reference = start_at_event(map, frame, reference);
  map.finish();
  return reference;
}

}  // namespace spacedyn::loading
