#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "reporting/run_facts.hpp"
#include "reporting/series_names.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {
namespace {

/// Hands out a text line by line, without line ends.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    is_whole_ = end != std::string_view::npos;
    line = rest_.substr(0, end);
    rest_.remove_prefix(is_whole_ ? end + 1 : rest_.size());
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }

  /// Whether the line had an end; one without it may have been cut in the middle of a number.
  bool is_whole() const { return is_whole_; }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  bool is_whole_ = true;
  int number_ = 0;
};

/// Appends the numbers of a line. @return false if a field is not a number
bool append_numbers(std::string_view line, std::vector<double>& numbers) {
  const char* next = line.data();
  const char* const end = next + line.size();
  while (true) {
    double number = 0.0;
    const auto [stop, error] = std::from_chars(next, end, number);
    if (error != std::errc() || (stop != end && *stop != ',')) return false;
    numbers.push_back(number);
    if (stop == end) return true;
    next = stop + 1;
  }
}

std::vector<Column> read_header(std::string_view line, const std::string& path) {
  std::vector<Column> columns;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string name(line.substr(begin, end - begin));
    std::string unit = unit_from_name(name);
    columns.push_back({std::move(name), std::move(unit)});
    begin = end + 1;
  }
  if (columns.front().name != "time_s") {
    throw IoError(
        fmt::format("'{}' is not a result of spacedyn: its first column is '{}', not "
                    "'time_s'",
                    path, columns.front().name.substr(0, 40)));
  }
  return columns;
}

/// Row by row, then turned into one column of the matrix per column of the file.
MatrixX to_matrix(const std::vector<double>& numbers, std::size_t width) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto columns = static_cast<Eigen::Index>(width);
  const auto rows = static_cast<Eigen::Index>(numbers.size() / width);
  return Eigen::Map<const RowMajor>(numbers.data(), rows, columns);
}

void read_rows(Lines& lines, ResultTable& table) {
  const std::size_t width = table.columns.size();
  std::vector<double> numbers;
  double last_time = -std::numeric_limits<double>::infinity();
  std::string_view line;
  while (lines.next(line)) {
    const std::size_t before = numbers.size();
    const bool good = append_numbers(line, numbers) && numbers.size() == before + width;
    if (!lines.is_whole()) {
      // even if it parses: a number may have lost its last digits
      numbers.resize(before);
      table.warnings.push_back(fmt::format(
          "'{}' ends in the middle of line {}; the {} complete rows before it are shown",
          table.path, lines.number(), before / width));
      break;
    }
    if (!good) {
      throw IoError(fmt::format("{}:{}: expected {} numbers separated by commas", table.path,
                                lines.number(), width));
    }
    if (!(numbers[before] >= last_time)) {
      throw IoError(fmt::format("{}:{}: the time goes back to {} s after {} s", table.path,
                                lines.number(), numbers[before], last_time));
    }
    last_time = numbers[before];
  }
  if (numbers.empty()) throw IoError("'" + table.path + "' holds no complete row");
  table.values = to_matrix(numbers, width);
}

}  // namespace

bool CsvResultReader::accepts(const std::string& path) const {
  return std::filesystem::path(path).extension() == ".csv";
}

ResultTable CsvResultReader::read(const std::string& path) const {
  const std::string text = read_whole_file(path);
  Lines lines(text);
  std::string_view header;
  if (!lines.next(header)) throw IoError("'" + path + "' is empty");
  ResultTable table;
  table.path = path;
  table.columns = read_header(header, path);
  read_rows(lines, table);

  const std::string metadata = metadata_path(path);
  if (std::filesystem::exists(metadata)) {
    read_run_facts(read_whole_file(metadata), metadata, table);
  } else {
    table.warnings.push_back("there is no '" + metadata +
                             "': model, inputs and audit are not known");
  }
  return table;
}

}  // namespace spacedyn
