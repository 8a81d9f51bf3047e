#include <algorithm>

#include "loading/scenario/whole_body_keys.hpp"
#include "model/robot_of.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "spacedyn/forces/rigid_contact.hpp"

namespace spacedyn::loading {
namespace {

bool touches(const RigidContact& contact, int body) {
  const auto& pairs = contact.settings().pairs;
  return std::any_of(pairs.begin(), pairs.end(), [&](const ContactPair& pair) {
    return pair.a.frame.body == body || (!pair.on_ground && pair.b.frame.body == body);
  });
}

/// Reports what holds the link of an impedance without a force that the controller could know.
bool check_impedance(Reading& reading, const Task& task, const SimulationSetup& setup) {
  std::string holder;
  for (const Connection& connection : setup.connections) {
    const bool holds =
        connection.loop.from.body == task.frame.body || connection.loop.to.body == task.frame.body;
    if (connection.is_rigid() && holds) holder = "connection '" + connection.name() + "'";
  }
  for (const auto& force : setup.forces) {
    const Declarations declared = declarations_of(*force);
    const RigidContact* contact = declared.rigid;
    if (contact != nullptr && touches(*contact, task.frame.body)) {
      holder = "rigid contact '" + contact->name() + "'";
    }
    const MotionConstraint* motion = declared.motion;
    const std::vector<int> bodies = motion != nullptr ? motion->bodies() : std::vector<int>();
    if (std::find(bodies.begin(), bodies.end(), task.frame.body) != bodies.end()) {
      holder = "constraint '" + motion->name() + "'";
    }
  }
  if (holder.empty()) return true;
  reading.map.error_at("mass", "expected no mass where " + holder +
                                   " holds the link of the frame: its force is not known");
  return false;
}

/// All forces that may act on a link, with their places in z.
std::vector<KnownForce> known_forces(const SimulationSetup& setup) {
  std::vector<KnownForce> forces;
  int first = 0;
  for (const auto& force : setup.forces) {
    if (declarations_of(*force).field == nullptr) {
      forces.push_back({force, first});
    }
    first += force->auxiliary_size();
  }
  return forces;
}

/// Whether a task is about the frame that a filter estimates, or one on the same robot.
bool is_followed(const Sensor& filter, const WholeBody::Settings& settings, const Model& model) {
  return std::any_of(settings.tasks.begin(), settings.tasks.end(), [&](const Task& task) {
    return task.relative_to &&
           robot_of(model, task.relative_to->body) == robot_of(model, filter.target.body);
  });
}

}  // namespace

bool take_estimates(Reading& reading, WholeBodyInput& input) {
  const std::vector<Sensor>& sensors = reading.scenario->setup().sensors;
  WholeBody::Settings& settings = input.settings;
  Eigen::Index first = 0;
  bool is_right = true;
  for (const std::string& name : input.sensors) {
    const Sensor& sensor = *std::find_if(sensors.begin(), sensors.end(),
                                         [&](const Sensor& each) { return each.name == name; });
    const char* missing = nullptr;
    if (sensor.type == SensorType::target_filter) {
      if (!is_followed(sensor, settings, *reading.scenario->model)) {
        missing = "', for no task is 'relative_to' its target";
      }
    } else if (sensor.type == SensorType::momentum_observer) {
      const Task& task = settings.tasks.front();
      const bool is_its = task.mass.size() > 0 && task.frame.body == sensor.at.body;
      if (!is_its) missing = "', for it is not at the link of an impedance with 'mass'";
      settings.observed = WholeBody::ObservedWrench{sensor.at, first};
    }
    if (missing != nullptr) {
      reading.map.error_at("sensors", "expected sensors that it looks at, got '" + name + missing);
      is_right = false;
    }
    first += sensor_traits(sensor.type).reading;
  }
  return is_right;
}

bool take_known_forces(Reading& reading, WholeBody::Settings& settings) {
  const bool is_impedance = std::any_of(settings.tasks.begin(), settings.tasks.end(),
                                        [](const Task& task) { return task.mass.size() > 0; });
  if (!is_impedance || settings.observed) return true;
  const SimulationSetup& setup = reading.scenario->setup();
  if (!check_impedance(reading, settings.tasks.front(), setup)) return false;
  settings.forces = known_forces(setup);
  return true;
}

}  // namespace spacedyn::loading
