#include "spacedyn/reporting/csv_writer.hpp"

#include <array>
#include <charconv>
#include <cstdio>

#include "reporting/results/output_file.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kBufferSize = std::size_t{64} * 1024;

void append_number(std::string& text, double value) {
  std::array<char, 32> digits;  // the longest double, sign and exponent included, has 24
  const auto result = std::to_chars(digits.begin(), digits.end(), value);
  text.append(digits.begin(), result.ptr);
}

}  // namespace

CsvWriter::CsvWriter(const std::string& path, const std::vector<Column>& columns,
                     std::chrono::milliseconds flush_interval)
    : file_(std::make_unique<OutputFile>(path)),
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

CsvWriter::~CsvWriter() {
  try {
    if (file_->is_open()) flush();
  } catch (const IoError&) {
    // a destructor cannot report; close() can
  }
}

void CsvWriter::write(ConstVectorRef row) {
  if (!file_->is_open()) throw IoError("cannot write to '" + file_->path() + "': it is closed");
  if (row.size() != width_) {
    throw DimensionError("a row of " + std::to_string(row.size()) + " values was given to '" +
                         file_->path() + "', which has " + std::to_string(width_) + " columns");
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

void CsvWriter::poll() {
  if (!buffer_.empty() && Clock::now() - last_flush_ >= flush_interval_) flush();
}

void CsvWriter::flush() {
  // rows that do not fit are dropped: trying them again would not help a full disk
  std::string lines;
  lines.swap(buffer_);
  last_flush_ = Clock::now();
  file_->append(lines);
  lines.clear();
  buffer_.swap(lines);
}

void CsvWriter::close() {
  if (!file_->is_open()) return;
  flush();
  file_->close();
}

void CsvWriter::rename(const std::string& path) { file_->rename(path); }

void CsvWriter::finish(const RunRecord& /*record*/) { close(); }

}  // namespace spacedyn
