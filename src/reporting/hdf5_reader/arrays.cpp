#include "reporting/hdf5_reader/reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace spacedyn::hdf5 {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxObjects = 65536;
constexpr std::size_t kMaxName = 1024;

struct Entry {
  std::string name;
  H5L_type_t type = H5L_TYPE_ERROR;
  haddr_t address = HADDR_UNDEF;
};

herr_t collect(hid_t /*group*/, const char* name, const H5L_info_t* info, void* data) {
  auto& entries = *static_cast<std::vector<Entry>*>(data);
  if (entries.size() >= kMaxObjects) return -1;
  const bool is_hard = info->type == H5L_TYPE_HARD;
  entries.push_back({name, info->type, is_hard ? info->u.address : HADDR_UNDEF});
  return 0;
}

class Walk {
 public:
  explicit Walk(std::vector<std::string>& paths) : paths_(paths) {}

  void group(hid_t group, const std::string& path, int depth) {
    if (depth > kMaxDepth)
      throw Failure("its groups lie more than 16 deep, unlike those of results");
    std::vector<Entry> entries;
    hsize_t next = 0;
    const herr_t status = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &next, &collect, &entries);
    if (entries.size() >= kMaxObjects) throw_too_many();
    check(status);
    for (const Entry& entry : entries) visit(group, path, entry, depth);
  }

 private:
  [[noreturn]] static void throw_too_many() {
    throw Failure("it holds more than 65536 objects, unlike results");
  }

  void visit(hid_t parent, const std::string& path, const Entry& entry, int depth) {
    const std::string whole = path + entry.name;
    if (entry.name.size() > kMaxName) throw Failure("a name in it is longer than 1024 bytes");
    if (entry.type != H5L_TYPE_HARD) {
      throw Failure("'/" + whole + "' is a link to another place or file; results hold none, and " +
                    "such links are not followed");
    }
    if (!seen_.insert(entry.address).second) {
      throw Failure("'/" + whole + "' is linked from more than one place, unlike in results");
    }
    if (seen_.size() > kMaxObjects) throw_too_many();
    const Handle object(H5Oopen(parent, entry.name.c_str(), H5P_DEFAULT), &H5Oclose);
    const H5I_type_t type = H5Iget_type(object);
    if (type == H5I_GROUP) group(object, whole + '/', depth + 1);
    if (type == H5I_DATASET) paths_.push_back(whole);
  }

  std::vector<std::string>& paths_;
  std::set<haddr_t> seen_;
};

void check_filters(hid_t properties, const std::string& path) {
  const int count = check(H5Pget_nfilters(properties));
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = check(H5Pget_filter2(properties, static_cast<unsigned>(i), &flags,
                                                     &values, nullptr, 0, nullptr, nullptr));
    if (filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
        filter == H5Z_FILTER_FLETCHER32) {
      continue;
    }
    throw Failure("'/" + path + "' is packed by the filter " + std::to_string(filter) +
                  "; gzip, shuffle and fletcher32 can be read");
  }
}

void check_storage(hid_t dataset, const std::string& path) {
  const Handle properties(H5Dget_create_plist(dataset), &H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_VIRTUAL || check(H5Pget_external_count(properties)) > 0) {
    throw Failure("the numbers of '/" + path +
                  "' are said to be in another file, which is not read");
  }
  if (layout != H5D_CHUNKED) return;
  check_filters(properties, path);
}

constexpr hsize_t kMaxWidth = 100000;
constexpr hsize_t kMaxRows = std::numeric_limits<int>::max();
constexpr const char* kRowTexts = "message";
constexpr hsize_t kMaxPieces = hsize_t{256} * 1024 * 1024;  // bytes at once

using Shape = std::array<hsize_t, 2>;

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw Failure("'/" + path + "' " + problem);
}

/// Rows and columns. @return false if the dataset has another rank
bool read_shape(hid_t dataset, Shape& shape, bool& is_list) {
  const Handle space(H5Dget_space(dataset), &H5Sclose);
  const int rank = check(H5Sget_simple_extent_ndims(space));
  if (rank != 1 && rank != 2) return false;
  shape = {0, 1};
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr));
  is_list = rank == 1;
  return true;
}

/// Rows that are stored together and the bytes of all pieces that hold such rows.
std::pair<long, hsize_t> pieces_of(hid_t dataset, const std::string& path, const Shape& shape,
                                   bool is_list) {
  const Handle properties(H5Dget_create_plist(dataset), &H5Pclose);
  if (H5Pget_layout(properties) != H5D_CHUNKED) return {0, 0};
  Shape piece{1, 1};
  check(H5Pget_chunk(properties, is_list ? 1 : 2, piece.data()));
  const Handle type(H5Dget_type(dataset), &H5Tclose);
  const hsize_t size = H5Tget_size(type);
  const hsize_t across = (shape[1] + piece[1] - 1) / std::max<hsize_t>(piece[1], 1);
  // each factor is below 2³², so the first product cannot overflow
  const hsize_t most = kMaxPieces / std::max<hsize_t>(size * across, 1);
  if (piece[0] > most || piece[1] > most / std::max<hsize_t>(piece[0], 1)) {
    fail(path, "is stored in pieces of more than 256 MiB, which are not read");
  }
  return {static_cast<long>(piece[0]), piece[0] * piece[1] * across * size};
}

void check_type(hid_t dataset, const std::string& path) {
  const Handle type(H5Dget_type(dataset), &H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Tget_size(type) > sizeof(double)) {
    fail(path, "does not hold numbers of at most 64 bits");
  }
}

/// Takes an array into the list if it is one of ours.
void add_array(hid_t file, const std::string& path, Arrays& arrays, hsize_t& bytes) {
  Array array;
  array.path = path;
  array.dataset = open_dataset(file, path);
  const auto names = read_list_attribute(array.dataset, "columns");
  const auto units = read_list_attribute(array.dataset, "units");
  const auto first = read_number_attribute(array.dataset, "first_column");
  if (!names || !units || !first) {
    arrays.ignored.push_back(path);
    return;
  }
  Shape shape{};
  if (!read_shape(array.dataset, shape, array.is_list)) fail(path, "has a wrong shape");
  if (names->empty() || names->size() != shape[1] || units->size() != names->size() ||
      shape[1] > kMaxWidth) {
    fail(path, "has another number of columns than names");
  }
  check_type(array.dataset, path);
  const auto [piece, cache] = pieces_of(array.dataset, path, shape, array.is_list);
  bytes += cache;
  if (bytes > kMaxPieces) {
    throw Failure("its arrays are stored in pieces of more than 256 MiB, which are not read");
  }
  array.dataset = open_dataset(file, path, cache);
  array.piece = piece;
  array.names = *names;
  array.units = *units;
  array.first = *first;
  array.rows = static_cast<long>(std::min(shape[0], kMaxRows));
  array.frame = read_text_attribute(array.dataset, "frame").value_or("");
  arrays.list.push_back(std::move(array));
}

/// Whether no number of an array has ever been written where a row lies.
bool is_missing(const Array& array, long row) {
  if (array.piece == 0) return false;
  const std::array<hsize_t, 2> offset{static_cast<hsize_t>(row / array.piece * array.piece), 0};
  unsigned filters = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  check(H5Dget_chunk_info_by_coord(array.dataset, offset.data(), &filters, &address, &size));
  return address == HADDR_UNDEF;
}

}  // namespace

std::vector<std::string> dataset_paths(hid_t file) {
  std::vector<std::string> paths;
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), &H5Gclose);
  Walk(paths).group(root, "", 0);
  return paths;
}

Handle open_dataset(hid_t file, const std::string& path, std::size_t cache) {
  constexpr std::size_t kSlots = 521;
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose);
  check(H5Pset_chunk_cache(access, kSlots, cache, 1.0));
  Handle dataset(H5Dopen2(file, path.c_str(), access), &H5Dclose);
  check_storage(dataset, path);
  return dataset;
}

Arrays find_arrays(hid_t file, const std::vector<std::string>& paths) {
  Arrays arrays;
  hsize_t bytes = 0;
  for (const std::string& path : paths) {
    const bool is_row = path.rfind("meta/", 0) != 0 && path != "modes/frequency";
    if (path == kRowTexts) {
      arrays.texts = open_dataset(file, path);
    } else if (is_row) {
      add_array(file, path, arrays, bytes);
    }
  }
  std::stable_sort(arrays.list.begin(), arrays.list.end(),
                   [](const Array& a, const Array& b) { return a.first < b.first; });
  const bool has_list = !arrays.list.empty() && arrays.list.front().is_list;
  const std::string first = has_list ? arrays.list.front().names.front() : "";
  if (first != "time_s" && first != "run") throw Failure("there is no time");
  arrays.rows = arrays.list.front().rows;
  for (Array& array : arrays.list) {
    array.first = arrays.width;
    arrays.width += array.width();
    arrays.rows = std::min(arrays.rows, array.rows);
    if (arrays.width > static_cast<int>(kMaxWidth))
      throw Failure("it has more than 100000 columns");
  }
  return arrays;
}

void read_rows(const Arrays& arrays, long first, long count, std::vector<double>& numbers) {
  static std::vector<double> part;
  const auto width = static_cast<std::size_t>(arrays.width);
  numbers.resize(static_cast<std::size_t>(count) * width);
  for (const Array& array : arrays.list) {
    const auto columns = static_cast<std::size_t>(array.width());
    part.resize(static_cast<std::size_t>(count) * columns);
    const std::array<hsize_t, 2> start{static_cast<hsize_t>(first), 0};
    const std::array<hsize_t, 2> size{static_cast<hsize_t>(count), columns};
    const Handle space(H5Dget_space(array.dataset), &H5Sclose);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
    const Handle memory(H5Screate_simple(array.is_list ? 1 : 2, size.data(), nullptr), &H5Sclose);
    check(H5Dread(array.dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, part.data()));
    // the value of what was never written is no number, either
    const bool is_empty =
        std::all_of(part.begin(), part.end(), [](double x) { return std::isnan(x); });
    if (is_empty && is_missing(array, first)) throw Failure("'/" + array.path + "' ends early");
    for (std::size_t row = 0; row < static_cast<std::size_t>(count); ++row) {
      std::copy_n(part.data() + row * columns, columns,
                  numbers.data() + row * width + static_cast<std::size_t>(array.first));
    }
  }
}

long ascending_rows(const Arrays& arrays, const std::vector<double>& numbers, double& last_time) {
  const auto width = static_cast<std::size_t>(arrays.width);
  long count = 0;
  for (std::size_t at = 0; at < numbers.size(); at += width, ++count) {
    if (!(numbers[at] >= last_time)) break;
    last_time = numbers[at];
  }
  return count;
}

}  // namespace spacedyn::hdf5
