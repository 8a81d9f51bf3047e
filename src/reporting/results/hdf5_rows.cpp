#include "reporting/results/hdf5_rows.hpp"

#include <algorithm>
#include <limits>

#include "reporting/results/run_facts.hpp"

namespace spacedyn {
namespace {

using hdf5::check;
using hdf5::Handle;

constexpr long kMostRows = 1024;
constexpr long kFewestRows = 64;
constexpr long kFewestPieces = 8;
constexpr long kNumbersPerBlock = 128 * 1024;

/// What two runs of the same scenario have in common.
std::string record_text(Json metadata) {
  for (const char* key : {"started", "host", "columns", "inputs"}) metadata.erase(key);
  if (metadata.contains("outcome")) metadata["outcome"].erase("wall_seconds");
  return to_text(metadata) + '\n';
}

Handle row_space(const DatasetPlan& plan, hsize_t rows, hsize_t most) {
  const hsize_t size[] = {rows, static_cast<hsize_t>(plan.size)};
  const hsize_t limit[] = {most, static_cast<hsize_t>(plan.size)};
  return {H5Screate_simple(plan.is_list ? 1 : 2, size, limit), H5Sclose};
}

Handle chunked(const DatasetPlan& plan, int rows, int compression) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk[] = {static_cast<hsize_t>(rows), static_cast<hsize_t>(plan.size)};
  check(H5Pset_chunk(properties, plan.is_list ? 1 : 2, chunk));
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  check(H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &nothing));
  check(H5Pset_obj_track_times(properties, 0));
  if (compression > 0) {
    check(H5Pset_shuffle(properties));
    check(H5Pset_deflate(properties, static_cast<unsigned>(compression)));
  }
  return properties;
}

/// Memory for two chunks: one that grows, one on its way to the disk.
Handle small_cache(const DatasetPlan& plan, int rows) {
  Handle properties(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  const auto bytes =
      sizeof(double) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(plan.size);
  check(H5Pset_chunk_cache(properties, 7, 2 * bytes, 1.0));
  return properties;
}

}  // namespace

int rows_per_chunk(long expected_rows, int width) {
  const long most = std::clamp(kNumbersPerBlock / std::max(width, 1), kFewestRows, kMostRows);
  if (expected_rows <= 0) return static_cast<int>(most);
  const auto pieces_of = [&](long rows) { return (expected_rows + rows - 1) / rows; };
  // several even of a short run: a piece that a full disk or a kill cuts off is lost as a whole
  const long pieces = std::max(pieces_of(most), std::min(kFewestPieces, pieces_of(kFewestRows)));
  return static_cast<int>((expected_rows + pieces - 1) / pieces);
}

Hdf5Rows::Hdf5Rows(const std::string& path, const std::vector<Column>& columns,
                   const Json& metadata, const Hdf5Layout& layout)
    : chunk_rows_(rows_per_chunk(layout.expected_rows, static_cast<int>(columns.size()))),
      file_(hdf5::open_file(path, hdf5::Access::create)) {
  hdf5::write_attribute(file_, "format", metadata.value("format", std::string()));
  hdf5::write_text(hdf5::group(file_, "/meta"), "record", record_text(metadata));
  write_inputs(metadata);
  for (const DatasetPlan& plan : plan_datasets(columns)) create(plan, columns, layout);
  write_frequencies(metadata);
  check(H5Fflush(file_, H5F_SCOPE_LOCAL));
  if (layout.growing) check(H5Fstart_swmr_write(file_));
}

void Hdf5Rows::write_inputs(const Json& metadata) {
  const Json inputs = metadata.value("inputs", Json::object());
  std::vector<std::pair<std::string, std::string>> files, overrides;
  for (const Json& file : inputs.value("files", Json::array())) {
    files.emplace_back(file.value("path", std::string()), file.value("text", std::string()));
  }
  for (const Json& item : inputs.value("overrides", Json::array())) {
    overrides.emplace_back(item.value("key", std::string()), item.value("value", std::string()));
  }
  hdf5::write_inputs(file_, files, overrides);
}

void Hdf5Rows::write_frequencies(const Json& metadata) {
  const std::vector<double> frequencies = mode_frequencies(metadata);
  if (frequencies.empty()) return;
  const hsize_t size = frequencies.size();
  const Handle modes = hdf5::group(file_, "/modes");
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(properties, 0));
  const Handle dataset(
      H5Dcreate2(modes, "frequency", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
      H5Dclose);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, frequencies.data()));
  hdf5::write_attribute(dataset, "units", std::vector<std::string>(frequencies.size(), "Hz"));
}

void Hdf5Rows::create(const DatasetPlan& plan, const std::vector<Column>& columns,
                      const Hdf5Layout& layout) {
  const std::size_t cut = plan.path.rfind('/');
  const Handle parent = hdf5::group(file_, plan.path.substr(0, cut));
  const std::string name = plan.path.substr(cut + 1);
  Handle dataset(
      H5Dcreate2(parent, name.c_str(), H5T_IEEE_F64LE, row_space(plan, 0, H5S_UNLIMITED),
                 hdf5::link_properties(name), chunked(plan, chunk_rows_, layout.compression),
                 small_cache(plan, chunk_rows_)),
      H5Dclose);
  std::vector<std::string> names, units;
  for (int i = plan.first; i < plan.first + plan.size; ++i) {
    names.push_back(columns[static_cast<std::size_t>(i)].name);
    units.push_back(columns[static_cast<std::size_t>(i)].unit);
  }
  hdf5::write_attribute(dataset, "columns", names);
  hdf5::write_attribute(dataset, "units", units);
  hdf5::write_attribute(dataset, "first_column", plan.first);
  const std::string& frame = columns[static_cast<std::size_t>(plan.first)].frame;
  if (!frame.empty()) hdf5::write_attribute(dataset, "frame", frame);
  datasets_.push_back({plan, std::move(dataset)});
}

void Hdf5Rows::append(const RowBlock& block, int count) {
  for (std::size_t i = 1; i < datasets_.size(); ++i) append_to(datasets_[i], block, count);
  // all at once: to flush a single one, HDF5 walks through what it keeps in memory of all
  check(H5Fflush(file_, H5F_SCOPE_LOCAL));
  append_to(datasets_.front(), block, count);
  check(H5Dflush(datasets_.front().handle));
  rows_ += count;
}

void Hdf5Rows::append_to(const Dataset& dataset, const RowBlock& block, int count) {
  const DatasetPlan& plan = dataset.plan;
  const auto width = static_cast<std::size_t>(plan.size);
  scratch_.resize(static_cast<std::size_t>(count) * width);
  Eigen::Map<RowBlock>(scratch_.data(), count, plan.size) =
      block.block(0, plan.first, count, plan.size);

  const hsize_t first[] = {static_cast<hsize_t>(rows_), 0};
  const hsize_t size[] = {static_cast<hsize_t>(count), static_cast<hsize_t>(plan.size)};
  const hsize_t extent[] = {first[0] + size[0], size[1]};
  check(H5Dset_extent(dataset.handle, extent));
  const Handle space(H5Dget_space(dataset.handle), H5Sclose);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, size, nullptr));
  check(H5Dwrite(dataset.handle, H5T_NATIVE_DOUBLE, row_space(plan, size[0], size[0]), space,
                 H5P_DEFAULT, scratch_.data()));
}

void Hdf5Rows::close() {
  bool good = true;
  for (Dataset& dataset : datasets_) good = dataset.handle.reset() && good;
  good = file_.reset() && good;
  if (!good) throw hdf5::Failure(hdf5::last_reason());
}

void replace_record(const std::string& path, const Json& metadata) {
  Handle file = hdf5::open_file(path, hdf5::Access::update);
  const Handle meta = hdf5::group(file, "/meta");
  check(H5Ldelete(meta, "record", H5P_DEFAULT));
  hdf5::write_text(meta, "record", record_text(metadata));
  check(H5Fflush(file, H5F_SCOPE_LOCAL));
}

}  // namespace spacedyn
