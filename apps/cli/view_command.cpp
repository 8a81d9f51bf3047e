#include <filesystem>
#include <fstream>
#include <iterator>

#include "browser.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "live_run.hpp"
#include "result_report.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

bool is_scenario(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  return ending == ".yaml" || ending == ".yml" || is_foreign_model(path) || path == kDash;
}

/// Whether there are options that only a flight has a use for.
bool asks_for_flight(const ViewOptions& options) {
  return options.live || !options.run.overrides.empty() || !options.run.duration.empty();
}

bool is_model(const std::string& file) {
  if (is_foreign_model(file)) return true;
  return is_scenario(file) && kind_of(file) == FileKind::model;
}

void show(const std::string& page, const ViewOptions& options, Console& console) {
  console.print(page + '\n');
  if (!options.no_open) open_in_browser(page, console);
}

/// Where the page of a model goes: a file with an ending, else a folder, which is made.
std::string page_path(const std::string& output, const std::string& name, bool force) {
  if (output.empty()) return output_path(output, name, force);
  std::error_code error;
  if (fs::path(output).has_extension() && !fs::is_directory(output, error)) return output;
  fs::create_directories(output, error);
  if (error) {
    throw Failure(ExitCode::output_failed,
                  "cannot make the folder '" + output + "': " + error.message());
  }
  return (fs::path(output) / name).string();
}

/// Shows the robot of a model with sliders for its joints.
ExitCode view_model(const ViewOptions& options, Console& console) {
  const SimulateOptions& run = options.run;
  if (asks_for_flight(options)) {
    throw Failure(ExitCode::wrong_command_line,
                  "a model is not run: --live, --duration and --set need a scenario, got '" +
                      run.scenario + "'",
                  "spacedyn new writes a scenario to begin with");
  }
  const LoadedModel loaded = read_model(run.scenario, run.strict, console);
  ReportData report = model_report(*loaded.model);
  add_meshes(report, *loaded.model, folders_of(loaded.sources));
  for (const auto& [path, text] : loaded.sources) report.inputs.push_back({path, text});
  for (const std::string& warning : report.warnings) console.note("warning: " + warning);
  const std::string path = page_path(run.output, file_stem(report.model) + ".html", run.force);
  refuse_existing(path, run.force);
  for (const auto& [source, text] : loaded.sources) refuse_inputs(path, {source});
  try {
    write_html_report(path, {report});
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
  show(path, options, console);
  return ExitCode::done;
}

/// Whether a page shows a result of some identity and nothing else.
bool shows(const std::string& page, const std::string& identity) {
  if (identity.empty() || !fs::is_regular_file(page)) return false;
  std::ifstream file(page, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return text.find("\"identity\":\"" + identity + '"') != std::string::npos;
}

/// Where the page of a result lies, or will lie.
std::string page_of(const std::string& result) {
  const auto stream = reading(result, [&] { return open_result(result, read_limits()); });
  const std::string& file = stream->head().path;
  const std::string identity = result_identity(file);
  return free_path(fs::path(file).replace_extension(".html").string(),
                   [&](const std::string& page) { return shows(page, identity); });
}

/// Options that mean nothing for a result that is there already are refused.
ExitCode view_result(const ViewOptions& options, Console& console) {
  if (asks_for_flight(options)) {
    throw Failure(ExitCode::wrong_command_line,
                  "a result cannot be run: --live, --duration and --set need a scenario, got '" +
                      options.run.scenario + "'",
                  "scenarios are .yaml files");
  }
  if (options.run.output.empty() && !options.run.force) {
    const std::string page = page_of(options.run.scenario);
    if (fs::exists(page)) {
      show(page, options, console);
      return ExitCode::done;
    }
  }
  ReportOptions report;
  report.results = {options.run.scenario};
  report.output = options.run.output;
  report.force = options.run.force;
  report.open = !options.no_open;
  return run_report(report, console);
}

}  // namespace

ExitCode run_view(const ViewOptions& options, Console& console) {
  const std::string& file = options.run.scenario;
  if (options.live && file == kDash) {
    throw Failure(ExitCode::wrong_command_line,
                  "option '--live' needs a file: its runs read the scenario again and again");
  }
  const bool flies = is_foreign_model(file) && asks_for_flight(options);
  if (is_model(file) && !flies) return view_model(options, console);
  if (!is_scenario(file)) return view_result(options, console);
  if (options.live) return run_live(options, console);
  SimulateOptions run = options.run;
  run.open = !options.no_open;
  return run_simulate(run, console);
}

}  // namespace spacedyn::cli
