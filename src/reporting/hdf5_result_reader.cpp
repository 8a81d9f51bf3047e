#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "reporting/hdf5_rescue.hpp"
#include "reporting/hdf5_rows.hpp"
#include "reporting/metadata.hpp"
#include "reporting/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {
namespace {

using hdf5::check;
using hdf5::Handle;

constexpr long kRowsAtOnce = 1024;  // of arrays that are not stored in pieces
constexpr long kMaxRowsAtOnce = 1 << 20;
constexpr long kMaxWidth = 100000;

/// An array of the file and where its columns go.
struct Source {
  Handle handle;
  int first = 0;
  int width = 0;
  bool is_list = false;
  long rows = 0;
  long piece = 0;  // rows of a chunk, 0 if it has none
};

Source open_source(hid_t file, const std::string& path) {
  Source source;
  source.handle = Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), &H5Dclose);
  const Handle space(H5Dget_space(source.handle), &H5Sclose);
  hsize_t size[2] = {0, 1};
  const int rank = check(H5Sget_simple_extent_ndims(space));
  if (rank != 1 && rank != 2) throw hdf5::Failure("'" + path + "' has a wrong shape");
  check(H5Sget_simple_extent_dims(space, size, nullptr));
  source.is_list = rank == 1;
  source.width = static_cast<int>(std::min<hsize_t>(size[1], kMaxWidth));
  source.rows = static_cast<long>(std::min<hsize_t>(size[0], std::numeric_limits<int>::max()));
  const Handle properties(H5Dget_create_plist(source.handle), &H5Pclose);
  hsize_t chunk[2] = {0, 0};
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    check(H5Pget_chunk(properties, rank, chunk));
    source.piece = static_cast<long>(std::min<hsize_t>(chunk[0], kMaxRowsAtOnce));
  }
  return source;
}

/// Takes an array into the list if it is one of ours.
void add_source(hid_t file, const std::string& path, std::vector<Source>& sources,
                std::vector<std::vector<Column>>& columns) {
  Source source = open_source(file, path);
  const auto names = hdf5::read_list_attribute(source.handle, "columns");
  const auto units = hdf5::read_list_attribute(source.handle, "units");
  const auto first = hdf5::read_number_attribute(source.handle, "first_column");
  if (!names || !units || !first) return;
  if (static_cast<int>(names->size()) != source.width || units->size() != names->size()) {
    throw hdf5::Failure("'" + path + "' has another number of columns than names");
  }
  source.first = *first;
  const std::string frame = hdf5::read_text_attribute(source.handle, "frame").value_or("");
  const std::string dataset = current_path('/' + path);
  std::vector<Column> list;
  for (int i = 0; i < source.width; ++i) {
    const auto at = static_cast<std::size_t>(i);
    list.push_back({names->at(at), units->at(at), dataset, source.is_list ? -1 : i, frame});
  }
  sources.push_back(std::move(source));
  columns.push_back(std::move(list));
}

/// All arrays in the order of their columns.
std::vector<Source> find_sources(hid_t file, std::vector<Column>& columns) {
  std::vector<Source> found;
  std::vector<std::vector<Column>> names;
  for (const std::string& path : hdf5::dataset_paths(file)) {
    if (path.rfind("meta/", 0) != 0) add_source(file, path, found, names);
  }
  std::vector<std::size_t> order(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return found[a].first < found[b].first; });
  std::vector<Source> sources;
  for (const std::size_t i : order) {
    found[i].first = static_cast<int>(columns.size());
    columns.insert(columns.end(), names[i].begin(), names[i].end());
    sources.push_back(std::move(found[i]));
  }
  if (columns.empty() || columns.front().name != "time_s" || !sources.front().is_list) {
    throw hdf5::Failure("there is no time");
  }
  return sources;
}

/// Whether the piece that begins at a row has reached the disk; HDF5 reads zeros beyond the end.
bool is_stored(const Source& source, long row, std::uintmax_t file_size) {
  if (source.piece == 0) return true;
  const hsize_t offset[] = {static_cast<hsize_t>(row / source.piece * source.piece), 0};
  unsigned filters = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  check(H5Dget_chunk_info_by_coord(source.handle, offset, &filters, &address, &size));
  return address != HADDR_UNDEF && address + size <= file_size;
}

void read_block(const Source& source, long row, RowBlock& block) {
  const hsize_t first[] = {static_cast<hsize_t>(row), 0};
  const hsize_t size[] = {static_cast<hsize_t>(block.rows()), static_cast<hsize_t>(source.width)};
  const int rank = source.is_list ? 1 : 2;
  const Handle space(H5Dget_space(source.handle), &H5Sclose);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, size, nullptr));
  const Handle memory(H5Screate_simple(rank, size, nullptr), &H5Sclose);
  RowBlock part(block.rows(), source.width);
  check(H5Dread(source.handle, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, part.data()));
  block.middleCols(source.first, source.width) = part;
}

/// Rows from the first on as long as their times ascend.
long ascending(const RowBlock& block, double& last_time) {
  long count = 0;
  for (; count < block.rows(); ++count) {
    const double time = block(count, 0);
    if (!(time >= last_time)) break;
    last_time = time;
  }
  return count;
}

/// All rows up to the first that is not there.
std::vector<RowBlock> read_blocks(const std::vector<Source>& sources, int width, long rows,
                                  std::uintmax_t file_size) {
  std::vector<RowBlock> blocks;
  const long piece = sources.front().piece > 0 ? sources.front().piece : kRowsAtOnce;
  double last_time = -std::numeric_limits<double>::infinity();
  try {
    for (long row = 0; row < rows; row += piece) {
      for (const Source& source : sources) {
        if (!is_stored(source, row, file_size)) return blocks;
      }
      RowBlock block(std::min(piece, rows - row), width);
      for (const Source& source : sources) read_block(source, row, block);
      const long good = ascending(block, last_time);
      blocks.push_back(block.topRows(good));
      if (good < block.rows()) break;
    }
  } catch (const hdf5::Failure&) {
    // what was read before the damage is worth having; the caller counts it
  }
  return blocks;
}

void read_rows(const std::vector<Source>& sources, ResultTable& table) {
  long rows = sources.front().rows;
  for (const Source& source : sources) rows = std::min(rows, source.rows);
  const auto width = static_cast<int>(table.columns.size());
  const std::vector<RowBlock> blocks =
      read_blocks(sources, width, rows, std::filesystem::file_size(table.path));
  Eigen::Index count = 0;
  for (const RowBlock& block : blocks) count += block.rows();
  if (count == 0) throw IoError("'" + table.path + "' holds no complete row");
  table.values.resize(count, width);
  Eigen::Index row = 0;
  for (const RowBlock& block : blocks) {
    table.values.middleRows(row, block.rows()) = block;
    row += block.rows();
  }
  if (count < rows) {
    table.warnings.push_back(
        fmt::format("'{}' is damaged or cut off; the first {} of its {} rows can be read",
                    table.path, count, rows));
  }
}

Json read_inputs(hid_t file) {
  Json files = Json::array();
  Json overrides = Json::array();
  const Handle group(H5Gopen2(file, "/meta/inputs", H5P_DEFAULT), &H5Gclose);
  for (const std::string& name : hdf5::dataset_paths(group)) {
    const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), &H5Dclose);
    const auto path = hdf5::read_text_attribute(dataset, "path");
    files.push_back(
        {{"path", path.value_or(name)}, {"text", hdf5::read_text(group, name).value_or("")}});
  }
  const auto keys = hdf5::read_list_attribute(group, "override_keys");
  const auto values = hdf5::read_list_attribute(group, "override_values");
  for (std::size_t i = 0; keys && values && i < std::min(keys->size(), values->size()); ++i) {
    overrides.push_back({{"key", (*keys)[i]}, {"value", (*values)[i]}});
  }
  return {{"files", std::move(files)}, {"overrides", std::move(overrides)}};
}

/// The record was written last, so it is what a file that is cut off lacks first.
Json read_record_text(hid_t file, ResultTable& table) {
  try {
    Json json = Json::parse(hdf5::read_text(file, "/meta/record").value_or(""), nullptr, false);
    if (json.is_object()) return json;
  } catch (const hdf5::Failure&) {
    // told below
  }
  table.warnings.push_back("the record in '" + table.path +
                           "' is damaged: how its run ended is not known");
  return {{"format", "spacedyn-result/1"}};
}

void read_record(hid_t file, ResultTable& table) {
  Json json = read_record_text(file, table);
  take_circumstances(metadata_path(table.path), json);
  json["columns"] = columns_json(table.columns);
  try {
    json["inputs"] = read_inputs(file);
  } catch (const hdf5::Failure&) {
    table.warnings.push_back("the inputs in '" + table.path + "' are damaged");
  }
  take_run_facts(json, table);
  table.metadata = to_text(json) + '\n';
}

Handle open(const std::string& path) {
  try {
    return hdf5::open_file(path, hdf5::Access::read);
  } catch (const hdf5::Failure&) {
    // still growing, or its writer was killed
  }
  try {
    return hdf5::open_file(path, hdf5::Access::read_growing);
  } catch (const hdf5::Failure&) {
    // cut off, or no such file at all
  }
  try {
    return hdf5::open_cut_off(path);
  } catch (const hdf5::Failure& failure) {
    if (!hdf5::is_hdf5(path)) throw IoError("'" + path + "' is not an HDF5 file");
    throw IoError("'" + path +
                  "' cannot be opened, nothing in it can be recovered: " + failure.what());
  }
}

}  // namespace

bool Hdf5ResultReader::accepts(const std::string& path) const {
  return std::filesystem::path(path).extension() == ".h5";
}

ResultTable Hdf5ResultReader::read(const std::string& path) const {
  const hdf5::Silence silence;
  ResultTable table;
  table.path = path;
  const Handle file = open(path);
  try {
    const auto format = hdf5::read_text_attribute(file, "format");
    if (!format) {
      throw IoError("'" + path + "' is an HDF5 file, but no result of spacedyn: it has no text " +
                    "'format'");
    }
    check_format(*format, path);
    const std::vector<Source> sources = find_sources(file, table.columns);
    read_rows(sources, table);
    read_record(file, table);
  } catch (const hdf5::Failure& failure) {
    throw IoError("'" + path + "' is damaged, nothing in it can be recovered: " + failure.what());
  }
  return table;
}

}  // namespace spacedyn
