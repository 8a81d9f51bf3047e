#include "spacedyn/scenario/result_report.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "integration/equations/archive.hpp"
#include "reporting/facts/derived_rows.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/build_info.hpp"

namespace spacedyn {
namespace {

/// Of all inputs; the largest robots have some hundred kB.
constexpr std::size_t kMaxInputs = std::size_t{4} * 1024 * 1024;

/// Goes on with a checksum over what a file holds. @return false if it cannot be read
bool add_file(const std::string& path, std::uint64_t& sum) {
  std::error_code unknown;
  std::ifstream file(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, unknown) || !file) return false;
  std::vector<char> piece(std::size_t{1} << 16U);
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    sum = checksum({piece.data(), static_cast<std::size_t>(file.gcount())}, sum);
  } while (file);
  return file.eof();
}

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

std::string result_identity(const std::string& file) {
  const BuildInfo& build = build_info();
  std::uint64_t sum = checksum(build.spacedyn + ' ' + build.git);
  if (!add_file(file, sum)) return {};
  add_file(std::filesystem::path(file).replace_extension(".meta.json").string(), sum);
  return fmt::format("{:016x}", sum);
}

ReportData read_report(const std::string& result, const ReadLimits& limits, ReportDetail detail) {
  DrawnResult drawn = draw_result(result, limits, detail);
  const ResultTable& table = drawn.shown;
  ReportData report;
  try {
    report = table.facts.sources.empty() ? report_data(table) : report_with_model(table);
  } catch (const Error& error) {
    report = report_data(table);
    // of several errors, a line each, the first one
    const std::string why = error.what();
    report.warnings.push_back("there is no animation: the inputs in the metadata cannot be used: " +
                              why.substr(0, why.find('\n')));
  }
  drawn.complete(report);
  report.identity = result_identity(table.path);
  return report;
}

std::vector<std::string> folders_of(const std::map<std::string, std::string>& sources) {
  std::vector<std::string> folders;
  for (const auto& [path, text] : sources)
    folders.push_back(std::filesystem::path(path).parent_path().string());
  return folders;
}

}  // namespace spacedyn
