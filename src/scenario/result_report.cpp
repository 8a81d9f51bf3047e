#include "spacedyn/scenario/result_report.hpp"

#include <filesystem>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {
namespace {

/// Of all inputs; the largest robots have some hundred kB.
constexpr std::size_t kMaxInputs = std::size_t{4} * 1024 * 1024;

ReportData report_with_model(const ResultTable& table) {
  const RunFacts& facts = table.facts;
  std::size_t bytes = 0;
  for (const auto& [path, text] : facts.sources) bytes += text.size();
  if (bytes > kMaxInputs) throw IoError("they are longer than 4 MiB");
  const Scenario scenario =
      reload_scenario({facts.sources.begin(), facts.sources.end()}, facts.overrides);
  ReportData report = report_data(table, *scenario.setup.model);
  add_meshes(report, *scenario.setup.model, folders_of(scenario.sources));
  add_force_arrows(report, table, scenario.setup);
  add_ground(report, table, scenario.setup);
  add_limits(report, scenario.checks);
  add_scenario(report, scenario);
  for (const Diagnostic& warning : scenario.warnings) report.warnings.push_back(to_string(warning));
  return report;
}

}  // namespace

void add_limits(ReportData& report, const ScenarioChecks& checks) {
  for (ReportCheck& check : report.audit) {
    if (check.label == "Momentum drift") check.limit = checks.momentum_drift;
    if (check.label == "Energy residual") check.limit = checks.energy_residual;
    if (check.label == "Attitude error") check.limit = checks.attitude_error;
  }
}

void add_scenario(ReportData& report, const Scenario& scenario) {
  report.description = scenario.notes.description;
  report.source = scenario.notes.source;
  add_setup_facts(report, scenario.setup);
}

ReportData read_report(const std::string& result, const ReadLimits& limits) {
  const ResultTable table = read_result(result, limits);
  if (table.facts.sources.empty()) return report_data(table);
  try {
    return report_with_model(table);
  } catch (const Error& error) {
    ReportData report = report_data(table);
    report.warnings.push_back(
        std::string("there is no animation: the inputs in the metadata cannot be used: ") +
        error.what());
    return report;
  }
}

std::vector<std::string> folders_of(const std::map<std::string, std::string>& sources) {
  std::vector<std::string> folders;
  for (const auto& [path, text] : sources)
    folders.push_back(std::filesystem::path(path).parent_path().string());
  return folders;
}

}  // namespace spacedyn
