#include <set>

#include <fmt/format.h>

#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn {
namespace {

std::string list_of(const Vector3& vector, const char* unit) {
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}] {}", vector.x(), vector.y(), vector.z(), unit);
}

/// An action in a few words.
class ActionText {
 public:
  explicit ActionText(const SimulationSetup& setup) : setup_(setup), model_(*setup.model) {}

  std::string operator()(const StopAction& /*stop*/) const { return "ends the run"; }
  std::string operator()(const LockAction& lock) const { return "locks " + joint(lock.joint); }
  std::string operator()(const ReleaseAction& release) const {
    return "releases " + joint(release.joint);
  }
  std::string operator()(const BounceAction& bounce) const {
    return fmt::format("{} bounces off a stop, e = {:.4g}", joint(bounce.joint),
                       bounce.restitution);
  }
  std::string operator()(const ImpulseAction& impulse) const {
    std::string text = "impulse at " + impulse.at.name;
    if (!impulse.linear.isZero(0.0)) text += ' ' + list_of(impulse.linear, "N s");
    if (!impulse.angular.isZero(0.0)) text += ' ' + list_of(impulse.angular, "N m s");
    return text;
  }
  std::string operator()(const SwitchAction& change) const {
    return (change.on ? "turns on " : "turns off ") + change.controller;
  }
  std::string operator()(const ConnectAction& connect) const {
    return "connects " + setup_.connections[connect.connection].name();
  }
  std::string operator()(const SetAction& set) const {
    return "sets " + set.what + " of '" + set.controller + "'";
  }
  std::string operator()(const PulseAction& pulse) const {
    for (const auto& force : setup_.forces) {
      const std::optional<PulsedThruster> pulsed = declarations_of(*force).pulsed;
      if (!pulsed || pulsed->slot != pulse.slot) continue;
      return fmt::format("opens '{}' for {:.6g} s", pulsed->thruster->name, pulse.duration);
    }
    return "opens a thruster";
  }
  std::string operator()(const DisconnectAction& disconnect) const {
    return "disconnects " + setup_.connections[disconnect.connection].name();
  }

 private:
  std::string joint(int index) const { return model_.joint(index).name; }

  const SimulationSetup& setup_;
  const Model& model_;
};

std::string actions_of(const Event& event, const SimulationSetup& setup) {
  std::string text;
  for (const EventAction& action : event.actions) {
    text += (text.empty() ? "" : ", ") + std::visit(ActionText(setup), action);
  }
  return text;
}

/// The joints that a controller can command: those on which a command of ones acts.
void add_commanded_joints(const SimulationSetup& setup, std::set<int>& joints) {
  const Model& model = *setup.model;
  State state(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  for (const auto& controller : setup.controllers) {
    VectorX own(controller->auxiliary_size());
    controller->auxiliary_initial(own);
    const EvaluationContext context{0.0, model, state, frames, velocities, own};
    Loads loads(model);
    controller->apply(context, VectorX::Ones(controller->command_size()), loads);
    for (int i = 1; i <= model.joint_count(); ++i) {
      if (loads.tau(i - 1) != 0.0) joints.insert(i);
    }
  }
}

std::set<int> driven_joints(const SimulationSetup& setup, const std::vector<Declarations>& forces) {
  std::set<int> joints;
  for (const PrescribedJoint& one : setup.prescribed_joints) joints.insert(one.joint);
  for (const Declarations& force : forces) {
    joints.insert(force.driven_joints.begin(), force.driven_joints.end());
  }
  add_commanded_joints(setup, joints);
  return joints;
}

/// What all forces declare of it; an orbit's planet comes first.
CelestialScene whole_scene(const std::vector<Declarations>& forces) {
  CelestialScene all;
  for (const Declarations& force : forces) {
    const CelestialScene& scene = force.scene;
    const bool is_orbit = scene.orbit.exists();
    all.bodies.insert(is_orbit ? all.bodies.begin() : all.bodies.end(), scene.bodies.begin(),
                      scene.bodies.end());
    if (is_orbit) all.orbit = scene.orbit;
    if (scene.sun) all.sun = scene.sun;
  }
  // others state the radius of a planet that is there
  for (const Declarations& force : forces) {
    const PlanetRadius& planet = force.planet;
    for (CelestialBody& body : all.bodies) {
      const bool is_same = (body.position - planet.center).norm() <= 1e-9 * planet.center.norm();
      if (is_same && body.triangles.empty() && planet.radius > 0.0) body.radius = planet.radius;
    }
  }
  return all;
}

}  // namespace

void add_setup_facts(ReportData& report, const SimulationSetup& setup) {
  report.gravity = setup.gravity;
  std::vector<Declarations> forces;
  for (const auto& force : setup.forces) forces.push_back(declarations_of(*force));
  report.surroundings = whole_scene(forces);
  for (const int joint : driven_joints(setup, forces)) {
    // joint i carries body i; a report without motion lists no bodies
    const auto body = static_cast<std::size_t>(joint);
    if (body < report.bodies.size()) report.bodies[body].is_driven = true;
  }
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (forces[i].line.empty()) continue;
    report.lines.push_back({setup.forces[i]->name(), std::move(forces[i].line)});
  }
  const std::vector<Event> events = all_events(setup);
  for (ReportEvent& happened : report.events) {
    for (const Event& event : events) {
      if (event.name == happened.name) happened.action = actions_of(event, setup);
    }
  }
}

}  // namespace spacedyn
