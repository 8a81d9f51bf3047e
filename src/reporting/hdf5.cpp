#include "reporting/hdf5.hpp"

#include <algorithm>

namespace spacedyn::hdf5 {
namespace {

constexpr hssize_t kMaxTexts = 1000000;
constexpr std::size_t kMaxTextSize = std::size_t{64} * 1024 * 1024;

/// A reason of the operating system is worth more than the name of the call that met it.
herr_t collect_reason(unsigned /*number*/, const H5E_error2_t* error, void* data) {
  auto& reason = *static_cast<std::string*>(data);
  const std::string text = error->desc == nullptr ? "" : error->desc;
  const std::string mark = "error message = '";
  const std::size_t begin = text.find(mark);
  if (begin != std::string::npos) {
    const std::size_t start = begin + mark.size();
    reason = text.substr(start, text.find('\'', start) - start);
    return 1;
  }
  if (reason.empty()) reason = text;
  return 0;
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
  check(H5Tset_size(type, size));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

bool is_variable_text(hid_t type) {
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

Handle open_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  return {H5Aopen(object, name, H5P_DEFAULT), &H5Aclose};
}

/// The memory that HDF5 allocates for texts of any length, given back at the end.
class Texts {
 public:
  Texts(hid_t attribute, hid_t type, hid_t space, std::size_t count)
      : type_(type), space_(space), texts_(count, nullptr) {
    check(H5Aread(attribute, type, texts_.data()));
  }
  ~Texts() { H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, texts_.data()); }
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  std::vector<std::string> copy() const {
    std::vector<std::string> copies;
    for (const char* text : texts_) copies.emplace_back(text == nullptr ? "" : text);
    return copies;
  }

 private:
  hid_t type_, space_;
  std::vector<char*> texts_;
};

/// Properties of an object that does not remember when it was made.
Handle timeless(hid_t kind) {
  Handle properties(H5Pcreate(kind), &H5Pclose);
  check(H5Pset_obj_track_times(properties, 0));
  return properties;
}

herr_t collect_dataset(hid_t /*object*/, const char* name, const H5O_info_t* info, void* data) {
  if (info->type == H5O_TYPE_DATASET) {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
  }
  return 0;
}

}  // namespace

void prepare() {
  static const herr_t once = H5dont_atexit();
  static_cast<void>(once);
}

Silence::Silence() {
  prepare();
  H5Eget_auto2(H5E_DEFAULT, &printer_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, printer_, data_); }

std::string last_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &collect_reason, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason.empty() ? "unknown reason" : reason;
}

Handle open_file(const std::string& path, Access access) {
  const Handle properties(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  // a file system without locks is no reason to refuse it
  check(H5Pset_file_locking(properties, 1, 1));
  if (access != Access::create && access != Access::update) {
    if (access == Access::read_abandoned) check(H5Pset_metadata_read_attempts(properties, 1));
    const unsigned flags = H5F_ACC_RDONLY | (access == Access::read ? 0U : H5F_ACC_SWMR_READ);
    return {H5Fopen(path.c_str(), flags, properties), &H5Fclose};
  }
  check(H5Pset_libver_bounds(properties, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  if (access == Access::update) {
    return {H5Fopen(path.c_str(), H5F_ACC_RDWR, properties), &H5Fclose};
  }
  return {H5Fcreate(path.c_str(), H5F_ACC_EXCL, timeless(H5P_FILE_CREATE), properties), &H5Fclose};
}

bool is_hdf5(const std::string& path) { return H5Fis_hdf5(path.c_str()) > 0; }

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type(H5T_VARIABLE);
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                         &H5Aclose);
  const char* pointer = text.c_str();
  check(H5Awrite(attribute, type, &pointer));
}

void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts) {
  const Handle type = text_type(H5T_VARIABLE);
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                         &H5Aclose);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  check(H5Awrite(attribute, type, pointers.data()));
}

void write_attribute(hid_t object, const char* name, int number) {
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  const Handle attribute(H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT),
                         &H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_INT, &number));
}

std::optional<std::vector<std::string>> read_list_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  if (!attribute.is_open()) return std::nullopt;
  const Handle type(H5Aget_type(attribute), &H5Tclose);
  const Handle space(H5Aget_space(attribute), &H5Sclose);
  const hssize_t count = check(H5Sget_simple_extent_npoints(space));
  if (!is_variable_text(type) || count > kMaxTexts) return std::nullopt;
  return Texts(attribute, type, space, static_cast<std::size_t>(count)).copy();
}

std::optional<std::string> read_text_attribute(hid_t object, const char* name) {
  const auto texts = read_list_attribute(object, name);
  if (!texts || texts->size() != 1) return std::nullopt;
  return texts->front();
}

std::optional<int> read_number_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  if (!attribute.is_open()) return std::nullopt;
  const Handle type(H5Aget_type(attribute), &H5Tclose);
  const Handle space(H5Aget_space(attribute), &H5Sclose);
  if (H5Tget_class(type) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 1) {
    return std::nullopt;
  }
  int number = 0;
  check(H5Aread(attribute, H5T_NATIVE_INT, &number));
  return number;
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  const Handle type = text_type(std::max<std::size_t>(text.size(), 1));
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT,
                                  timeless(H5P_DATASET_CREATE), H5P_DEFAULT),
                       &H5Dclose);
  const std::string padded = text.empty() ? std::string(1, '\0') : text;
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()));
}

std::optional<std::string> read_text(hid_t parent, const std::string& name) {
  if (H5Lexists(parent, name.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
  const Handle dataset(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), &H5Dclose);
  const Handle type(H5Dget_type(dataset), &H5Tclose);
  const Handle space(H5Dget_space(dataset), &H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Sget_simple_extent_npoints(space) != 1 || H5Tget_size(type) > kMaxTextSize) {
    return std::nullopt;
  }
  std::string text(H5Tget_size(type), '\0');
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  text.resize(text.find_last_not_of('\0') + 1);  // npos + 1 is 0
  return text;
}

Handle group(hid_t file, const std::string& path) {
  if (path.empty() || path == "/") return {H5Gopen2(file, "/", H5P_DEFAULT), &H5Gclose};
  const std::size_t cut = path.rfind('/');
  const bool is_top = cut == std::string::npos;
  const Handle parent = group(file, is_top ? "" : path.substr(0, cut));
  const std::string name = is_top ? path : path.substr(cut + 1);
  if (check(H5Lexists(parent, name.c_str(), H5P_DEFAULT)) > 0) {
    return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), &H5Gclose};
  }
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, timeless(H5P_GROUP_CREATE), H5P_DEFAULT),
          &H5Gclose};
}

std::vector<std::string> dataset_paths(hid_t object) {
  std::vector<std::string> paths;
  check(H5Ovisit2(object, H5_INDEX_NAME, H5_ITER_INC, &collect_dataset, &paths, H5O_INFO_BASIC));
  return paths;
}

}  // namespace spacedyn::hdf5
