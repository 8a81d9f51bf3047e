#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reporting/results/dataset_plan.hpp"
#include "reporting/results/hdf5_answers.hpp"
#include "reporting/results/metadata.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {
namespace {

using hdf5::Answers;
using hdf5::Contents;

constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{128} * 1024 * 1024;
constexpr std::uint64_t kPlausibleCompression = 16;

Descriptor open_file(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0) {
    throw IoError("cannot read '" + path + "': " + std::generic_category().message(errno));
  }
  std::array<unsigned char, 8> mark{};
  constexpr std::array<unsigned char, 8> kSignature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  if (::pread(file, mark.data(), mark.size(), 0) != 8 || mark != kSignature) {
    throw IoError("'" + path + "' is not an HDF5 file");
  }
  return file;
}

/// Bytes that a file holds, without the holes that it may be made of.
std::uint64_t bytes_on_disk(int file) {
  constexpr int kMaxStretches = 10000;
  struct stat status = {};
  if (::fstat(file, &status) != 0) return 0;
  off_t held = 0, at = 0;
  for (int i = 0; i < kMaxStretches && at < status.st_size; ++i) {
    const off_t begin = ::lseek(file, at, SEEK_DATA);
    if (begin < 0) return static_cast<std::uint64_t>(errno == ENXIO ? held : status.st_size);
    const off_t end = ::lseek(file, begin, SEEK_HOLE);
    if (end <= begin) return static_cast<std::uint64_t>(status.st_size);
    held += end - begin;
    at = end;
  }
  return static_cast<std::uint64_t>(held);
}

std::string as_mebibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

/// @throws IoError if the rows that a file claims to have need more memory than it can mean
void check_size(const std::string& path, const Contents& contents, std::uint64_t held,
                std::uint64_t limit) {
  const std::uint64_t most =
      limit > 0 ? limit : std::max(kAlwaysAllowed, kPlausibleCompression * held);
  const std::uint64_t bytes =
      sizeof(double) * contents.columns.size() * static_cast<std::uint64_t>(contents.rows);
  if (bytes <= most) return;
  throw IoError(fmt::format(
      "'{}' has {} and says that it unpacks into {}; more than {} are not read unless you allow it "
      "(environment variable SPACEDYN_MAX_RESULT_BYTES)",
      path, as_mebibytes(held), as_mebibytes(bytes), as_mebibytes(most)));
}

Json inputs_json(const Contents& contents) {
  Json files = Json::array();
  Json overrides = Json::array();
  for (const auto& [path, text] : contents.inputs) {
    files.push_back({{"path", path}, {"text", text}});
  }
  for (const auto& [key, value] : *contents.overrides) {
    overrides.push_back({{"key", key}, {"value", value}});
  }
  return {{"files", std::move(files)}, {"overrides", std::move(overrides)}};
}

class Hdf5Stream final : public ResultStream {
 public:
  Hdf5Stream(const std::string& path, const ReadLimits& limits)
      : file_(open_file(path)), seconds_(limits.seconds) {
    table_.path = path;
    Contents contents = read_contents();
    check_contents(contents);
    check_size(path, contents, bytes_on_disk(file_), limits.bytes);
    rows_ = contents.rows;
    table_.columns = std::move(contents.columns);
    take_metadata(contents);
    if (!take_next()) {
      throw IoError("'" + path + "' holds no complete row" +
                    (reason_.empty() ? "" : ": " + reason_));
    }
  }

  const ResultTable& head() const override { return table_; }
  long stated_rows() const override { return rows_; }
  const std::string& damage() const override { return damage_; }

  bool next(RowMatrix& rows) override {
    if (next_.rows() == 0) return false;
    rows.swap(next_);
    next_.resize(0, 0);
    taken_ += rows.rows();
    take_next();
    return true;
  }

 private:
  /// Starts the reader again without what it fails on, as long as that is something to be spared.
  Contents read_contents() {
    Answers::Wanted wanted;
    while (true) {
      Contents contents;
      answers_.emplace(file_, wanted, seconds_);
      try {
        answers_->read_contents(contents);
        return contents;
      } catch (const hdf5::ReaderFailure& failure) {
        const auto part = answers_->failed_part();
        bool* spared = part == hdf5::kRecordPart ? &wanted.record : &wanted.inputs;
        if (!part || !*spared) fail(failure.what());
        *spared = false;
      }
    }
  }

  void check_contents(const Contents& contents) {
    if (!contents.failure.empty() && contents.format.empty()) {
      throw IoError("'" + table_.path +
                    "' cannot be opened, nothing in it can be recovered: " + contents.failure);
    }
    if (contents.format.empty()) {
      throw IoError("'" + table_.path + "' is an HDF5 file, but no result of spacedyn: it has no " +
                    "text 'format'");
    }
    check_format(contents.format, table_.path);
    if (!contents.failure.empty()) fail(contents.failure);
    if (contents.columns.empty() || contents.columns.front().name != "time_s") {
      fail("there is no time");
    }
    for (const std::string& path : contents.ignored) {
      table_.warnings.push_back("'" + path + "' in '" + table_.path +
                                "' is left out: it has no names and units of columns");
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw IoError("'" + table_.path + "' is damaged, nothing in it can be recovered: " + reason);
  }

  void take_metadata(const Contents& contents) {
    Json json = parse_json(contents.record.value_or(""));
    if (json.is_discarded()) {
      table_.warnings.push_back("the record in '" + table_.path +
                                "' is damaged: how its run ended is not known");
      json = Json{{"format", "spacedyn-result/1"}};
    }
    check_kinds(json, table_.path);
    take_circumstances(metadata_path(table_.path), json);
    mend_places(table_);
    json["columns"] = columns_json(table_.columns);
    if (contents.overrides) {
      json["inputs"] = inputs_json(contents);
    } else {
      table_.warnings.push_back("the inputs in '" + table_.path + "' are damaged");
    }
    take_run_facts(json, table_);
    table_.metadata = to_text(json) + '\n';
  }

  /// Takes rows ahead, so that the end is known with the last of them.
  bool take_next() {
    const auto width = static_cast<int>(table_.columns.size());
    do {
      if (!answers_ || !answers_->next(width, next_, reason_)) return finish();
      if (next_.rows() > rows_ - taken_) {
        reason_ = "it has more rows than it says";
        next_.resize(0, 0);
        return finish();
      }
    } while (next_.rows() == 0);
    return true;
  }

  bool finish() {
    answers_.reset();
    next_.resize(0, 0);
    if (taken_ < rows_) {
      damage_ = fmt::format("'{}' is damaged or cut off; the first {} of its {} rows can be read",
                            table_.path, taken_, rows_);
    }
    return false;
  }

  Descriptor file_;
  double seconds_;
  std::optional<Answers> answers_;
  ResultTable table_;
  long rows_ = 0;
  long taken_ = 0;
  RowMatrix next_;
  std::string reason_, damage_;
};

}  // namespace

bool Hdf5ResultReader::accepts(const std::string& path) const {
  return std::filesystem::path(path).extension() == ".h5";
}

std::unique_ptr<ResultStream> Hdf5ResultReader::open(const std::string& path,
                                                     const ReadLimits& limits) const {
  return std::make_unique<Hdf5Stream>(path, limits);
}

}  // namespace spacedyn
