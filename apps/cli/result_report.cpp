#include "result_report.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "failure.hpp"
#include "inputs.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNumber = 9999;

ReportData report_with_model(const ResultTable& table) {
  const RunFacts& facts = table.facts;
  const Scenario scenario =
      reload_scenario({facts.sources.begin(), facts.sources.end()}, facts.overrides);
  ReportData report = report_data(table, *scenario.setup.model);
  add_meshes(report, *scenario.setup.model, folders_of(scenario.sources));
  add_force_arrows(report, table, scenario.setup);
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

ReportData read_report(const std::string& result) {
  const ResultTable table = reading(result, [&] { return read_result(result); });
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
  for (const auto& [path, text] : sources) folders.push_back(fs::path(path).parent_path().string());
  return folders;
}

std::string free_path(const std::string& path) {
  if (!fs::exists(path)) return path;
  const fs::path whole(path);
  for (int number = 2; number <= kMaxNumber; ++number) {
    fs::path numbered = whole;
    numbered.replace_filename(
        fmt::format("{}-{:03}{}", whole.stem().string(), number, whole.extension().string()));
    if (!fs::exists(numbered)) return numbered.string();
  }
  throw Failure(ExitCode::output_failed, "there are too many files like '" + path + "' already",
                "name another one with -o");
}

void refuse_existing(const std::string& path, bool force) {
  if (force || !fs::exists(path)) return;
  throw Failure(ExitCode::output_failed, "'" + path + "' exists already",
                "choose another file, or give --force to overwrite it");
}

}  // namespace spacedyn::cli
