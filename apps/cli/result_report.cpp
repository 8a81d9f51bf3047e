#include "result_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "failure.hpp"
#include "inputs.hpp"
#include "spacedyn/reporting/derived_series.hpp"
#include "text_table.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNumber = 9999;
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

/// Channels that a result has without columns of their names, with their units.
std::vector<std::pair<std::string, std::string>> derived_channels(const ResultTable& head) {
  ResultTable without_rows;
  without_rows.columns = head.columns;
  without_rows.values.resize(0, static_cast<Eigen::Index>(head.columns.size()));
  std::vector<std::pair<std::string, std::string>> channels;
  for (const ReportSeries& series : derived_series(without_rows)) {
    channels.emplace_back(series.derived, series.unit);
  }
  return channels;
}

}  // namespace

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

ReportData read_result_report(const std::string& result, ReportDetail detail) {
  return reading(result, [&] { return read_report(result, read_limits(), detail); });
}

std::string free_path(const std::string& path,
                      const std::function<bool(const std::string&)>& will_do) {
  const fs::path whole(path);
  for (int number = 1; number <= kMaxNumber; ++number) {
    fs::path numbered = whole;
    if (number > 1) {
      numbered.replace_filename(
          fmt::format("{}-{:03}{}", whole.stem().string(), number, whole.extension().string()));
    }
    if (!fs::exists(numbered) || (will_do && will_do(numbered.string()))) return numbered.string();
  }
  throw Failure(ExitCode::output_failed, "there are too many files like '" + path + "' already",
                "name another one with -o");
}

std::string output_path(const std::string& asked, const std::string& usual, bool force) {
  if (!asked.empty()) return asked;
  return force ? usual : free_path(usual);
}

void refuse_existing(const std::string& path, bool force) {
  if (force || !fs::exists(path)) return;
  throw Failure(ExitCode::output_failed, "'" + path + "' exists already",
                "choose another file, or give --force to overwrite it");
}

void refuse_inputs(const std::string& path, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code neither;  // a path that does not exist is no other file
    if (!fs::equivalent(path, input, neither)) continue;
    throw Failure(ExitCode::output_failed, "'" + path + "' is what the command reads",
                  "choose another file to write");
  }
}

void refuse_inputs(const std::string& path, const std::vector<ReportData>& results) {
  for (const ReportData& result : results) {
    const fs::path file = result.path;
    refuse_inputs(path, {result.path, fs::path(file).replace_extension(".meta.json").string(),
                         fs::path(file).replace_extension(".checkpoint").string()});
  }
}

bool is_result(const std::string& path) {
  const std::filesystem::path file(path);
  return file.extension() == ".h5" || file.extension() == ".csv" ||
         std::filesystem::is_directory(file);
}

std::string result_text(const std::string& path) {
  const std::unique_ptr<ResultStream> stream =
      reading(path, [&] { return open_result(path, read_limits()); });
  const ResultTable& head = stream->head();
  const RunFacts& facts = head.facts;
  std::string text = facts.scenario.empty() ? head.path : facts.scenario;
  if (!facts.status.empty()) text += ": " + facts.status;
  if (facts.time) text += fmt::format(", 0 to {:g} s", *facts.time);
  if (stream->stated_rows() >= 0) text += fmt::format(", {} rows", stream->stated_rows());
  text += "\n";
  std::vector<std::vector<std::string>> rows{{"channel", "unit", "in HDF5 files"}};
  for (const Column& column : head.columns) {
    rows.push_back({column.name, column.unit.empty() ? "1" : column.unit, column.dataset});
  }
  for (const auto& [channel, unit] : derived_channels(head)) {
    rows.push_back({channel, unit, "computed by plot"});
  }
  return text + text_table(rows) +
         fmt::format("{} channels; what is not here was not recorded (output.channels)\n",
                     rows.size() - 1);
}

}  // namespace spacedyn::cli
