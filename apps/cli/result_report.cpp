#include "result_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "failure.hpp"
#include "inputs.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNumber = 9999;
/// Of all inputs; the largest robots have some hundred kB.
constexpr std::size_t kMaxInputs = std::size_t{4} * 1024 * 1024;

/// A positive number, with one of some suffixes if it has any. @throws Failure (2)
double number_from(const char* name, const std::string& text, std::string_view suffixes,
                   const char* expected) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool is_bare = rest == end;
  const std::size_t place = is_bare ? 0 : suffixes.find(*rest) + 1;  // npos + 1 is 0
  if (error != std::errc() || !(number > 0.0 && number < 1.0e15) || rest + 1 < end ||
      (!is_bare && place == 0)) {
    throw Failure(
        ExitCode::wrong_command_line,
        fmt::format("environment variable {}: expected {}, got '{}'", name, expected, text));
  }
  return number * std::exp2(10.0 * static_cast<double>(place));
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

ReadLimits read_limits() {
  constexpr const char* kBytes = "SPACEDYN_MAX_RESULT_BYTES";
  constexpr const char* kSeconds = "SPACEDYN_MAX_RESULT_SECONDS";
  ReadLimits limits;
  if (const char* text = std::getenv(kBytes)) {
    const double bytes = number_from(kBytes, text, "KMG", "a number of bytes such as 4G");
    limits.bytes = static_cast<std::uint64_t>(std::min(bytes, 1.0e18));
  }
  if (const char* text = std::getenv(kSeconds)) {
    limits.seconds = number_from(kSeconds, text, "", "a number of seconds");
  }
  return limits;
}

ReportData read_report(const std::string& result) {
  const ResultTable table = reading(result, [&] { return read_result(result, read_limits()); });
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
