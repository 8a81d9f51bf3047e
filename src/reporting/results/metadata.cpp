#include "reporting/results/metadata.hpp"

#include <limits>
#include <thread>

#include <sys/utsname.h>

#include "reporting/results/json.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

Json tolerances(const AbsoluteTolerance& tolerance) {
  return {{"position", tolerance.position},
          {"attitude", tolerance.attitude},
          {"joint", tolerance.joint},
          {"linear_velocity", tolerance.linear_velocity},
          {"angular_velocity", tolerance.angular_velocity},
          {"joint_velocity", tolerance.joint_velocity},
          {"auxiliary", tolerance.auxiliary}};
}

Json integrator(const RunRecord& record) {
  const IntegratorOptions& options = record.integrator;
  Json json{{"method", method_traits(options).name}};
  if (!is_adaptive(options)) {
    json["step"] = options.step;
    if (method_traits(options).has_newmark_parameters) {
      json["beta"] = options.newmark_beta;
      json["gamma"] = options.newmark_gamma;
    }
    if (method_traits(options).steps_contacts) {
      json["contact_tolerance"] = options.contact_tolerance;
      json["contact_iterations"] = options.contact_iterations;
    }
  } else {
    json["relative_tolerance"] = options.relative_tolerance;
    json["absolute_tolerance"] = tolerances(options.absolute_tolerance);
    json["max_step"] = options.max_step;  // null: no limit
  }
  if (options.max_steps < std::numeric_limits<long>::max()) json["max_steps"] = options.max_steps;
  if (record.status != RunStatus::running) {
    json["steps"] = record.statistics.steps;
    json["rejected"] = record.statistics.rejected;
    json["evaluations"] = record.statistics.evaluations;
  }
  return json;
}

Json worst_json(const ConservationAudit& audit) {
  return json_of(audit.worst_momentum(), audit.worst_energy());
}

Json outcome(const RunRecord& record) {
  Json json{{"status", to_string(record.status)}};
  if (!record.result && !record.events.empty()) json["events"] = json_of(record.events);
  if (record.status == RunStatus::running) return json;
  if (!record.message.empty()) json["message"] = record.message;
  json["time"] = record.time;
  json["wall_seconds"] = record.wall_seconds;
  if (!record.warnings.empty()) json["warnings"] = record.warnings;
  if (record.result) {
    json["momentum_drift"] = record.result->audit.momentum_drift();
    json["energy_residual"] = record.result->audit.energy_residual();
    json["attitude_error"] = record.result->audit.attitude_error();
    json["worst"] = worst_json(record.result->audit);
    json["energy"] = energy_json(*record.result);
    if (record.result->loops.rows > 0) json["constraints"] = json_of(record.result->loops);
    if (!record.result->contacts.empty()) json["contacts"] = json_of(record.result->contacts);
    json["events"] = json_of(record.result->events);
    if (!record.result->connections.empty()) {
      json["connections"] = json_of(record.result->connections);
    }
    if (!record.result->stopped_by.empty()) json["stopped_by"] = record.result->stopped_by;
  }
  return json;
}

/// Of the modes whose energies are recorded, in their order.
Json frequencies_of(const std::vector<Column>& columns) {
  Json list = Json::array();
  for (const Column& column : columns) {
    if (column.frequency > 0.0) list.push_back(column.frequency);
  }
  return list;
}

Json joint_order(const Model& model) {
  Json names = Json::array();
  for (const int i : model.coordinates()) names.push_back(model.joint(i).name);
  return names;
}

Json robot_json(const Model& model, const Robot& robot, const State& state) {
  const State own = robot_state(model, robot, state);
  Json names = Json::array(), q = Json::array(), qd = Json::array();
  for (int i = robot.first_joint(); i < robot.end; ++i) {
    if (model.follower(i) != nullptr) continue;
    names.push_back(model.joint(i).name);
    q.push_back(state.q(i - 1));
    qd.push_back(state.qd(i - 1));
  }
  return {{"r0", json_list(own.r_0)}, {"A0", json_rows(MatrixX(own.A_0))},
          {"v0", json_list(own.v_0)}, {"w0", json_list(own.omega_0)},
          {"q", std::move(q)},        {"qd", std::move(qd)},
          {"joint_order", names}};
}

Json final_state(const Model& model, const State& state) {
  if (!model.robots().empty()) {
    Json robots = Json::object();
    for (const Robot& robot : model.robots()) {
      robots[robot.name] = robot_json(model, robot, state);
    }
    return {{"robots", std::move(robots)}};
  }
  return {{"r0", json_list(state.r_0)},
          {"A0", json_rows(MatrixX(state.A_0))},
          {"v0", json_list(state.v_0)},
          {"w0", json_list(state.omega_0)},
          {"q", json_list(own_motion(model, state.q))},
          {"qd", json_list(own_motion(model, state.qd))},
          {"joint_order", joint_order(model)}};
}

Json checks(const RunRecord& record) {
  Json json = Json::object();
  for (const CheckOutcome& check : record.checks) {
    json[check.name] = {{"value", check.value}, {"limit", check.limit}, {"passed", check.passed()}};
  }
  return json;
}

Json missed_events(const RunRecord& record) {
  Json list = Json::array();
  for (const MissedEvent& event : record.missed_events) {
    Json item{{"name", event.name}};
    if (!event.unit.empty()) {
      item.update({{"by", event.by}, {"unit", event.unit}, {"time", event.time}});
    }
    list.push_back(std::move(item));
  }
  return list;
}

Json rotations(const RunRecord& record) {
  Json json = Json::object();
  for (const BaseRotation& rotation : record.rotations) {
    json[rotation.name] = {{"angle", rotation.angle}, {"time", rotation.time}};
  }
  return json;
}

}  // namespace

std::string to_string(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::complete:
      return "complete";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return {};
}

Json columns_json(const std::vector<Column>& columns) {
  Json list = Json::array();
  for (const Column& column : columns) {
    Json item{{"name", column.name}, {"unit", column.unit}};
    if (!column.dataset.empty()) item["dataset"] = column.dataset;
    if (column.index >= 0) item["index"] = column.index;
    if (!column.frame.empty()) item["frame"] = column.frame;
    list.push_back(std::move(item));
  }
  return list;
}

Json versions_json() {
  const BuildInfo& info = build_info();
  return {{"spacedyn", info.spacedyn}, {"build_type", info.build_type},
          {"compiler", info.compiler}, {"eigen", info.eigen},
          {"boost", info.boost},       {"yaml_cpp", info.yaml_cpp},
          {"hdf5", info.hdf5},         {"git", info.git}};
}

Json host_json() {  // no number of a result depends on it
  utsname system = {};
  uname(&system);
  return {{"name", system.nodename},
          {"system", std::string(system.sysname) + ' ' + system.release + ' ' + system.machine},
          {"processors", std::thread::hardware_concurrency()}};
}

Json inputs_json(const std::map<std::string, std::string>& sources,
                 const std::vector<std::pair<std::string, std::string>>& overrides) {
  Json files = Json::array();
  for (const auto& [path, text] : sources) {
    files.push_back({{"path", path}, {"text", text}});
  }
  Json changes = Json::array();
  for (const auto& [key, value] : overrides) {
    changes.push_back({{"key", key}, {"value", value}});
  }
  return {{"files", std::move(files)}, {"overrides", std::move(changes)}};
}

Json metadata_json(const RunRecord& record) {
  Json json{{"format", "spacedyn-result/1"}, {"scenario", record.scenario}};
  json["outcome"] = outcome(record);
  json["started"] = record.started;
  json["host"] = host_json();
  json["duration"] = record.duration;
  json["output_interval"] = record.output_interval;
  json["integrator"] = integrator(record);
  json["versions"] = versions_json();
  json["columns"] = columns_json(record.columns);
  const Json frequencies = frequencies_of(record.columns);
  if (!frequencies.empty()) json["mode_frequencies_Hz"] = frequencies;
  json["inputs"] = inputs_json(record.sources, record.overrides);
  return json;
}

void write_metadata(const std::string& path, const RunRecord& record) {
  write_file_atomically(path, to_text(metadata_json(record)) + '\n');
}

const std::vector<std::string>& summary_keys() {
  static const std::vector<std::string> keys{"scenario",       "status",         "time",
                                             "final_state",    "momentum",       "energy",
                                             "events",         "missed_events",  "largest_rotation",
                                             "stopped_by",     "momentum_drift", "energy_residual",
                                             "attitude_error", "worst",          "propellant",
                                             "constraints",    "connections",    "contacts",
                                             "integrator",     "wall_seconds",   "real_time_factor",
                                             "files",          "checks",         "warnings",
                                             "notes"};
  return keys;
}

Json summary_object(const RunRecord& record) {
  const SimulationResult& result = record.result.value();
  Json json{{"scenario", record.scenario},
            {"status", to_string(record.status)},
            {"time", result.time},
            {"final_state", final_state(*record.model, result.state)}};
  json["momentum"] = {{"initial", json_of(result.initial_momentum)},
                      {"final", json_of(result.final_momentum)}};
  json["energy"] = energy_json(result);
  json["events"] = json_of(result.events);
  json["missed_events"] = missed_events(record);
  json["largest_rotation"] = rotations(record);
  if (!result.stopped_by.empty()) json["stopped_by"] = result.stopped_by;
  json["momentum_drift"] = result.audit.momentum_drift();
  json["energy_residual"] = result.audit.energy_residual();
  json["attitude_error"] = result.audit.attitude_error();
  json["worst"] = worst_json(result.audit);
  if (record.propellant_used) json["propellant"] = {{"used", *record.propellant_used}};
  if (result.loops.rows > 0) json["constraints"] = json_of(result.loops);
  if (!result.connections.empty()) json["connections"] = json_of(result.connections);
  if (!result.contacts.empty()) json["contacts"] = json_of(result.contacts);
  json["integrator"] = {{"method", method_traits(record.integrator).name},
                        {"steps", record.statistics.steps},
                        {"rejected", record.statistics.rejected},
                        {"evaluations", record.statistics.evaluations}};
  json["wall_seconds"] = record.wall_seconds;
  json["real_time_factor"] = record.real_time_factor();
  json["files"] = record.files;
  json["checks"] = checks(record);
  json["warnings"] = record.warnings;
  json["notes"] = record.notes;
  return json;
}

std::string summary_json(const RunRecord& record) { return to_text(summary_object(record)); }

}  // namespace spacedyn
