#include <filesystem>
#include <optional>

#include <fcntl.h>

#include "reporting/results/hdf5_answers.hpp"
#include "reporting/results/json.hpp"
#include "spacedyn/error.hpp"
#include "study/sweep_file.hpp"

namespace spacedyn {
namespace {

constexpr double kPatience = 8.0;                 // s, of waiting for a file that gives nothing
constexpr int kFixedBefore = 1, kFixedAfter = 3;  // run; seed, wall_seconds, status

bool is_below(const Column& column, const std::string& group) {
  return column.dataset.rfind('/' + group + '/', 0) == 0;
}

}  // namespace

class SweepFileReader::Implementation {
 public:
  explicit Implementation(const std::string& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), seconds_(kPatience) {
    head_.path = path;
    if (file_ < 0) fail("cannot be read");
    hdf5::Contents contents;
    try {
      answers_.emplace(file_, hdf5::Answers::Wanted(), seconds_);
      answers_->read_contents(contents);
    } catch (const hdf5::ReaderFailure& failure) {
      fail(std::string("is damaged, nothing in it can be recovered: ") + failure.what());
    }
    if (contents.format != kSweepFormat) fail("is no result of a sweep");
    if (!contents.failure.empty()) fail("is damaged: " + contents.failure);
    take_head(contents);
  }

  const SweepTable& head() const { return head_; }

  bool next(std::vector<SweepRow>& rows) {
    rows.clear();
    RowMatrix numbers;
    std::string reason;
    const auto width = static_cast<int>(head_.parameters.size() + head_.collected.size()) +
                       kFixedBefore + kFixedAfter;
    while (rows.empty()) {
      if (!answers_ || !answers_->next(width, numbers, reason)) {
        answers_.reset();
        return false;
      }
      for (Eigen::Index i = 0; i < numbers.rows(); ++i) take_row(numbers.row(i), rows);
      take_messages(rows);
    }
    return true;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError('\'' + head_.path + "' " + what);
  }

  void take_head(const hdf5::Contents& contents) {
    const Json record = parse_json(contents.record.value_or(""));
    if (!record.is_object() || !contents.overrides) fail("is damaged: its record is missing");
    const Json versions = record.value("versions", Json::object());
    const Json rows = record.value("rows", Json());
    head_.version = versions.is_object() ? versions.value("spacedyn", std::string()) : "";
    if (!rows.is_number_integer()) fail("is damaged: its record has no number of rows");
    head_.rows = rows.get<long>();
    head_.sources = {contents.inputs.begin(), contents.inputs.end()};
    head_.overrides = *contents.overrides;
    for (const Column& column : contents.columns) {
      if (is_below(column, "parameters")) head_.parameters.push_back(column);
      if (is_below(column, "collected")) head_.collected.push_back(column);
    }
    const std::size_t count = head_.parameters.size() + head_.collected.size();
    if (contents.columns.size() != count + kFixedBefore + kFixedAfter ||
        contents.columns.front().name != "run" || contents.columns.back().name != "status") {
      fail("is damaged: it has not the data sets of a sweep");
    }
  }

  template <typename Row>
  void take_row(const Row& numbers, std::vector<SweepRow>& rows) const {
    const auto last = numbers.size() - 1;
    if (!(numbers(last) >= 0.0)) return;  // not flown
    SweepRow row;
    row.row = static_cast<long>(numbers(0));
    row.status = static_cast<int>(numbers(last));
    row.wall_seconds = numbers(last - 1);
    row.draw.seed = static_cast<std::uint64_t>(numbers(last - 2));
    const auto parameters = static_cast<Eigen::Index>(head_.parameters.size());
    for (Eigen::Index i = kFixedBefore; i < last - 2; ++i) {
      auto& list = i < kFixedBefore + parameters ? row.draw.parameters : row.collected;
      list.push_back(numbers(i));
    }
    rows.push_back(std::move(row));
  }

  void take_messages(std::vector<SweepRow>& rows) const {
    std::size_t next = 0;
    for (const auto& [number, text] : answers_->row_texts()) {
      while (next < rows.size() && rows[next].row < number) ++next;
      if (next < rows.size() && rows[next].row == number) rows[next].message = text;
    }
  }

  Descriptor file_;
  double seconds_;
  std::optional<hdf5::Answers> answers_;
  SweepTable head_;
};

SweepFileReader::SweepFileReader(const std::string& path)
    : implementation_(std::make_unique<Implementation>(path)) {}
SweepFileReader::~SweepFileReader() = default;
const SweepTable& SweepFileReader::head() const { return implementation_->head(); }
bool SweepFileReader::next(std::vector<SweepRow>& rows) { return implementation_->next(rows); }

bool is_sweep_result(const std::string& path) {
  if (std::filesystem::path(path).extension() != ".h5") return false;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0) return false;
  hdf5::Contents contents;
  double seconds = kPatience;
  try {
    hdf5::Answers answers(file, hdf5::Answers::Wanted{false, false}, seconds);
    answers.read_contents(contents);
  } catch (const std::runtime_error&) {
    // what has been read until then tells
  }
  return contents.format == kSweepFormat;
}

SweepTable read_sweep_table(const std::string& path) {
  SweepFileReader reader(path);
  SweepTable table = reader.head();
  std::vector<SweepRow> rows;
  while (reader.next(rows)) {
    for (SweepRow& row : rows) table.flown.push_back(std::move(row));
  }
  return table;
}

Sweep sweep_of_result(const std::string& path) {
  const SweepFileReader reader(path);
  return Sweep::reload(reader.head().sources, reader.head().overrides);
}

}  // namespace spacedyn
