#include "loading/scenario/shared_keys.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn::loading {
namespace {

/// Limits of a joint, its own unless given; nothing if it has none.
std::optional<std::pair<double, double>> read_limits(ScenarioContext& scenario, MapReader& map,
                                                     int joint) {
  const Joint& own = scenario.model->joint(joint);
  std::pair<double, double> limits{own.position_lower, own.position_upper};
  if (const auto value = map.find("limits")) {
    const auto given =
        read_numbers(*value, position_quantity(own.type).or_infinite(), 2, scenario.problems());
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
  const double start = scenario.initial().q(joint - 1);
  if (start < limits.first || start > limits.second) {
    map.error_at("limits", "expected limits around the start of joint '" + own.name + "' at " +
                               format_number(start));
  }
  return limits;
}

constexpr const char* kPoint = "the name of a frame, a link or <link>.com";

/// A name; what is no text, as a mapping with a point of a body, is told what belongs there.
std::optional<std::string> read_name(const Value& value, const std::string& expected,
                                     ProblemList& problems, const std::string& hint = "") {
  if (value.node->is_scalar()) return read_text(value, problems);
  problems.error(value, "expected " + expected + ", got " + describe(*value.node), hint);
  return std::nullopt;
}

/// Whether a schedule has any value but zero in [0, duration).
bool acts_within(const TimeTable& given, double duration) {
  const TimeTable schedule = given.starting_at(-1);  // what begins at an event may begin at once
  std::vector<double> times{0.0};
  for (const double time : schedule.times()) {
    if (time > 0.0 && time < duration) times.push_back(time);
  }
  // linear between rows: zero at both ends and in the middle is zero everywhere
  const std::size_t rows = times.size();
  for (std::size_t i = 0; i < rows; ++i) {
    times.push_back(0.5 * (times[i] + (i + 1 < rows ? times[i + 1] : duration)));
  }
  VectorX value(schedule.size());
  return std::any_of(times.begin(), times.end(), [&](double time) {
    schedule.evaluate(time, value);
    return !value.isZero(0.0);
  });
}

bool is_angle(const Joint& joint) { return joint.type != JointType::prismatic; }

/// Degrees of radians; short, as people write them.
std::string in_degrees(double angle) { return fmt::format("{:.6g}", angle / kDegree); }

}  // namespace

std::string position_text(const Joint& joint, double position) {
  return is_angle(joint) ? in_degrees(position) + " deg" : fmt::format("{:.6g} m", position);
}

std::string angle_text(double angle) { return in_degrees(angle) + " deg"; }

std::string limits_text(const Joint& joint) {
  const double lower = joint.position_lower, upper = joint.position_upper;
  return is_angle(joint) ? fmt::format("[{}, {}] deg", in_degrees(lower), in_degrees(upper))
                         : fmt::format("[{:.6g}, {:.6g}] m", lower, upper);
}

std::string velocity_text(const Joint& joint, double velocity) {
  return is_angle(joint) ? in_degrees(velocity) + " deg/s" : fmt::format("{:.6g} m/s", velocity);
}

void check_step(ScenarioContext& scenario, MapReader& map, const char* key, double step,
                const char* parts) {
  const auto value = map.find(key);
  if (value) check_count(*value, scenario.result.duration, step, parts, map.problems());
}

std::optional<std::size_t> find_choice(MapReader& map, const char* key,
                                       const std::vector<std::string>& choices) {
  const auto value = map.find(key);
  return value ? read_choice(*value, choices, map.problems()) : std::nullopt;
}

std::optional<std::size_t> require_choice(MapReader& map, const char* key,
                                          const std::vector<std::string>& choices) {
  const auto value = map.require(key, list_choices(choices));
  return value ? read_choice(*value, choices, map.problems()) : std::nullopt;
}

void check_direction(MapReader& map, const char* key, const Vector3& direction) {
  if (direction.isZero(0.0)) map.error_at(key, "expected a vector other than zero");
}

void for_each_entry(
    const Value& value, const char* what, ProblemList& problems,
    const std::function<void(const std::string& name, const Value& item)>& function) {
  if (!value.node->is_mapping()) {
    problems.error(value, fmt::format("expected a mapping of {} by name, got {}", what,
                                      describe(*value.node)));
  }
  for (const Entry& entry : value.node->entries) {
    if (entry.key == "description" || entry.key == "source") continue;
    function(entry.key, {entry.value.get(), join_path(value.path, entry.key)});
  }
}

bool has_one_of(MapReader& map, const std::vector<std::string>& keys) {
  const auto count =
      std::count_if(keys.begin(), keys.end(), [&](const std::string& key) { return map.has(key); });
  if (count == 1) return true;
  if (!map.is_mapping()) return false;
  const char* got =
      keys.size() == 2 ? (count == 0 ? "neither" : "both") : (count == 0 ? "none" : "several");
  map.error(fmt::format("expected one of the keys {} and {}, got {}",
                        fmt::join(keys.begin(), keys.end() - 1, ", "), keys.back(), got));
  return false;
}

std::vector<int> read_joint_coordinates(ScenarioContext& scenario, const Value& value) {
  const bool is_text = value.node->is_scalar() && scenario.model;
  const auto compound =
      is_text ? scenario.model->find_compound_joint(value.node->text) : std::nullopt;
  std::vector<int> coordinates;
  for (int k = 0; compound && k < compound->size; ++k) coordinates.push_back(compound->first + k);
  if (compound) return coordinates;
  if (const auto joint = read_joint_name(scenario, value, Spherical::allowed)) return {*joint};
  return {};
}

std::optional<int> read_joint_name(ScenarioContext& scenario, const Value& value,
                                   Spherical spherical) {
  ProblemList& problems = scenario.problems();
  const auto name = read_name(value, "the name of a joint", problems);
  if (!name || !scenario.model) return std::nullopt;
  const Model& model = *scenario.model;
  const auto joint = model.find_joint(*name);
  if (problems.is_full()) return joint;
  if (const Follower* follower = joint ? model.follower(*joint) : nullptr) {
    const std::string followed = quote(model.joint(follower->followed).name);
    problems.error(value,
                   "expected a joint with a coordinate of its own, got " + quote(*name) +
                       ", which follows " + followed,
                   "name " + followed + ": both move together");
    return std::nullopt;
  }
  if (joint && model.joint(*joint).spherical != 0 && spherical == Spherical::refused) {
    problems.error(value, "expected a coordinate with a position of its own, got " + quote(*name) +
                              ", which belongs to a spherical joint");
    return std::nullopt;
  }
  if (joint) {
    scenario.names.joints.insert(*joint);
    return joint;
  }
  std::vector<std::string> known;
  if (const auto compound = model.find_compound_joint(*name)) {
    for (int k = 0; k < compound->size; ++k) known.push_back(model.joint(compound->first + k).name);
    problems.error(value, "expected one coordinate, got " + quote(*name) + ", which has " +
                              list_choices(known));
    return std::nullopt;
  }
  for (const int i : model.coordinates()) known.push_back(model.joint(i).name);
  problems.error(value, "expected the name of a moving joint, got " + quote(*name),
                 nearest_hint(*name, known));
  return std::nullopt;
}

std::optional<int> read_joint(ScenarioContext& scenario, MapReader& map, Spherical spherical) {
  const auto value = map.require("joint", "the name of a joint");
  return value ? read_joint_name(scenario, *value, spherical) : std::nullopt;
}

Kind<int> kind::joint(const char* title, Spherical spherical) {
  const auto read = [spherical](const Value& value, Reading& reading) {
    reading.joint = read_joint_name(*reading.scenario, value, spherical);
    if (reading.joint) reading.motion = reading.scenario->model->joint(*reading.joint).type;
    return reading.joint;
  };
  return make_kind<int>(
      "the name of a joint", [=] { return text_schema(title); }, read);
}

Kind<int> kind::free_joint(Spherical spherical) {
  Kind<int> free = joint("", spherical);
  free.read = [read = free.read](const Value& value, Reading& reading, void* target) {
    if (!read(value, reading, target)) return false;
    return !refuse_prescribed(*reading.scenario, reading.map, *reading.joint);
  };
  return free;
}

bool is_prescribed(const ScenarioContext& scenario, int joint) {
  const auto& prescribed = scenario.result.setup.prescribed_joints;
  return std::any_of(prescribed.begin(), prescribed.end(),
                     [&](const PrescribedJoint& other) { return other.joint == joint; });
}

bool refuse_prescribed(ScenarioContext& scenario, MapReader& map, int joint) {
  if (!is_prescribed(scenario, joint)) return false;
  map.error_at("joint",
               moved_already("a joint that moves", scenario.model->joint(joint).name).reason);
  return true;
}

KeyGroup<std::pair<double, double>> limits_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("limits", reference_schema("limits"));
  };
  const auto read = [](Reading& reading, std::pair<double, double>& limits) {
    if (!reading.joint) return !reading.map.find("limits");
    const auto given = read_limits(*reading.scenario, reading.map, *reading.joint);
    if (given) limits = *given;
    return given.has_value();
  };
  return {describe, read};
}

std::optional<Frame> find_point(const Value& value, Reading& reading) {
  const auto name =
      read_name(value, kPoint, reading.problems(),
                "a point gets its name under 'frames', of the model or of 'model: {file: …}'");
  if (!name || !reading.scenario->model) return std::nullopt;
  const Model& model = *reading.scenario->model;
  auto point = model.find_frame(*name);
  if (point) return point;
  std::vector<std::string> known;
  for (const Frame& frame : model.frames()) known.push_back(frame.name);
  for (int i = 0; i < model.body_count(); ++i) {
    known.push_back(model.body(i).name);
    known.push_back(model.body(i).name + ".com");
  }
  reading.problems().error(value, "expected " + std::string(kPoint) + ", got " + quote(*name),
                           nearest_hint(*name, known));
  return std::nullopt;
}

Kind<Frame> kind::point(const char* title) {
  return make_kind<Frame>(
      kPoint, [=] { return text_schema(title); }, find_point);
}

std::optional<Frame> read_point(ScenarioContext& scenario, MapReader& map, const char* key) {
  const auto value = map.require(key, kPoint);
  Reading reading{map, &scenario};
  return value ? find_point(*value, reading) : std::nullopt;
}

void check_pair(const Frame& from, const Frame& to, Reading& reading) {
  if (from.body != to.body) return;
  reading.map.error_at("to", "expected a point of another body than that of 'from', got " +
                                 quote(to.name) + ", which is on '" +
                                 reading.scenario->model->body(to.body).name + "', too");
}

LinkFrames start_frames(const ScenarioContext& scenario) {
  LinkFrames frames(*scenario.model);
  compute_link_frames(*scenario.model, scenario.result.initial, frames);
  return frames;
}

LinkMotion::LinkMotion(const Model& model, const State& state) : frames(model), velocities(model) {
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
}

const Body* find_at_start(const ScenarioContext& scenario,
                          const std::function<bool(const Body&, const Vector3& r)>& is_meant) {
  const LinkFrames frames = start_frames(scenario);
  for (int i = 0; i < scenario.model->body_count(); ++i) {
    const Body& body = scenario.model->body(i);
    if (is_meant(body, frames.r[static_cast<std::size_t>(i)])) return &body;
  }
  return nullptr;
}

void for_each_item_of(ScenarioContext& scenario, const char* key,
                      const std::function<void(const Value& item)>& function) {
  const auto list = scenario.map.find(key);
  if (list) for_each_item(*list, scenario.problems(), function);
}

void read_elements(ScenarioContext& scenario, const char* key,
                   const std::vector<std::string>& types, const ElementReader& read) {
  std::size_t position = 0;
  for_each_item_of(scenario, key, [&](const Value& item) {
    MapReader map(item, scenario.context());
    const auto choice = require_choice(map, "type", types);
    if (choice) {
      const std::string name = read_element_name(scenario, map, types[*choice], position);
      guard(item, scenario.problems(), [&] { read(map, *choice, name); });
      map.finish();
    } else {
      map.report_missing();  // without a type the other keys are unknown
    }
    ++position;
  });
}

std::string read_element_name(ScenarioContext& scenario, MapReader& map, const std::string& type,
                              std::size_t position) {
  std::string name = map.text("name");
  if (name.empty()) name = type + '_' + std::to_string(position);
  if (!scenario.names.elements.insert(name).second) {
    map.error_at("name", "expected a name of its own, got " + quote(name) + " again");
  }
  return name;
}

const ForceElement* find_force(const ScenarioContext& scenario, const std::string& name) {
  const auto& forces = scenario.result.setup.forces;
  const auto found = std::find_if(forces.begin(), forces.end(),
                                  [&](const auto& force) { return force->name() == name; });
  return found != forces.end() ? found->get() : nullptr;
}

std::optional<WheelMount> find_wheel(const ScenarioContext& scenario, const std::string& name) {
  const ForceElement* force = find_force(scenario, name);
  return force == nullptr ? std::nullopt : declarations_of(*force).wheel;
}

void warn_if_idle(ScenarioContext& scenario, const MapReader& map, const TimeTable& schedule) {
  if (map.problems().has_errors() || !(scenario.result.duration > 0.0)) return;
  if (acts_within(schedule, scenario.result.duration)) return;
  map.warning(
      fmt::format("expected a load that acts between 0 and {:g} s, got one that is "
                  "zero throughout",
                  scenario.result.duration));
}

std::vector<Quantity> by_motion(const std::vector<JointType>& motions,
                                const std::vector<Quantity>& quantities) {
  std::vector<Quantity> each;
  for (const JointType motion : motions) {
    each.push_back(motion == JointType::prismatic ? quantities.back() : quantities.front());
  }
  return each;
}

ReferenceFrame joint_frame(const ScenarioContext& scenario, const std::vector<int>& joints) {
  ReferenceFrame frame;
  frame.start.resize(static_cast<Eigen::Index>(joints.size()));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    frame.motions.push_back(scenario.model->joint(joints[i]).type);
    frame.start(static_cast<Eigen::Index>(i)) = scenario.result.initial.q(joints[i] - 1);
  }
  return frame;
}

Kind<VectorX> kind::each_motion(const std::vector<Quantity>& quantities, const char* title) {
  const auto read = [=](const Value& value, Reading& reading) {
    return read_each(value, by_motion(reading.motions, quantities), reading.problems());
  };
  Kind<VectorX> kind = make_kind<VectorX>(
      expectation(quantities.front()) + " or a list",
      [=] { return each_schema(quantities, title); }, read);
  kind.needs_motion = true;
  kind.expected_of_sliding = expectation(quantities.back()) + " or a list";
  return kind;
}

Kind<int> kind::thruster() {
  return known_name("a thruster of the model",
                    [](const Reading& reading) -> std::optional<std::vector<std::string>> {
                      if (!reading.scenario->model) return std::nullopt;
                      return names_of(reading.scenario->model->thrusters());
                    });
}

}  // namespace spacedyn::loading
