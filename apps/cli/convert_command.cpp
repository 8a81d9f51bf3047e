#include <algorithm>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
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

/// Tells errors of the result from those of the file that is written.
class CheckedStream final : public ResultStream {
 public:
  explicit CheckedStream(const std::string& path)
      : path_(path), stream_(reading(path, [&] { return open_result(path, read_limits()); })) {}
  const ResultTable& head() const override { return stream_->head(); }
  long stated_rows() const override { return stream_->stated_rows(); }
  const std::string& damage() const override { return stream_->damage(); }
  bool next(RowMatrix& rows) override {
    return reading(path_, [&] { return stream_->next(rows); });
  }

 private:
  std::string path_;
  std::unique_ptr<ResultStream> stream_;
};

}  // namespace

ExitCode run_convert(const ConvertOptions& options, Console& console) {
  check_target(options);
  CheckedStream result(options.input);
  const ResultTable& head = result.head();
  for (const std::string& warning : head.warnings) console.note("warning: " + warning);
  refuse_existing(options.output, options.force);
  refuse_inputs(options.output, {head.path, metadata_beside(head.path)});
  const bool with_metadata = needs_metadata(options, head);
  if (with_metadata) {
    refuse_existing(metadata_beside(options.output), options.force);
    refuse_inputs(metadata_beside(options.output), {head.path, metadata_beside(head.path)});
  }
  end_on_interrupts(console.last_words("interrupted; nothing was converted"),
                    options.output + ".tmp");
  std::vector<std::string> files{options.output};
  long rows = 0;
  try {
    rows = write_result(options.output, result, options.compression);
    if (with_metadata) files.push_back(write_metadata_of(options.output, head));
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
  if (!result.damage().empty()) console.note("warning: " + result.damage());
  if (console.options().json) {
    console.print(nlohmann::ordered_json{{"files", files}, {"rows", rows}}.dump() + '\n');
  } else if (!console.options().quiet) {
    for (const std::string& file : files) console.print(file + '\n');
  }
  return ExitCode::done;
}

}  // namespace spacedyn::cli
