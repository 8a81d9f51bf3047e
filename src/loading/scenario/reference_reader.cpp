#include "loading/scenario/sections.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "loading/keys/time_series.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/control/resting_table.hpp"
#include "spacedyn/control/shaped_reference.hpp"
#include "spacedyn/control/spline_reference.hpp"
#include "spacedyn/control/two_impulse_reference.hpp"

namespace spacedyn::loading {
namespace {

using ReferencePtr = std::shared_ptr<const Reference>;
using Interpolation = TableReference::Interpolation;

/// All keys of all references.
struct ReferenceKeys {
  VectorX from, to, position, velocity, acceleration;
  VectorX amplitude, frequency, phase, offset, damping_ratio, vibration;
  double from_time = 0.0, duration = 0.0, speed = 0.0, final_speed = 0.0;
  std::vector<double> times;
  MatrixX rows;
  Interpolation interpolation = Interpolation::linear;
  bool ends_at_rest = false;
  Shaper shaper = Shaper::zv;
  ReferencePtr of;
};

using Keys = Mapping<ReferenceKeys>;

constexpr Quantity kFrequency{Dimension::none, Range::positive, false, "Hz"};
constexpr Quantity kShare{Dimension::none, Range::not_negative};
constexpr const char* kEachPosition = "rad or m: one number, or one per component";

/// @param name  also its title
Keys reference_keys(const char* name) {
  Keys keys(name);
  const auto describe = [](MappingSchema& schema) {
    schema.allow("start", reference_schema("start_event"));
  };
  return keys.group({describe, [](Reading&, ReferenceKeys&) { return true; }});
}

void add_from_time(Keys& keys, const char* title = "When it begins, s, default 0") {
  keys.allow("from_time", &ReferenceKeys::from_time, quantity::kTime, title);
}

/// From one place to another.
Keys travel_keys(const char* name) {
  using namespace kind;
  Keys keys = reference_keys(name);
  keys.allow(
      "from", &ReferenceKeys::from,
      each_motion(kJointPosition, "rad or m: one number, or one per component; default the start"));
  keys.require("to", &ReferenceKeys::to, each_motion(kJointPosition, kEachPosition));
  add_from_time(keys);
  return keys;
}

/// Rows over time.
void add_rows(Keys& keys) {
  const auto describe = [](MappingSchema& schema) {
    schema.require("time", reference_schema("times"))
        .require("position", series_schema(each_schema(quantity::kJointPosition, kEachPosition), 2,
                                           "One row per time"));
  };
  const auto read = [](Reading& reading, ReferenceKeys& given) {
    const auto time = reading.map.require("time", "a list of times (s)");
    const auto position = reading.map.require("position", "a list of rows, one for each time");
    const auto times = time ? read_times(*time, reading.problems()) : std::nullopt;
    if (!position || !times) return false;
    const auto rows =
        read_rows(*position, times->size(), by_motion(reading.motions, quantity::kJointPosition),
                  reading.problems());
    given.times = *times;
    if (rows) given.rows = *rows;
    return rows.has_value();
  };
  keys.group({describe, read});
}

Kind<ReferencePtr> part_reference(const char* title) {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<ReferencePtr> {
    ReferenceFrame part = *reading.frame;
    part.is_part = true;
    ReferencePtr reference = read_reference(value, part, reading.map.context());
    if (!reference) return std::nullopt;
    return reference;
  };
  return make_kind<ReferencePtr>(
      "a reference", [=] { return reference_schema("reference", title); }, read);
}

/// Reports a motion whose velocity jumps where it is imposed.
bool refuse_jumps(Reading& reading, const std::string& type) {
  if (!reading.frame->must_be_smooth) return false;
  reading.map.error_at("type", "expected a motion without jumps in velocity, got " + type +
                                   ": an imposed motion must not jump");
  return true;
}

ReferencePtr make_table(ReferenceKeys& keys, Reading& reading) {
  const bool is_linear = keys.interpolation == Interpolation::linear;
  if (is_linear && reading.frame->must_be_smooth) {
    reading.map.error_at("interpolation",
                         "expected cubic, got linear: an imposed motion must not jump in velocity");
    return nullptr;
  }
  if (is_linear && reading.map.has("ends")) {
    reading.map.error_at(
        "ends", "expected interpolation: cubic beside it; a linear table has no such ends");
  }
  if (keys.ends_at_rest) return std::make_shared<RestingTable>(keys.times, keys.rows);
  return std::make_shared<TableReference>(keys.times, keys.rows, keys.interpolation);
}

ReferencePtr make_two_impulse(ReferenceKeys& keys, Reading& reading) {
  const std::optional<ReferenceOrbit>& orbit = reading.frame->orbit;
  if (refuse_jumps(reading, "two_impulse")) return nullptr;
  if (orbit && !orbit->exists()) return nullptr;  // reported where the orbit is
  if (!orbit) {
    reading.map.error_at(
        "type",
        "expected a motion that needs no orbit, got two_impulse, which is that of a place in one",
        "'environment: {orbit: …}' makes one; of several robots 'control: station_keeping' "
        "follows it");
    return nullptr;
  }
  if (!orbit->is_circular()) {
    reading.map.error_at("type",
                         "expected a motion for any orbit, got two_impulse, which follows Clohessy "
                         "and Wiltshire: the eccentricity of the orbit is not 0");
    return nullptr;
  }
  const double rate = orbit->at(0.0).rate;
  if (TwoImpulseReference::is_singular(keys.from, keys.to, keys.duration, rate)) {
    reading.map.error_at("duration", "expected a duration in which two impulses lead there, got " +
                                         format_number(keys.duration) + " s: a turn of n t = " +
                                         format_number(rate * keys.duration) + " rad is singular");
    return nullptr;
  }
  return std::make_shared<TwoImpulseReference>(keys.from, keys.to, keys.from_time, keys.duration,
                                               rate);
}

ReferencePtr make_harmonic(ReferenceKeys& keys, Reading& reading) {
  // by default the first value is the start
  const VectorX swing = keys.amplitude.array() * keys.phase.array().sin();
  if (!reading.map.has("offset")) keys.offset = reading.frame->start - swing;
  const auto harmonic = std::make_shared<HarmonicReference>(
      HarmonicReference::Oscillation{keys.amplitude, keys.frequency, keys.phase, keys.offset},
      keys.from_time);
  if (reading.frame->must_be_smooth && keys.from_time > 0.0 && harmonic->starts_with_a_jump()) {
    reading.map.error_at(
        "from_time",
        "expected 0, or a phase at which the velocity is zero: an imposed motion must not jump in "
        "velocity",
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

ReferencePtr make_shaped(ReferenceKeys& keys, Reading& reading) {
  for (const auto& [key, values] :
       {std::pair("damping_ratio", &keys.damping_ratio), std::pair("vibration", &keys.vibration)}) {
    if ((values->array() < 1.0).all()) continue;
    reading.map.error_at(key,
                         "expected a number below 1, got " + format_number(values->maxCoeff()));
    return nullptr;
  }
  if (reading.frame->must_be_smooth && starts_with_a_jump(*keys.of)) {
    reading.map.error_at("of",
                         "expected a motion that starts from rest: its delayed copies must not "
                         "jump in velocity");
    return nullptr;
  }
  std::vector<ShapedMode> modes;
  for (Eigen::Index i = 0; i < keys.frequency.size(); ++i) {
    modes.push_back({keys.frequency(i), keys.damping_ratio(i), keys.vibration(i)});
  }
  return std::make_shared<ShapedReference>(keys.of, keys.shaper, modes);
}

/// Only one shaper leaves vibration.
void refuse_vibration(MapReader& map) {
  for (const char* shaper : {"zv", "zvd"}) {
    if (!map.says("shaper", shaper)) continue;
    map.refuse("vibration", std::string("shaper ") + shaper + " leaves none; shaper: ei has it");
  }
}

Keys constant_keys() {
  Keys keys("constant");
  keys.require("position", &ReferenceKeys::position,
               kind::each_motion(quantity::kJointPosition, kEachPosition));
  return keys.refuse("start", "a constant reference has no motion to begin");
}

Keys quintic_keys() {
  return travel_keys("quintic").require("duration", &ReferenceKeys::duration, kTravelTime,
                                        "Of the motion, s");
}

Keys trapezoid_keys() {
  using namespace kind;
  Keys keys = travel_keys("trapezoid");
  keys.require("velocity", &ReferenceKeys::velocity,
               each_motion(positive(kJointVelocity),
                           "The highest, rad/s or m/s: one number, or one per component"));
  return keys.require(
      "acceleration", &ReferenceKeys::acceleration,
      each_motion(positive(kJointAcceleration),
                  "Of the ramps, rad/s² or m/s²: one number, or one per component"));
}

Keys table_keys() {
  using namespace kind;
  Keys keys = reference_keys("table");
  add_rows(keys);
  keys.allow(
      "interpolation", &ReferenceKeys::interpolation,
      choice<Interpolation>({"linear", "cubic"}, "Default linear; imposed motion needs cubic"));
  return keys.allow("ends", &ReferenceKeys::ends_at_rest,
                    choice<bool>({"natural", "rest"},
                                 "Of a cubic table: without acceleration (default) or at rest"));
}

Keys glideslope_keys() {
  Keys keys = travel_keys("glideslope");
  const auto speed =
      kind::joint_number(quantity::positive(quantity::kJointVelocity), "rad/s or m/s");
  keys.require("speed", &ReferenceKeys::speed, speed);
  return keys.require("final_speed", &ReferenceKeys::final_speed, speed);
}

Keys two_impulse_keys() {
  return travel_keys("two_impulse")
      .require("duration", &ReferenceKeys::duration, kTravelTime, "Of the transfer, s");
}

Kind<VectorX> frequencies() {
  return kind::each_motion({kFrequency}, "Undamped, Hz: one number, or one per component");
}

Keys harmonic_keys() {
  using namespace kind;
  Keys keys = reference_keys("harmonic");
  keys.require("amplitude", &ReferenceKeys::amplitude, each_motion(kJointPosition, kEachPosition));
  keys.require("frequency", &ReferenceKeys::frequency, frequencies());
  keys.allow("phase", &ReferenceKeys::phase,
             each_motion({kAngle}, "rad: one number, or one per component; default 0"));
  keys.allow("offset", &ReferenceKeys::offset,
             each_motion(kJointPosition,
                         "rad or m: one number, or one per component; by default the first value "
                         "is the start"));
  add_from_time(keys);
  return keys;
}

Keys shaped_keys() {
  using namespace kind;
  Keys keys = reference_keys("shaped");
  keys.require("shaper", &ReferenceKeys::shaper,
               choice<Shaper>({"zv", "zvd", "ei"}, "Which impulses"));
  keys.require("frequency", &ReferenceKeys::frequency, frequencies());
  keys.allow("damping_ratio", &ReferenceKeys::damping_ratio,
             each_motion({kShare}, "From 0, the default, to below 1"));
  keys.allow("vibration", &ReferenceKeys::vibration,
             each_motion({kShare}, "What ei leaves, from 0 to below 1; default 0.05"));
  keys.require("of", &ReferenceKeys::of, part_reference("The reference to be shaped"));
  return keys.check_keys({}, refuse_vibration);
}

Keys spline_keys() {
  Keys keys = reference_keys("spline");
  add_rows(keys);
  add_from_time(keys, "From which the times count, s, default 0");
  return keys;
}

using Make = ReferencePtr (*)(ReferenceKeys& keys, Reading& reading);

const std::array<Variant<ReferenceKeys, Make>, 9> kReferences = {{
    {"constant", constant_keys,
     [](ReferenceKeys& keys, Reading&) -> ReferencePtr {
       return std::make_shared<ConstantReference>(keys.position);
     }},
    {"quintic", quintic_keys,
     [](ReferenceKeys& keys, Reading&) -> ReferencePtr {
       return std::make_shared<QuinticReference>(keys.from, keys.to, keys.from_time, keys.duration);
     }},
    {"trapezoid", trapezoid_keys,
     [](ReferenceKeys& keys, Reading&) -> ReferencePtr {
       return std::make_shared<TrapezoidReference>(keys.from, keys.to, keys.from_time,
                                                   keys.velocity, keys.acceleration);
     }},
    {"table", table_keys, make_table},
    {"glideslope", glideslope_keys,
     [](ReferenceKeys& keys, Reading& reading) -> ReferencePtr {
       if (refuse_jumps(reading, "glideslope")) return nullptr;
       return std::make_shared<GlideslopeReference>(keys.from, keys.to, keys.from_time, keys.speed,
                                                    keys.final_speed);
     }},
    {"two_impulse", two_impulse_keys, make_two_impulse},
    {"harmonic", harmonic_keys, make_harmonic},
    {"shaped", shaped_keys, make_shaped},
    {"spline", spline_keys,
     [](ReferenceKeys& keys, Reading&) -> ReferencePtr {
       return std::make_shared<SplineReference>(keys.times, keys.rows, keys.from_time);
     }},
}};

Variants make_references() { return variants_of("type", kReferences); }

Json references_schema() { return once<make_references>().schema("A reference trajectory"); }

/// Lets a reference begin at the event of `start`, if that is given.
ReferencePtr start_at_event(MapReader& map, const ReferenceFrame& frame,
                            const ReferencePtr& reference) {
  if (!map.has("start")) return reference;
  if (frame.is_part) {
    map.refuse("start", "it belongs to the reference that is shaped");
    return nullptr;
  }
  map.refuse("from_time", "'start' is given as well");
  const int event = read_start_event(map);
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

}  // namespace

extern const SchemaDefinition kReferenceDefinition{"reference", references_schema};

ReferencePtr read_reference(const Value& value, const ReferenceFrame& frame, ReadContext& context) {
  const auto size = static_cast<Eigen::Index>(frame.motions.size());
  ReferenceKeys keys;
  keys.from = frame.start;
  keys.phase = keys.damping_ratio = VectorX::Zero(size);
  keys.vibration = VectorX::Constant(size, ShapedMode{}.vibration);
  ReferencePtr reference;
  once<make_references>().read(
      value, context, &keys, nullptr,
      [&](std::size_t, Reading& reading) {
        reading.frame = &frame;
        reading.motions = frame.motions;
        reading.motion = frame.motions.front();
      },
      [&](std::size_t type, Reading& reading, bool is_right) {
        if (is_right) {
          guard(value, context.problems, [&] { reference = kReferences[type].use(keys, reading); });
        }
        reference = start_at_event(reading.map, frame, reference);
      });
  return reference;
}

}  // namespace spacedyn::loading
