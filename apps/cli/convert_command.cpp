#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "result_report.hpp"
#include "spacedyn/reporting/convert.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

void check_target(const ConvertOptions& options) {
  const std::string extension = fs::path(options.output).extension().string();
  const std::vector<std::string>& known = writable_extensions();
  if (std::find(known.begin(), known.end(), extension) == known.end()) {
    const std::string guess = did_you_mean(extension, known);
    throw Failure(ExitCode::wrong_command_line,
                  "cannot convert to '" + options.output +
                      "': expected a name ending in .h5, "
                      ".csv or .mat",
                  guess);
  }
  if (options.compression > 0 && extension != ".h5") {
    throw Failure(ExitCode::wrong_command_line,
                  "option '--compress' is for HDF5 files (.h5), got '" + options.output + "'");
  }
}

std::string metadata_beside(const std::string& result) {
  return fs::path(result).replace_extension(".meta.json").string();
}

/// CSV holds numbers only; the metadata go beside it unless they are there already.
bool needs_metadata(const ConvertOptions& options, const ResultTable& table) {
  return fs::path(options.output).extension() == ".csv" && !table.metadata.empty() &&
         !(metadata_beside(options.output) == metadata_beside(table.path) &&
           fs::exists(metadata_beside(table.path)));
}

}  // namespace

ExitCode run_convert(const ConvertOptions& options, Console& console) {
  check_target(options);
  const ResultTable table = reading(options.input, [&] { return read_result(options.input); });
  for (const std::string& warning : table.warnings) console.note("warning: " + warning);
  refuse_existing(options.output, options.force);
  const bool with_metadata = needs_metadata(options, table);
  if (with_metadata) refuse_existing(metadata_beside(options.output), options.force);
  std::vector<std::string> files{options.output};
  try {
    write_result(options.output, table, options.compression);
    if (with_metadata) files.push_back(write_metadata_of(options.output, table));
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
  if (console.options().json) {
    console.print(nlohmann::ordered_json{{"files", files}, {"rows", table.values.rows()}}.dump() +
                  '\n');
  } else if (!console.options().quiet) {
    for (const std::string& file : files) console.print(file + '\n');
  }
  return ExitCode::done;
}

}  // namespace spacedyn::cli
