#include "reporting/json.hpp"
#include "reporting/output_file.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {
namespace {

Json versions() {
  const BuildInfo& info = build_info();
  return {{"spacedyn", info.spacedyn}, {"build_type", info.build_type},
          {"compiler", info.compiler}, {"eigen", info.eigen},
          {"boost", info.boost},       {"yaml_cpp", info.yaml_cpp}};
}

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
  Json json{{"method", to_string(options.method)}};
  if (!is_adaptive(options.method)) {
    json["step"] = options.step;
    if (options.method == IntegrationMethod::newmark) {
      json["beta"] = options.newmark_beta;
      json["gamma"] = options.newmark_gamma;
    }
  } else {
    json["relative_tolerance"] = options.relative_tolerance;
    json["absolute_tolerance"] = tolerances(options.absolute_tolerance);
    json["max_step"] = options.max_step;  // null: no limit
  }
  if (record.status != RunStatus::running) {
    json["steps"] = record.statistics.steps;
    json["rejected"] = record.statistics.rejected;
    json["evaluations"] = record.statistics.evaluations;
  }
  return json;
}

Json columns(const RunRecord& record) {
  Json list = Json::array();
  for (const Column& column : record.columns) {
    list.push_back({{"name", column.name}, {"unit", column.unit}});
  }
  return list;
}

Json outcome(const RunRecord& record) {
  Json json{{"status", to_string(record.status)}};
  if (record.status == RunStatus::running) return json;
  if (!record.message.empty()) json["message"] = record.message;
  json["time"] = record.time;
  json["wall_seconds"] = record.wall_seconds;
  if (record.result) {
    json["momentum_drift"] = record.result->audit.momentum_drift();
    json["energy_residual"] = record.result->audit.energy_residual();
  }
  return json;
}

Json inputs(const RunRecord& record) {
  Json files = Json::array();
  for (const auto& [path, text] : record.sources) {
    files.push_back({{"path", path}, {"text", text}});
  }
  Json overrides = Json::array();
  for (const auto& [key, value] : record.overrides) {
    overrides.push_back({{"key", key}, {"value", value}});
  }
  return {{"files", std::move(files)}, {"overrides", std::move(overrides)}};
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

void write_metadata(const std::string& path, const RunRecord& record) {
  Json json{{"format", "spacedyn-result/1"}, {"scenario", record.scenario}};
  json["outcome"] = outcome(record);
  json["started"] = record.started;
  json["duration"] = record.duration;
  json["output_interval"] = record.output_interval;
  json["integrator"] = integrator(record);
  json["versions"] = versions();
  json["columns"] = columns(record);
  json["inputs"] = inputs(record);
  write_file_atomically(path, to_text(json) + '\n');
}

}  // namespace spacedyn
