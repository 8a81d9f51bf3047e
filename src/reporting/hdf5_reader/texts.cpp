#include "reporting/hdf5_reader/reader.hpp"

#include <algorithm>
#include <cstring>

namespace spacedyn::hdf5 {
namespace {

constexpr hssize_t kMaxTexts = 1000000;
constexpr std::size_t kMaxTextSize = std::size_t{32} * 1024 * 1024;
constexpr std::size_t kMaxRowText = 4096;

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
  Texts(hid_t type, hid_t space, std::size_t count)
      : type_(type), space_(space), texts_(count, nullptr) {}
  ~Texts() { H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, texts_.data()); }
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  void* place() { return texts_.data(); }
  std::vector<std::string> copy() const {
    std::vector<std::string> copies;
    for (const char* text : texts_) {
      const std::size_t size = text == nullptr ? 0 : std::strlen(text);
      if (size > kMaxTextSize) throw Failure("a text in it is longer than 32 MiB");
      copies.emplace_back(text == nullptr ? "" : text, size);
    }
    return copies;
  }

 private:
  hid_t type_, space_;
  std::vector<char*> texts_;
};

}  // namespace

std::optional<std::vector<std::string>> read_list_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  if (!attribute.is_open()) return std::nullopt;
  const Handle type(H5Aget_type(attribute), &H5Tclose);
  const Handle space(H5Aget_space(attribute), &H5Sclose);
  const hssize_t count = check(H5Sget_simple_extent_npoints(space));
  if (!is_variable_text(type) || count > kMaxTexts) return std::nullopt;
  Texts texts(type, space, static_cast<std::size_t>(count));
  check(H5Aread(attribute, type, texts.place()));
  return texts.copy();
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

std::optional<std::string> read_text(hid_t file, const std::string& path) {
  const Handle dataset = open_dataset(file, path);
  const Handle type(H5Dget_type(dataset), &H5Tclose);
  const Handle space(H5Dget_space(dataset), &H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) {
    return std::nullopt;
  }
  if (is_variable_text(type)) {
    Texts texts(type, space, 1);
    check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.place()));
    return texts.copy().front();
  }
  if (H5Tget_size(type) > kMaxTextSize) throw Failure("a text in it is longer than 32 MiB");
  std::string text(H5Tget_size(type), '\0');
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  text.resize(text.find_last_not_of('\0') + 1);  // npos + 1 is 0
  return text;
}

std::vector<std::string> read_row_texts(hid_t dataset, long first, long count) {
  const Handle type(H5Dget_type(dataset), &H5Tclose);
  const std::size_t size = H5Tget_size(type);
  const bool is_fixed = H5Tget_class(type) == H5T_STRING && !is_variable_text(type);
  const Handle space(H5Dget_space(dataset), &H5Sclose);
  hsize_t rows = 0;
  if (!is_fixed || size == 0 || size > kMaxRowText || H5Sget_simple_extent_ndims(space) != 1 ||
      H5Sget_simple_extent_dims(space, &rows, nullptr) != 1) {
    throw Failure("the texts of its rows are no list of texts");
  }
  const auto begin = static_cast<hsize_t>(first);
  std::vector<std::string> texts;
  if (begin >= rows) return texts;
  const hsize_t present = std::min(static_cast<hsize_t>(count), rows - begin);
  std::string bytes(size * present, '\0');
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, nullptr, &present, nullptr));
  const Handle memory(H5Screate_simple(1, &present, nullptr), &H5Sclose);
  check(H5Dread(dataset, type, memory, space, H5P_DEFAULT, bytes.data()));
  for (hsize_t row = 0; row < present; ++row) {
    const std::string text = bytes.substr(size * row, size);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

}  // namespace spacedyn::hdf5
