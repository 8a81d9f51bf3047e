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

ReportData read_result_report(const std::string& result) {
  return reading(result, [&] { return read_report(result, read_limits()); });
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
