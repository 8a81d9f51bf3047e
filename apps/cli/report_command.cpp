#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

#include "browser.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "result_report.hpp"
#include "spacedyn/study/sweep_report.hpp"

namespace spacedyn::cli {
namespace {

/// Beside the result, or here for several results.
std::string default_path(const std::vector<std::string>& results, const ReportData& first) {
  if (results.size() > 1) return "report.html";
  return std::filesystem::path(first.path).replace_extension(".html").string();
}

/// Says where a page is and shows it if that was asked for.
void name_page(const std::string& path, const ReportOptions& options, Console& console) {
  if (console.options().json) {
    console.print(nlohmann::ordered_json{{"files", {path}}}.dump() + '\n');
  } else {
    console.print(path + '\n');
  }
  if (options.open) open_in_browser(path, console);
}

/// Writes a page, which an interrupt leaves out whole, and names it.
ExitCode make_page(const std::string& path, const ReportOptions& options, Console& console,
                   const std::function<void()>& write) {
  end_on_interrupts(console.last_words("interrupted; no page was written"), path + ".tmp");
  try {
    write();
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
  name_page(path, options, console);
  return ExitCode::done;
}

/// The page of a sweep, or of several side by side.
ExitCode report_sweeps(const ReportOptions& options, Console& console) {
  std::vector<SweepTable> tables;
  for (const std::string& result : options.results) {
    console.detail("reading " + result);
    tables.push_back(reading(result, [&] { return read_sweep_table(result); }));
  }
  std::filesystem::path first(options.results.front());
  const std::string usual =
      tables.size() > 1 ? "report.html" : first.replace_extension(".html").string();
  const std::string path = output_path(options.output, usual, options.force);
  refuse_existing(path, options.force);
  refuse_inputs(path, options.results);
  return make_page(path, options, console, [&] { write_sweep_page(path, tables); });
}

}  // namespace

ExitCode run_report(const ReportOptions& options, Console& console) {
  if (is_sweep_result(options.results.front())) return report_sweeps(options, console);
  std::vector<ReportData> reports;
  const ReportDetail detail =
      options.results.size() == 1 ? ReportDetail::page : ReportDetail::numbers;
  for (const std::string& result : options.results) {
    console.detail("reading " + result);
    reports.push_back(read_result_report(result, detail));
    for (const std::string& warning : reports.back().warnings) console.note("warning: " + warning);
  }
  const std::string path =
      output_path(options.output, default_path(options.results, reports.front()), options.force);
  refuse_existing(path, options.force);
  refuse_inputs(path, reports);
  return make_page(path, options, console, [&] { write_html_report(path, reports); });
}

}  // namespace spacedyn::cli
