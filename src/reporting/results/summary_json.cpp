#include "reporting/results/contact_json.hpp"
#include "reporting/results/metadata.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

Json joint_order(const Model& model) {
  Json names = Json::array();
  for (int i = 1; i <= model.joint_count(); ++i) names.push_back(model.joint(i).name);
  return names;
}

Json robot_json(const Model& model, const Robot& robot, const State& state) {
  const State own = robot_state(model, robot, state);
  Json names = Json::array();
  for (int i = robot.first_joint(); i < robot.end; ++i) names.push_back(model.joint(i).name);
  return {{"r0", json_list(own.r_0)}, {"A0", json_rows(MatrixX(own.A_0))},
          {"v0", json_list(own.v_0)}, {"w0", json_list(own.omega_0)},
          {"q", json_list(own.q)},    {"qd", json_list(own.qd)},
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
  return {{"r0", json_list(state.r_0)},       {"A0", json_rows(MatrixX(state.A_0))},
          {"v0", json_list(state.v_0)},       {"w0", json_list(state.omega_0)},
          {"q", json_list(state.q)},          {"qd", json_list(state.qd)},
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

const std::vector<std::string>& summary_keys() {
  static const std::vector<std::string> keys{
      "scenario",       "status",           "time",
      "final_state",    "momentum",         "energy",
      "events",         "missed_events",    "largest_rotation",
      "stopped_by",     "momentum_drift",   "energy_residual",
      "attitude_error", "propellant",       "constraints",
      "connections",    "contacts",         "integrator",
      "wall_seconds",   "real_time_factor", "files",
      "checks",         "warnings",         "notes"};
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
