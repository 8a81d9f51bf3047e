#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "reporting/results/hdf5.hpp"
#include "reporting/results/json.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "study/sweep_file.hpp"

namespace spacedyn {
namespace {

using hdf5::check;
using hdf5::Handle;

constexpr hsize_t kChunkRows = 4096;  // of a chunk
constexpr hsize_t kTextRows = 64;     // there are few, and a chunk without any takes no room
constexpr int kNotFlown = -1;

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, kMessageSize));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

/// A text that fits, cut between two letters.
std::string fitted(std::string text) {
  if (text.size() < kMessageSize) return text;
  std::size_t size = kMessageSize - 5;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size) + " …";
}

/// What is the same for all parts of a sweep, wherever they are flown.
std::string record_text(const Sweep& sweep) {
  Json parameters = Json::array(), collected = Json::array();
  for (const SweepParameter& each : sweep.settings().parameters) parameters.push_back(each.key);
  for (const SweepCollect& each : sweep.settings().collect) collected.push_back(each.name);
  const BuildInfo& build = build_info();
  return to_text({{"format", kSweepFormat},
                  {"sweep", sweep.settings().name},
                  {"rows", sweep.rows()},
                  {"seed", sweep.settings().seed},
                  {"parameters", parameters},
                  {"collected", collected},
                  {"scenario", sweep.scenario().name},
                  {"model", sweep.scenario().setup.model->name()},
                  {"versions", {{"spacedyn", build.spacedyn}, {"git", build.git}}},
                  {"instruction_set", std::string(to_string(instruction_set()))}}) +
         '\n';
}

}  // namespace

class SweepFileWriter::Implementation {
 public:
  Implementation(const std::string& path, const Sweep& sweep) : path_(path) {
    if (std::filesystem::exists(path)) {
      throw IoError("cannot create '" + path + "': it exists already and is not overwritten");
    }
    try {
      guarded("create", [&] { create(sweep); });
    } catch (const IoError&) {
      std::remove(path.c_str());
      throw;
    }
  }
  ~Implementation() { let_go(); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void write(std::vector<SweepRow>& rows) {
    std::sort(rows.begin(), rows.end(),
              [](const SweepRow& a, const SweepRow& b) { return a.row < b.row; });
    guarded("write to", [&] {
      std::size_t begin = 0;
      while (begin < rows.size()) begin = write_span(rows, begin);
      sync();
    });
  }

  void close() {
    if (!file_.is_open()) return;
    guarded("finish writing", [&] {
      bool good = message_.reset();
      for (Dataset& dataset : datasets_) good = dataset.handle.reset() && good;
      good = file_.reset() && good;
      if (!good) throw hdf5::Failure(hdf5::last_reason());
    });
  }

 private:
  struct Dataset {
    Handle handle;
    hid_t type;  ///< in memory
  };
  /// What a data set is called and holds.
  struct Plan {
    std::string name, unit;
    hid_t stored, memory;
    const void* fill;  ///< of rows that have not been written
  };

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
    const hdf5::Silence silence;
    message_.reset();
    datasets_.clear();
    file_.reset();
  }

  void create(const Sweep& sweep) {
    const auto& settings = sweep.settings();
    chunk_ = std::clamp(static_cast<hsize_t>(sweep.rows()), hsize_t{1}, kChunkRows);
    file_ = hdf5::open_file(path_, hdf5::Access::create);
    hdf5::write_attribute(file_, "format", kSweepFormat);
    hdf5::write_text(hdf5::group(file_, "/meta"), "record", record_text(sweep));
    hdf5::write_inputs(file_, {sweep.sources().begin(), sweep.sources().end()}, sweep.overrides());
    add_datasets(settings);
    check(H5Fflush(file_, H5F_SCOPE_LOCAL));
    check(H5Fstart_swmr_write(file_));
  }

  void add_datasets(const SweepSettings& settings) {
    const double no_number = std::nan("");
    const std::int64_t no_run = 0;
    const std::uint64_t no_seed = 0;
    const Handle root = hdf5::group(file_, "/");
    add(root, {"run", "", H5T_STD_I64LE, H5T_NATIVE_INT64, &no_run});
    const Handle parameters = hdf5::group(file_, "/parameters");
    for (const SweepParameter& each : settings.parameters) {
      add(parameters, {each.key, each.unit, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &no_number});
    }
    const Handle collected = hdf5::group(file_, "/collected");
    for (const SweepCollect& each : settings.collect) {
      add(collected, {each.name, each.unit, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &no_number});
    }
    add(root, {"seed", "", H5T_STD_U64LE, H5T_NATIVE_UINT64, &no_seed});
    add(root, {"wall_seconds", "s", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &no_number});
    // a row counts when its status has been written, not when the file has grown
    add(root, {"status", "", H5T_STD_I32LE, H5T_NATIVE_INT, &kNotFlown});
    add_message(root);
  }

  static Handle chunked(hsize_t rows) {
    Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(properties, 1, &rows));
    check(H5Pset_obj_track_times(properties, 0));
    return properties;
  }

  static Handle growing_space() {
    const hsize_t none = 0, any = H5S_UNLIMITED;
    return {H5Screate_simple(1, &none, &any), H5Sclose};
  }

  void add(hid_t parent, const Plan& plan) {
    const Handle properties = chunked(chunk_);
    check(H5Pset_fill_value(properties, plan.memory, plan.fill));
    Handle dataset(H5Dcreate2(parent, plan.name.c_str(), plan.stored, growing_space(),
                              hdf5::link_properties(plan.name), properties, H5P_DEFAULT),
                   H5Dclose);
    hdf5::write_attribute(dataset, "columns", std::vector<std::string>{plan.name});
    hdf5::write_attribute(dataset, "units", std::vector<std::string>{plan.unit});
    hdf5::write_attribute(dataset, "first_column", static_cast<int>(datasets_.size()));
    datasets_.push_back({std::move(dataset), plan.memory});
  }

  void add_message(hid_t parent) {
    message_ = Handle(H5Dcreate2(parent, "message", text_type(), growing_space(), H5P_DEFAULT,
                                 chunked(std::min(chunk_, kTextRows)), H5P_DEFAULT),
                      H5Dclose);
  }

  /// Writes the rows from one on that follow each other in the file, what lies between them and the
  /// end of the file included. @returns where the next ones begin
  std::size_t write_span(const std::vector<SweepRow>& rows, std::size_t begin) {
    const auto place = [&](std::size_t i) { return static_cast<hsize_t>(rows[i].row); };
    std::size_t end = begin + 1;
    const auto is_near = [&](std::size_t i) {
      // holes within the file keep what they have
      return place(i) == place(i - 1) + 1 || (place(i) >= extent_ && place(begin) >= extent_);
    };
    while (end < rows.size() && is_near(end)) ++end;
    const hsize_t from = place(begin) >= extent_ ? extent_ : place(begin);
    const hsize_t count = place(end - 1) + 1 - from;
    span_.assign(static_cast<std::size_t>(count), nullptr);
    for (std::size_t i = begin; i < end; ++i) {
      span_[static_cast<std::size_t>(place(i) - from)] = &rows[i];
    }
    grow(from + count);
    write_messages(from);
    write_numbers(from);
    extent_ = std::max(extent_, from + count);
    return end;
  }

  /// Has the disk take all that was written, under whatever name the file has by now.
  void sync() const {
    void* handle = nullptr;
    check(H5Fget_vfd_handle(file_, H5P_DEFAULT, &handle));
    // file systems that cannot have nothing to wait for
    if (::fsync(*static_cast<const int*>(handle)) == 0 || errno == EINVAL) return;
    throw IoError("cannot write to '" + path_ + "': " + std::strerror(errno));
  }

  void grow(hsize_t rows) {
    if (rows <= extent_) return;
    check(H5Dset_extent(message_, &rows));
    for (const Dataset& dataset : datasets_) check(H5Dset_extent(dataset.handle, &rows));
  }

  void write_messages(hsize_t from) {
    for (std::size_t i = 0; i < span_.size(); ++i) {
      if (span_[i] == nullptr || span_[i]->message.empty()) continue;
      std::string text = fitted(span_[i]->message);
      text.resize(kMessageSize, '\0');
      write(message_, text_type(), from + i, 1, text.data());
    }
  }

  /// Each data set in turn, the status last.
  void write_numbers(hsize_t from) {
    std::size_t next = 0;
    std::vector<long> whole(span_.size());
    std::vector<double> real(span_.size());
    const hsize_t count = span_.size();
    const auto put = [&](const void* numbers) {
      const Dataset& dataset = datasets_[next++];
      write(dataset.handle, dataset.type, from, count, numbers);
    };
    const auto put_real = [&](const auto& of) {
      for (std::size_t i = 0; i < span_.size(); ++i) {
        real[i] = span_[i] == nullptr ? std::nan("") : of(*span_[i]);
      }
      put(real.data());
    };
    for (std::size_t i = 0; i < span_.size(); ++i) whole[i] = static_cast<long>(from + i);
    put(whole.data());
    const std::size_t fixed = 4;  // run, seed, wall_seconds, status
    const std::size_t parameters = parameter_count(), all = datasets_.size() - fixed;
    for (std::size_t k = 0; k < all; ++k) {
      put_real([&](const SweepRow& row) {
        return k < parameters ? row.draw.parameters[k] : row.collected[k - parameters];
      });
    }
    for (std::size_t i = 0; i < span_.size(); ++i) {
      whole[i] = span_[i] == nullptr ? 0 : static_cast<long>(span_[i]->draw.seed);
    }
    put(whole.data());
    put_real([](const SweepRow& row) { return row.wall_seconds; });
    std::vector<int> status(span_.size(), kNotFlown);
    for (std::size_t i = 0; i < span_.size(); ++i) {
      if (span_[i] != nullptr) status[i] = span_[i]->status;
    }
    // all the others at once: to flush a single one, HDF5 walks through what it keeps of all
    check(H5Fflush(file_, H5F_SCOPE_LOCAL));
    put(status.data());
    check(H5Dflush(datasets_.back().handle));
  }

  std::size_t parameter_count() const {
    for (const SweepRow* row : span_) {
      if (row != nullptr) return row->draw.parameters.size();
    }
    return 0;
  }

  static void write(hid_t dataset, hid_t type, hsize_t from, hsize_t count, const void* numbers) {
    const Handle space(H5Dget_space(dataset), H5Sclose);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    check(H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, numbers));
  }

  std::string path_;
  hsize_t chunk_ = 1, extent_ = 0;
  Handle file_;
  std::vector<Dataset> datasets_;  // in the order of columns
  Handle message_;
  std::vector<const SweepRow*> span_;  // rows of one piece of the file; null: not flown
};

SweepFileWriter::SweepFileWriter(const std::string& path, const Sweep& sweep)
    : implementation_(std::make_unique<Implementation>(path, sweep)) {}
SweepFileWriter::~SweepFileWriter() = default;
void SweepFileWriter::write(std::vector<SweepRow>& rows) { implementation_->write(rows); }
void SweepFileWriter::close() { implementation_->close(); }

}  // namespace spacedyn
