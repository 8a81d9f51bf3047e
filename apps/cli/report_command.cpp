#include <filesystem>

#include <nlohmann/json.hpp>

#include "browser.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "interrupt.hpp"
#include "result_report.hpp"

namespace spacedyn::cli {
namespace {

/// Beside the result, or here for several results.
std::string default_path(const std::vector<std::string>& results, const ReportData& first) {
  if (results.size() > 1) return free_path("report.html");
  return free_path(std::filesystem::path(first.path).replace_extension(".html").string());
}

}  // namespace

ExitCode run_report(const ReportOptions& options, Console& console) {
  std::vector<ReportData> reports;
  for (const std::string& result : options.results) {
    console.detail("reading " + result);
    reports.push_back(read_result_report(result));
    for (const std::string& warning : reports.back().warnings) console.note("warning: " + warning);
  }
  const std::string path =
      options.output.empty() ? default_path(options.results, reports.front()) : options.output;
  refuse_existing(path, options.force);
  refuse_inputs(path, reports);
  end_on_interrupts(console.last_words("interrupted; no page was written"), path + ".tmp");
  try {
    write_html_report(path, reports);
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
  if (console.options().json) {
    console.print(nlohmann::ordered_json{{"files", {path}}}.dump() + '\n');
  } else {
    console.print(path + '\n');
  }
  if (options.open) open_in_browser(path, console);
  return ExitCode::done;
}

}  // namespace spacedyn::cli
