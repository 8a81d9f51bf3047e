#include "reporting/results/hdf5.hpp"

#include <algorithm>

namespace spacedyn::hdf5 {
namespace {

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
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, size));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

/// Before any other function of HDF5: files that a full disk has kept from being closed must not be
/// closed again at the end of the program, for HDF5 crashes there.
void prepare() {
#ifndef SPACEDYN_HDF5_LINKED
  load_hdf5();
#endif
  static const herr_t once = H5dont_atexit();
  static_cast<void>(once);
}

/// Held by the thread that uses HDF5.
std::recursive_mutex& user() {
  static std::recursive_mutex mutex;
  return mutex;
}

/// Properties of an object that does not remember when it was made.
Handle timeless(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  check(H5Pset_obj_track_times(properties, 0));
  return properties;
}

/// The last part of a path, unlike all names before it.
std::string text_name(const std::string& path, std::vector<std::string>& taken) {
  const std::string base = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  const std::string first = base.empty() || base == "." ? "input" : base;
  std::string name = first;
  for (int number = 2; std::count(taken.begin(), taken.end(), name) > 0; ++number) {
    name = std::to_string(number) + '_' + first;
  }
  taken.push_back(name);
  return name;
}

}  // namespace

Silence::Silence() : only_(user()) {
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
  const Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // a file system without locks is no reason to refuse it
  check(H5Pset_file_locking(properties, 1, 1));
  check(H5Pset_libver_bounds(properties, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  if (access == Access::update) {
    return {H5Fopen(path.c_str(), H5F_ACC_RDWR, properties), H5Fclose};
  }
  return {H5Fcreate(path.c_str(), H5F_ACC_EXCL, timeless(H5P_FILE_CREATE), properties), H5Fclose};
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type(H5T_VARIABLE);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* pointer = text.c_str();
  check(H5Awrite(attribute, type, &pointer));
}

void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts) {
  const Handle type = text_type(H5T_VARIABLE);
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  check(H5Awrite(attribute, type, pointers.data()));
}

void write_attribute(hid_t object, const char* name, int number) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_INT, &number));
}

Handle link_properties(const std::string& name) {
  Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  const bool is_ascii =
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x80; });
  if (!is_ascii) check(H5Pset_char_encoding(properties, H5T_CSET_UTF8));
  return properties;
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  const Handle type = text_type(std::max<std::size_t>(text.size(), 1));
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, space, link_properties(name),
                                  timeless(H5P_DATASET_CREATE), H5P_DEFAULT),
                       H5Dclose);
  const std::string padded = text.empty() ? std::string(1, '\0') : text;
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()));
}

Handle group(hid_t file, const std::string& path) {
  if (path.empty() || path == "/") return {H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose};
  const std::size_t cut = path.rfind('/');
  const bool is_top = cut == std::string::npos;
  const Handle parent = group(file, is_top ? "" : path.substr(0, cut));
  const std::string name = is_top ? path : path.substr(cut + 1);
  if (check(H5Lexists(parent, name.c_str(), H5P_DEFAULT)) > 0) {
    return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose};
  }
  return {H5Gcreate2(parent, name.c_str(), link_properties(name), timeless(H5P_GROUP_CREATE),
                     H5P_DEFAULT),
          H5Gclose};
}

void write_inputs(hid_t file, const std::vector<std::pair<std::string, std::string>>& files,
                  const std::vector<std::pair<std::string, std::string>>& overrides) {
  const Handle inputs = group(file, "/meta/inputs");
  std::vector<std::string> taken;
  for (const auto& [path, text] : files) {
    const std::string name = text_name(path, taken);
    write_text(inputs, name, text);
    const Handle dataset(H5Dopen2(inputs, name.c_str(), H5P_DEFAULT), H5Dclose);
    write_attribute(dataset, "path", path);
  }
  if (overrides.empty()) return;
  std::vector<std::string> keys, values;
  for (const auto& [key, value] : overrides) {
    keys.push_back(key);
    values.push_back(value);
  }
  write_attribute(inputs, "override_keys", keys);
  write_attribute(inputs, "override_values", values);
}

}  // namespace spacedyn::hdf5
