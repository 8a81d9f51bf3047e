#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/reporting/result_writer.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kBufferSize = std::size_t{64} * 1024;

void append_number(std::string& text, double value) {
  std::array<char, 32> digits;  // the longest double, sign and exponent included, has 24
  const auto result = std::to_chars(digits.begin(), digits.end(), value);
  text.append(digits.begin(), result.ptr);
}

constexpr std::size_t kMaxLine = std::size_t{16} * 1024 * 1024;
constexpr std::size_t kMaxColumns = 100000;
constexpr std::size_t kNumbersAtOnce = 128 * 1024;

/// Hands out a file line by line, without line ends.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) throw IoError("cannot read '" + path + "': no such file, or it may not be read");
  }

  /// @throws IoError if the line is longer than any line of a result
  bool next(std::string_view& line) {
    std::size_t end = buffer_.find('\n', begin_);
    while (end == std::string::npos && fill()) end = buffer_.find('\n', begin_ + searched_);
    if (begin_ == buffer_.size()) return false;
    is_whole_ = end != std::string::npos;
    if (!is_whole_) end = buffer_.size();
    line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = std::min(end + 1, buffer_.size());
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }

  /// Whether the line had an end; one without it may have been cut in the middle of a number.
  bool is_whole() const { return is_whole_; }
  long number() const { return number_; }

 private:
  /// Appends to what is left of the buffer. @return false at the end of the file
  bool fill() {
    constexpr std::size_t kPiece = std::size_t{256} * 1024;
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched_ = buffer_.size();
    if (searched_ > kMaxLine) {
      throw IoError(fmt::format("{}:{}: the line is longer than 16 MiB", path_, number_ + 1));
    }
    buffer_.resize(searched_ + kPiece);
    file_.read(buffer_.data() + searched_, static_cast<std::streamsize>(kPiece));
    buffer_.resize(searched_ + static_cast<std::size_t>(file_.gcount()));
    return buffer_.size() > searched_;
  }

  std::string path_;
  std::ifstream file_;
  std::string buffer_;
  std::size_t begin_ = 0, searched_ = 0;
  bool is_whole_ = true;
  long number_ = 0;
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
    if (columns.size() > kMaxColumns) throw IoError("'" + path + "' has more than 100000 columns");
  }
  if (columns.front().name != "time_s") {
    throw IoError(
        fmt::format("'{}' is not a result of spacedyn: its first column is '{}', not "
                    "'time_s'",
                    path, columns.front().name.substr(0, 40)));
  }
  if (!is_plain(line, line.size()))
    throw IoError(path + ":1: the names of the columns are no text");
  return columns;
}

class CsvStream final : public ResultStream {
 public:
  explicit CsvStream(const std::string& path) : lines_(path) {
    table_.path = path;
    std::string_view header;
    if (!lines_.next(header)) throw IoError("'" + path + "' is empty");
    table_.columns = read_header(header, path);
    read_block();
    if (numbers_.empty()) throw IoError("'" + path + "' holds no complete row");
    const std::string metadata = metadata_path(path);
    if (std::filesystem::exists(metadata)) {
      read_run_facts(read_whole_file(metadata), metadata, table_);
    } else {
      table_.warnings.push_back("there is no '" + metadata +
                                "': model, inputs and audit are not known");
    }
  }

  const ResultTable& head() const override { return table_; }
  long stated_rows() const override { return -1; }
  const std::string& damage() const override { return damage_; }

  bool next(RowMatrix& rows) override {
    if (numbers_.empty()) return false;
    const auto width = static_cast<Eigen::Index>(table_.columns.size());
    rows = Eigen::Map<const RowMatrix>(numbers_.data(),
                                       static_cast<Eigen::Index>(numbers_.size()) / width, width);
    numbers_.clear();
    read_block();
    return true;
  }

 private:
  /// Reads ahead, so that the end is known with the last row.
  void read_block() {
    std::string_view line;
    while (numbers_.size() < kNumbersAtOnce && damage_.empty() && lines_.next(line)) {
      const std::size_t width = table_.columns.size();
      const std::size_t before = numbers_.size();
      const bool good = append_numbers(line, numbers_) && numbers_.size() == before + width;
      if (!lines_.is_whole()) {
        // even if it parses: a number may have lost its last digits
        numbers_.resize(before);
        damage_ = fmt::format(
            "'{}' ends in the middle of line {}; the {} complete rows before it are shown",
            table_.path, lines_.number(), lines_.number() - 2);
        return;
      }
      if (!good) {
        throw IoError(fmt::format("{}:{}: expected {} numbers separated by commas", table_.path,
                                  lines_.number(), width));
      }
      if (!(numbers_[before] >= last_time_)) {
        throw IoError(fmt::format("{}:{}: the time goes back to {} s after {} s", table_.path,
                                  lines_.number(), numbers_[before], last_time_));
      }
      last_time_ = numbers_[before];
    }
  }

  Lines lines_;
  ResultTable table_;
  std::vector<double> numbers_;
  double last_time_ = -std::numeric_limits<double>::infinity();
  std::string damage_;
};

class CsvWriter final : public ResultWriter {
 public:
  CsvWriter(const std::string& path, const std::vector<Column>& columns,
            std::chrono::milliseconds flush_interval)
      : file_(path),
        width_(static_cast<Eigen::Index>(columns.size())),
        flush_interval_(flush_interval),
        last_flush_(Clock::now()) {
    for (const Column& column : columns) {
      if (!buffer_.empty()) buffer_ += ',';
      buffer_ += column.name;
    }
    buffer_ += '\n';
    try {
      flush();
    } catch (const IoError&) {
      std::remove(path.c_str());  // a file without even its header is of no use
      throw;
    }
  }

  ~CsvWriter() override {
    try {
      if (file_.is_open()) flush();
    } catch (const IoError&) {
      // a destructor cannot report; close() can
    }
  }

  void write(ConstVectorRef row) override {
    if (!file_.is_open()) throw IoError("cannot write to '" + file_.path() + "': it is closed");
    if (row.size() != width_) {
      throw DimensionError("a row of " + std::to_string(row.size()) + " values was given to '" +
                           file_.path() + "', which has " + std::to_string(width_) + " columns");
    }
    for (Eigen::Index i = 0; i < row.size(); ++i) {
      if (i > 0) buffer_ += ',';
      append_number(buffer_, row(i));
    }
    buffer_ += '\n';
    if (buffer_.size() >= kBufferSize) {
      flush();
    } else {
      poll();
    }
  }

  void poll() override {
    if (!buffer_.empty() && Clock::now() - last_flush_ >= flush_interval_) flush();
  }

  /// Only whole lines reach the file; those that do not fit are dropped: trying them again would
  /// not help a full disk.
  void flush() override {
    std::string lines;
    lines.swap(buffer_);
    last_flush_ = Clock::now();
    file_.append(lines);
    lines.clear();
    buffer_.swap(lines);
  }

  void close() override {
    if (!file_.is_open()) return;
    flush();
    file_.close();
  }

  void finish(const RunRecord& /*record*/) override { close(); }
  void rename(const std::string& path) override { file_.rename(path); }

 private:
  using Clock = std::chrono::steady_clock;

  OutputFile file_;
  Eigen::Index width_;
  std::string buffer_;  // whole lines that have not reached the file
  std::chrono::milliseconds flush_interval_;
  Clock::time_point last_flush_;
};

}  // namespace

std::unique_ptr<ResultWriter> create_csv(const std::string& path,
                                         const std::vector<Column>& columns,
                                         std::chrono::milliseconds flush_interval) {
  return std::make_unique<CsvWriter>(path, columns, flush_interval);
}

bool CsvResultReader::accepts(const std::string& path) const {
  return std::filesystem::path(path).extension() == ".csv";
}

std::unique_ptr<ResultStream> CsvResultReader::open(const std::string& path,
                                                    const ReadLimits& /*limits*/) const {
  return std::make_unique<CsvStream>(path);
}

}  // namespace spacedyn
