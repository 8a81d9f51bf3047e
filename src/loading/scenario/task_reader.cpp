#include "loading/scenario/whole_body_keys.hpp"

#include <algorithm>
#include <array>

#include "control/tasks/known_motion.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kTaskTypes = {"frame", "base_reaction", "posture", "momentum"};
const std::vector<std::string> kAxisNames = {"x", "y", "z", "rx", "ry", "rz"};
const std::vector<int> kAllAxes = {0, 1, 2, 3, 4, 5};

std::optional<std::vector<int>> read_axes(const Value& value, ProblemList& problems) {
  const Node& node = *value.node;
  if (node.is_scalar()) {
    if (node.text == "all") return kAllAxes;
    if (node.text == "linear") return std::vector<int>{0, 1, 2};
    if (node.text == "angular") return std::vector<int>{3, 4, 5};
  }
  if (!node.is_sequence() || node.items.empty()) {
    problems.error(value, "expected all, linear, angular or a list of x, y, z, rx, ry, rz, got " +
                              describe(node));
    return std::nullopt;
  }
  std::vector<int> axes;
  bool is_right = true;
  for_each_item(value, problems, [&](const Value& item) {
    const auto name = std::find(kAxisNames.begin(), kAxisNames.end(), item.node->text);
    const auto axis = static_cast<int>(name - kAxisNames.begin());
    if (name == kAxisNames.end() || !item.node->is_scalar()) {
      problems.error(item, "expected x, y, z, rx, ry or rz, got " + describe(*item.node));
      is_right = false;
    } else if (std::count(axes.begin(), axes.end(), axis) > 0) {
      problems.error(item, "expected each axis once, got " + *name + " again");
      is_right = false;
    }
    axes.push_back(axis);
  });
  if (!is_right) return std::nullopt;
  std::sort(axes.begin(), axes.end());
  return axes;
}

Json axes_schema(const char* title) {
  return any_of_schema(
      {choice_schema({"all", "linear", "angular"}), series_schema(choice_schema(kAxisNames), 1)},
      title);
}

/// Pose of the frame of a task at the start, in the axes of its reference.
Pose start_pose(const ScenarioContext& scenario, const Task& task) {
  const Model& model = *scenario.model;
  const State& state = scenario.result.initial;
  const auto [frames, velocities] = LinkMotion(model, state);
  const EvaluationContext now{0.0, model, state, frames, velocities, state.z};
  return RelativePose(now, task.frame, task.relative_to).pose;
}

KeyGroup<Task> pose_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.require("reference", reference_schema("pose_reference"));
  };
  const auto read = [](Reading& reading, Task& task) {
    const auto value = reading.map.require("reference", "a pose, a path or a reference");
    if (!value) return false;
    const bool is_placed = reading.scenario->model && !task.frame.name.empty();
    const Pose start = is_placed ? start_pose(*reading.scenario, task) : Pose{};
    task.pose = read_pose_reference(*value, start, reading.map.context());
    return task.pose != nullptr;
  };
  return {describe, read};
}

/// Keys of a posture: joints and their reference.
KeyGroup<Task> posture_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.require("joints", names_schema()).require("reference", reference_schema("reference"));
  };
  const auto read = [](Reading& reading, Task& task) {
    MapReader& map = reading.map;
    const auto list = map.require("joints", "a list of names of joints");
    const auto reference = map.require("reference", "a reference");
    if (!list || !reading.scenario->model) return false;
    bool is_right = true;
    for_each_item(*list, map.problems(), [&](const Value& item) {
      const auto joint = read_joint_name(*reading.scenario, item);
      is_right = is_right && joint.has_value();
      if (!joint) return;
      if (std::count(task.joints.begin(), task.joints.end(), *joint) > 0) {
        map.problems().error(item, "expected each joint once, got " +
                                       spacedyn::loading::describe(*item.node) + " again");
        is_right = false;
      }
      task.joints.push_back(*joint);
    });
    if (!is_right || task.joints.empty() || !reference) return false;
    task.reference =
        read_reference(*reference, joint_frame(*reading.scenario, task.joints), map.context());
    return task.reference != nullptr;
  };
  return {describe, read};
}

constexpr Quantity kPerSecond{Dimension::none, Range::not_negative, false, "1/s"};
constexpr Quantity kPerSecondSquared{Dimension::none, Range::not_negative, false, "1/s²"};

const char* unit_of_rows(const Task& task) {
  return task.type == Task::Type::posture ? "joint" : "axis";
}

void fit_gains(Task& task, Reading& reading) {
  const Eigen::Index rows = task.rows();
  fit_rows(reading.map, "gain", task.gain, rows, unit_of_rows(task));
  fit_rows(reading.map, "stiffness", task.stiffness, rows, unit_of_rows(task));
  fit_rows(reading.map, "damping", task.damping, rows, unit_of_rows(task));
  fit_rows(reading.map, "weight", task.weight, rows, unit_of_rows(task));
  fit_rows(reading.map, "value", task.value, rows, unit_of_rows(task));
}

void add_gains(Mapping<Task>& keys, const TaskPlace& place) {
  using namespace kind;
  if (place.level == WholeBody::Level::rate) {
    keys.refuse("stiffness", "at level rate a task has 'gain'");
    // the presets have that of the least squares
    if (place.in_stack) keys.refuse("damping", "at level rate a task has 'gain'");
    keys.require("gain", &Task::gain, each_row(kPerSecond, "1/s: one, or one per axis or joint"));
  } else {
    keys.refuse("gain", "at level torque a task has 'stiffness' and 'damping'");
    keys.require("stiffness", &Task::stiffness,
                 each_row(kPerSecondSquared, "1/s²: one, or one per axis or joint"));
    keys.require("damping", &Task::damping,
                 each_row(kPerSecond, "1/s: one, or one per axis or joint"));
  }
}

void add_place(Mapping<Task>& keys, const TaskPlace& place) {
  using namespace kind;
  if (place.in_stack) {
    keys.allow(
        "priority", &Task::priority,
        whole_number<int>(1, 1e6, "a whole number, at least 1", "1, the default, comes before 2"));
    keys.allow("weight", &Task::weight,
               each_row(positive(kNumber), "Beside others of the same priority, default 1"));
  }
  keys.check(fit_gains);
}

void add_frame(Mapping<Task>& keys) {
  using namespace kind;
  keys.require("frame", &Task::frame, point("A frame, a link or <link>.com that follows"));
  keys.allow("relative_to", &Task::relative_to,
             optional(point("A frame, of any robot, in whose axes all is")));
  keys.allow("axes", &Task::axes, axes("In the axes of the reference, default all"));
  keys.group(pose_key());
}

Mapping<Task> base_reaction_keys(const TaskPlace& place) {
  using namespace kind;
  Mapping<Task> keys("The driven joints do not move the base");
  keys.allow("axes", &Task::axes, axes("Inertial, default all"));
  if (place.level == WholeBody::Level::torque) {
    keys.allow("damping", &Task::damping, each_row(kPerSecond, "1/s, default 0"));
  }
  add_place(keys, place);
  return keys;
}

Mapping<Task> posture_keys(const TaskPlace& place) {
  Mapping<Task> keys("Joints follow a reference");
  keys.group(posture_key());
  add_gains(keys, place);
  add_place(keys, place);
  return keys;
}

Mapping<Task> momentum_keys(const TaskPlace& place) {
  using namespace kind;
  Mapping<Task> keys("Thrusters drive the momentum of the robot to a value");
  keys.allow("axes", &Task::axes, axes("Inertial, angular about its centroid, default all"));
  keys.require("value", &Task::value,
               each_row(kNumber, "N s and N m s: one number, or one per axis"));
  keys.require("gain", &Task::gain, each_row(kPerSecond, "1/s: one, or one per axis"));
  add_place(keys, place);
  return keys;
}

/// Types of tasks at a level: momenta need thrusters, which level rate does not have.
std::size_t type_count(WholeBody::Level level) {
  return kTaskTypes.size() - (level == WholeBody::Level::rate ? 1 : 0);
}

Mapping<Task> task_keys(std::size_t type, const TaskPlace& place) {
  if (type == 0) return frame_task_keys(place);
  if (type == 3) return momentum_keys(place);
  return type == 1 ? base_reaction_keys(place) : posture_keys(place);
}

void describe_tasks(MappingSchema& schema) {
  std::vector<Json> tasks;
  for (const auto level : {WholeBody::Level::rate, WholeBody::Level::torque}) {
    for (std::size_t type = 0; type < type_count(level); ++type) {
      const Mapping<Task> keys = task_keys(type, {level});
      MappingSchema task(keys.title());
      task.require("type", constant_schema(kTaskTypes[type]));
      keys.describe(task);
      tasks.push_back(task);
    }
  }
  schema.require("tasks", series_schema(any_of_schema(tasks), 1, "Of least priority number first"));
}

bool read_tasks(Reading& reading, WholeBody::Settings& settings) {
  const auto list = reading.map.require("tasks", "a list of tasks");
  if (!list) return false;
  bool is_right = true;
  for_each_item(*list, reading.problems(), [&](const Value& item) {
    MapReader map(item, reading.map.context());
    const auto type = require_choice(map, "type", kTaskTypes);
    const bool is_known = type && *type < type_count(settings.level);
    if (type && !is_known) {
      map.error_at("type", "expected frame, base_reaction or posture at level rate, got 'momentum'",
                   "at level torque thrusters drive it");
    }
    if (!is_known) {
      if (!type) map.report_missing();
      is_right = false;
      return;
    }
    Task task;
    task.type = static_cast<Task::Type>(*type);
    if (task.type != Task::Type::posture) task.axes = kAllAxes;
    Reading own{map, reading.scenario};
    is_right = task_keys(*type, {settings.level}).read(own, task) && is_right;
    map.finish();
    settings.tasks.push_back(std::move(task));
  });
  if (list->node->is_sequence() && list->node->items.empty()) {
    reading.map.error_at("tasks", "expected at least one task, got an empty list");
    return false;
  }
  return is_right && list->node->is_sequence();
}

/// Masses and gains of an impedance: one number per axis, one for a half, two for both.
bool fit_halves(MapReader& map, const char* key, VectorX& values, const Task& task) {
  const auto rows = static_cast<Eigen::Index>(task.axes.size());
  if (values.size() == 2 && rows == 6) {
    const double linear = values(0), angular = values(1);
    values.resize(6);
    values << linear, linear, linear, angular, angular, angular;
  }
  const bool is_half =
      task.axes == std::vector<int>{0, 1, 2} || task.axes == std::vector<int>{3, 4, 5};
  if (values.size() == 1 && is_half) values = VectorX::Constant(3, values(0));
  if (values.size() == 0 || values.size() == rows) return true;
  map.error_at(key, "expected " + std::string(rows == 6 ? "2 or 6" : std::to_string(rows)) +
                        " numbers for these axes, got " + std::to_string(values.size()));
  return false;
}

void take_impedance(Task& task, Reading& reading) {
  bool fits = true;
  for (const auto& [key, values] :
       {std::pair("mass", &task.mass), std::pair("damping", &task.damping),
        std::pair("stiffness", &task.stiffness)}) {
    fits = fit_halves(reading.map, key, *values, task) && fits;
  }
  if (!fits) return;
  if (task.mass.size() == 0) {
    task.type = Task::Type::compliance;
    return;
  }
  task.stiffness = task.stiffness.cwiseQuotient(task.mass);
  task.damping = task.damping.cwiseQuotient(task.mass);
}

}  // namespace

Mapping<Task> frame_task_keys(const TaskPlace& place) {
  Mapping<Task> keys("A frame follows a pose");
  add_frame(keys);
  add_gains(keys, place);
  if (place.level == WholeBody::Level::rate) {
    keys.allow("jacobian", &Task::jacobian,
               kind::choice<Task::Jacobian>({"generalized", "fixed"},
                                            "J* (default), or J_m as if the base were at rest"));
  }
  add_place(keys, place);
  return keys;
}

Mapping<Task> impedance_keys() {
  using namespace kind;
  Mapping<Task> keys("M ë + D ė + K e = −F_ext");
  add_frame(keys);
  keys.allow(
      "mass", &Task::mass,
      each_row(positive(kNumber),
               "M, kg and kg m²: one per axis, or per half; without it τ = Jᵀ (K e + D ė) and "
               "what holds the joints against gravity"));
  keys.require(
      "damping", &Task::damping,
      each_row(not_negative(kNumber), "D, N s/m and N m s/rad: one per axis, or per half"));
  keys.require("stiffness", &Task::stiffness,
               each_row(not_negative(kNumber), "K, N/m and N m/rad: one per axis, or per half"));
  keys.check(take_impedance);
  return keys;
}

KeyGroup<WholeBody::Settings> tasks_key() { return {describe_tasks, read_tasks}; }

Kind<std::vector<int>> kind::axes(const char* title) {
  const auto read = [](const Value& value, Reading& reading) {
    return read_axes(value, reading.problems());
  };
  return make_kind<std::vector<int>>(
      "all, linear, angular or a list of axes", [=] { return axes_schema(title); }, read);
}

Kind<VectorX> kind::each_row(const Quantity& quantity, const char* title) {
  const auto read = [=](const Value& value, Reading& reading) {
    const std::size_t count =
        value.node->is_sequence() ? std::max<std::size_t>(value.node->items.size(), 1) : 1;
    return read_each(value, std::vector<Quantity>(count, quantity), reading.problems());
  };
  return make_kind<VectorX>(
      expectation(quantity) + " or a list", [=] { return each_schema({quantity}, title); }, read);
}

bool fit_rows(MapReader& map, const char* key, VectorX& values, Eigen::Index rows,
              const char* what) {
  if (values.size() == 1) values = VectorX::Constant(rows, values(0));
  if (values.size() == 0 || values.size() == rows) return true;
  map.error_at(key, "expected one number or " + std::to_string(rows) + ", one per " + what +
                        ", got " + std::to_string(values.size()));
  return false;
}

}  // namespace spacedyn::loading
