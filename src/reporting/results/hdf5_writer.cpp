#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string_view>

#include "coarse_clock.hpp"
#include "reporting/results/dataset_plan.hpp"
#include "reporting/results/hdf5_rows.hpp"
#include "reporting/results/metadata.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {
namespace {

/// The rows of a run that is not interrupted, 0 if they cannot be counted.
long expected_rows(const RunRecord& record) {
  const double count = std::floor(record.duration / record.output_interval) + 1.0;
  return count >= 1.0 && count < 1.0e15 ? static_cast<long>(count) : 0;
}

class Hdf5Writer final : public ResultWriter {
 public:
  Hdf5Writer(const std::string& path, const RunRecord& record,
             std::chrono::milliseconds flush_interval)
      : path_(path), flush_interval_(flush_interval), last_flush_(CoarseClock::now()) {
    if (std::filesystem::exists(path)) {
      throw IoError("cannot create '" + path + "': it exists already and is not overwritten");
    }
    try {
      Hdf5Layout layout;
      layout.expected_rows = expected_rows(record);
      layout.growing = true;
      guarded("create", [&] {
        rows_ = std::make_unique<Hdf5Rows>(path, record.columns, metadata_json(record), layout);
      });
    } catch (const IoError&) {
      std::remove(path.c_str());  // a file without its arrays is of no use
      throw;
    }
    block_.resize(rows_->chunk_rows(), static_cast<Eigen::Index>(record.columns.size()));
  }

  ~Hdf5Writer() override {
    try {
      close();
    } catch (const Error&) {
      // a destructor cannot report; close() can
    }
    let_go();
  }

  void write(ConstVectorRef row) override {
    if (!rows_) throw IoError("cannot write to '" + path_ + "': it is closed");
    if (row.size() != block_.cols()) {
      throw DimensionError("a row of " + std::to_string(row.size()) + " values was given to '" +
                           path_ + "', which has " + std::to_string(block_.cols()) + " columns");
    }
    block_.row(filled_++) = row.transpose();
    // blocks end where chunks do, so that a chunk is written once unless a reader waits for rows
    const long next = rows_->rows() + filled_;
    if (next % rows_->chunk_rows() == 0) {
      flush();
    } else {
      poll();
    }
  }

  void poll() override {
    if (filled_ > 0 && CoarseClock::now() - last_flush_ >= flush_interval_) flush();
  }

  void flush() override {
    last_flush_ = CoarseClock::now();
    if (!rows_ || filled_ == 0) return;
    const int count = std::exchange(filled_, 0);
    guarded("write to", [&] { rows_->append(block_, count); });
  }

  void close() override {
    if (!rows_) return;
    flush();
    guarded("finish writing", [&] { rows_->close(); });
    rows_.reset();
  }

  void rename(const std::string& path) override {
    rename_file(path_, path);
    path_ = path;
  }

  void finish(const RunRecord& record) override {
    close();
    guarded("finish writing", [&] { replace_record(path_, metadata_json(record)); });
  }

 private:
  /// Calls HDF5; after a failure no more rows are taken.
  template <typename Call>
  void guarded(const char* action, const Call& call) {
    const hdf5::Silence silence;
    try {
      call();
    } catch (const hdf5::Failure& failure) {
      let_go();
      throw IoError(std::string("cannot ") + action + " '" + path_ + "': " + failure.what());
    }
  }

  void let_go() {
    if (!rows_) return;
    const hdf5::Silence silence;
    rows_.reset();
  }

  std::string path_;
  std::chrono::milliseconds flush_interval_;
  CoarseClock::time_point last_flush_;
  std::unique_ptr<Hdf5Rows> rows_;
  RowBlock block_;
  int filled_ = 0;
};

}  // namespace

std::unique_ptr<ResultWriter> create_hdf5(const std::string& path, const RunRecord& record,
                                          std::chrono::milliseconds flush_interval) {
  return std::make_unique<Hdf5Writer>(path, record, flush_interval);
}

namespace {

constexpr const char* kTime = "/time";
constexpr const char* kUnplaced = "/columns";

constexpr std::size_t kMaxPath = 4096;

/// Whether a path is made of names between slashes.
bool is_path(std::string_view path) {
  if (path.empty() || path.front() != '/' || !is_plain(path, kMaxPath)) return false;
  std::size_t begin = 1;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view name = path.substr(begin, end - begin);
    if (name.empty() || name == "." || name == "..") return false;
    begin = end + 1;
  }
  return true;
}

bool are_good(const std::vector<DatasetPlan>& plans) {
  std::set<std::string> arrays, groups{"/meta"};
  for (const DatasetPlan& plan : plans) {
    if (!is_path(plan.path) || plan.path.rfind("/meta/", 0) == 0) return false;
    if (!arrays.insert(plan.path).second || groups.count(plan.path) > 0) return false;
    for (std::size_t at = plan.path.rfind('/'); at > 0; at = plan.path.rfind('/', at - 1)) {
      const std::string group = plan.path.substr(0, at);
      if (arrays.count(group) > 0) return false;
      groups.insert(group);
    }
  }
  return true;
}

}  // namespace

std::string current_path(const std::string& path) {
  constexpr std::string_view kFormer = "/endpoints/";
  if (path.rfind(kFormer, 0) != 0) return path;
  return "/frames/" + path.substr(kFormer.size());
}

std::vector<DatasetPlan> plan_datasets(const std::vector<Column>& columns) {
  std::vector<DatasetPlan> plans;
  for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
    const Column& column = columns[static_cast<std::size_t>(i)];
    const bool is_time = i == 0;
    const bool is_placed = !column.dataset.empty();
    const bool is_list = is_time || (is_placed && column.index < 0);
    const std::string path = is_time ? kTime : is_placed ? column.dataset : kUnplaced;
    const bool goes_on = !plans.empty() && !is_list && plans.back().path == path;
    if (!goes_on) plans.push_back({path, i, 0, is_list});
    ++plans.back().size;
  }
  return plans;
}

void mend_places(ResultTable& table) {
  if (are_good(plan_datasets(table.columns))) return;
  for (Column& column : table.columns) {
    column.dataset.clear();
    column.index = -1;
  }
  table.warnings.push_back("what '" + table.path +
                           "' says about the places of its columns is of no use");
}

}  // namespace spacedyn
