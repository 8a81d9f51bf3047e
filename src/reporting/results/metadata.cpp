#include "reporting/results/metadata.hpp"

#include <limits>
#include <thread>

#include <sys/utsname.h>

#include "reporting/results/contact_json.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/reporting/build_info.hpp"

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

Json outcome(const RunRecord& record) {
  Json json{{"status", to_string(record.status)}};
  if (record.status == RunStatus::running) return json;
  if (!record.message.empty()) json["message"] = record.message;
  json["time"] = record.time;
  json["wall_seconds"] = record.wall_seconds;
  if (!record.warnings.empty()) json["warnings"] = record.warnings;
  if (record.result) {
    json["momentum_drift"] = record.result->audit.momentum_drift();
    json["energy_residual"] = record.result->audit.energy_residual();
    json["attitude_error"] = record.result->audit.attitude_error();
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

}  // namespace spacedyn
