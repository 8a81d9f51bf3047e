#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "reporting/facts/report_motion.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn {
namespace {

void add_fact(ReportData& report, const char* group, std::string label, std::string value) {
  if (!value.empty()) report.facts.push_back({group, std::move(label), std::move(value)});
}

std::string seconds(const std::optional<double>& time) {
  return time ? fmt::format("{:.6g} s", *time) : std::string();
}

/// The larger of what has flowed and of what the sources did, for results that do not say the
/// first.
double energy_scale(const RunFacts& facts) {
  double most = facts.throughput.value_or(0.0);
  for (const SourceBudget& source : facts.sources_of_energy) {
    for (const double joule : {source.end.work, source.end.dissipated, source.end.stored}) {
      most = std::max(most, std::abs(joule));
    }
  }
  return most;
}

/// What each source of energy put in and what became of it; rounding is shown as 0.
void add_energy_budget(ReportData& report, const RunFacts& facts) {
  const double rounding = kRoundingFraction * energy_scale(facts);
  const auto text = [&](double joule) {
    return fmt::format("{:.6g} J", std::abs(joule) < rounding ? 0.0 : joule);
  };
  for (const SourceBudget& source : facts.sources_of_energy) {
    add_fact(
        report, "Energy budget", source.name,
        fmt::format("{} in, {} stored, {} dissipated", text(source.end.work),
                    text(source.end.stored - source.start.stored), text(source.end.dissipated)));
  }
}

/// The energies of the run, in its columns and in what flowed.
double energy_scale(const ResultTable& result) {
  double most = energy_scale(result.facts);
  for (std::size_t i = 1; i < result.columns.size(); ++i) {
    if (result.columns[i].unit != "J") continue;
    for (const double joule : result.values.col(static_cast<Eigen::Index>(i))) {
      if (std::isfinite(joule)) most = std::max(most, std::abs(joule));
    }
  }
  return most;
}

void add_worst(ReportData& report, const char* label, const std::optional<WorstInstant>& worst) {
  if (worst) add_fact(report, "Worst instants", label, to_string(*worst));
}

void add_run_facts(ReportData& report, const RunFacts& facts, const ResultTable& result) {
  add_fact(report, "Run", "Scenario", facts.scenario);
  add_fact(report, "Run", "Outcome", facts.status);
  add_fact(report, "Run", "Message", facts.message);
  add_fact(report, "Run", "Stopped by", facts.stopped_by);
  add_fact(report, "Run", "Simulated time", seconds(facts.time));
  if (facts.time && facts.duration && *facts.time < *facts.duration) {
    add_fact(report, "Run", "Asked for", seconds(facts.duration));
  }
  add_fact(report, "Run", "Wall time",
           facts.wall_seconds ? fmt::format("{:.3g} s", *facts.wall_seconds) : std::string());
  if (facts.time && facts.wall_seconds && *facts.wall_seconds > 0.0) {
    add_fact(report, "Run", "Real-time factor",
             fmt::format("{:.3g}", *facts.time / *facts.wall_seconds));
  }
  add_fact(report, "Run", "Started", facts.started);
  if (result.values.rows() > 0) {
    add_fact(report, "Run", "Rows", fmt::format("{}", result.values.rows()));
  }
  add_worst(report, "Momentum drift", facts.worst_momentum);
  add_worst(report, "Energy residual", facts.worst_energy);
  add_energy_budget(report, facts);
  for (const auto& [label, value] : facts.overrides) add_fact(report, "Overrides", label, value);
  for (const auto& [label, value] : facts.integrator) add_fact(report, "Integration", label, value);
  for (const auto& [label, value] : facts.versions) add_fact(report, "Versions", label, value);
}

std::string generator(const RunFacts& facts) {
  for (const auto& [name, version] : facts.versions) {
    if (name == "spacedyn") return "spacedyn " + version;
  }
  return "spacedyn";
}

}  // namespace

ReportData report_data(const ResultTable& result) {
  ReportData report;
  const RunFacts& facts = result.facts;
  report.title = facts.scenario.empty() ? result.path : facts.scenario;
  report.path = result.path;
  report.status = facts.status;
  report.message = facts.message;
  report.generator = generator(facts);
  report.times = result.values.col(0);
  report.series = report_series(result);
  report.scales.energy = energy_scale(result);
  for (const EventRecord& event : facts.events)
    report.events.push_back({event.time, event.name, {}});
  add_run_facts(report, facts, result);
  if (facts.momentum_drift) report.audit.push_back({"Momentum drift", *facts.momentum_drift, {}});
  if (facts.energy_residual)
    report.audit.push_back({"Energy residual", *facts.energy_residual, {}});
  if (facts.attitude_error) report.audit.push_back({"Attitude error", *facts.attitude_error, {}});
  for (const auto& [path, text] : facts.sources) report.inputs.push_back({path, text});
  report.warnings = result.warnings;
  return report;
}

ReportData report_data(const ResultTable& result, const Model& model) {
  ReportData report = report_data(result);
  report.model = model.name();
  use_model_names(report, model);
  add_model_facts(report, model);
  const ResultStates states(result, model);
  if (!states.complete()) {
    report.warnings.push_back(fmt::format(
        "there is no animation: the result has no column '{}'; record the channel 'state'",
        states.missing()));
    return report;
  }
  report.bodies = report_bodies(model);
  report.shapes = report_shapes(model);
  report.frames = model.frames();
  report.motion = report_motion(result, model, states, report.scales);
  return report;
}

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
