#include "reporting/results/mat_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "recording/column_names.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

// data types and array classes of the format
enum MatType : std::uint32_t {
  kInt8 = 1,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kDouble = 9,
  kMatrix = 14
};
enum MatClass : int { kCell = 1, kStruct = 2, kChar = 4, kDoubleArray = 6 };

constexpr std::size_t kNameSize = 64;  // of a field, with its final zero
constexpr std::size_t kHeaderText = 116;

void append_uint32(std::string& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(number >> shift & 0xFFU);
  }
}

/// Type, size, data, and zeros up to the next multiple of eight.
MatBytes tagged(MatType type, const MatBytes& data) {
  const std::uint64_t size = data.size();
  if (size > kMaxMatBytes) throw_too_large();
  MatBytes piece;
  append_uint32(piece.bytes, type);
  append_uint32(piece.bytes, static_cast<std::uint32_t>(size));
  piece.append(data);
  piece.bytes.append((8 - size % 8) % 8, '\0');
  return piece;
}

MatBytes tagged(MatType type, std::string data) {
  return tagged(type, MatBytes{std::move(data), {}});
}

std::string int32_list(const std::vector<int>& numbers) {
  std::string bytes;
  for (const int number : numbers) append_uint32(bytes, static_cast<std::uint32_t>(number));
  return bytes;
}

/// IEEE 754, the least significant byte first, as the header announces.
std::string double_list(const std::vector<double>& numbers) {
  std::string bytes(numbers.size() * sizeof(double), '\0');
  static_assert(sizeof(double) == 8 && std::numeric_limits<double>::is_iec559);
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// Bytes that follow the first one of a UTF-8 sequence.
int continuation_bytes(unsigned char first) {
  if (first >= 0xF0U) return 3;
  if (first >= 0xE0U) return 2;
  return first >= 0xC0U ? 1 : 0;
}

/// UTF-16; bytes that are no UTF-8 stand for themselves.
std::vector<std::uint16_t> utf16(const std::string& text) {
  std::vector<std::uint16_t> units;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int more = continuation_bytes(first);
    const bool is_whole = more > 0 && i + static_cast<std::size_t>(more) < text.size();
    std::uint32_t code = is_whole ? first & (0x3FU >> more) : first;
    for (int k = 0; is_whole && k < more; ++k) {
      code = code << 6U | (static_cast<unsigned char>(text[++i]) & 0x3FU);
    }
    if (code < 0x10000U) {
      units.push_back(static_cast<std::uint16_t>(code));
    } else {
      units.push_back(static_cast<std::uint16_t>(0xD800U + ((code - 0x10000U) >> 10U)));
      units.push_back(static_cast<std::uint16_t>(0xDC00U + ((code - 0x10000U) & 0x3FFU)));
    }
  }
  return units;
}

std::string uint16_list(const std::vector<std::uint16_t>& units) {
  std::string bytes;
  for (const std::uint16_t unit : units) {
    bytes += static_cast<char>(unit & 0xFFU);
    bytes += static_cast<char>(unit >> 8U);
  }
  return bytes;
}

}  // namespace

void throw_too_large() {
  throw IoError("a MAT file of version 5 holds at most 2 GiB; MATLAB reads HDF5 with h5read");
}

std::uint64_t MatBytes::size() const {
  std::uint64_t size = bytes.size();
  for (const Gap& gap : gaps) size += gap.size;
  return size;
}

void MatBytes::append(const MatBytes& other) {
  for (Gap gap : other.gaps) {
    gap.at += bytes.size();
    gaps.push_back(gap);
  }
  bytes += other.bytes;
}

std::string mat_name(const std::string& name) {
  std::string field = sanitize(name).substr(0, kNameSize - 1);
  // MATLAB knows letters of ASCII alone
  std::replace_if(
      field.begin(), field.end(), [](unsigned char c) { return c >= 0x80; }, '_');
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool starts_well = !field.empty() && is_letter(field[0]);
  if (!starts_well) field = ("x" + field).substr(0, kNameSize - 1);
  return field;
}

MatValue MatValue::array(std::vector<double> numbers, std::vector<int> shape) {
  MatValue value;
  value.kind_ = Kind::numbers;
  value.numbers_ = std::move(numbers);
  value.shape_ = std::move(shape);
  return value;
}

MatValue MatValue::matrix(const MatrixX& matrix) {
  return array({matrix.data(), matrix.data() + matrix.size()},
               {static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols())});
}

MatValue MatValue::gap(int number, std::vector<int> shape) {
  MatValue value;
  value.kind_ = Kind::gap;
  value.gap_ = number;
  value.shape_ = std::move(shape);
  return value;
}

MatValue MatValue::text(std::string utf8) {
  MatValue value;
  value.kind_ = Kind::text;
  value.texts_.push_back(std::move(utf8));
  return value;
}

MatValue MatValue::texts(std::vector<std::string> list) {
  MatValue value;
  value.kind_ = Kind::texts;
  value.texts_ = std::move(list);
  return value;
}

MatValue& MatValue::field(const std::string& name) {
  const std::string wanted = mat_name(name);
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const auto& field) { return field.first == wanted; });
  if (found != fields_.end()) return found->second;
  return fields_.emplace_back(wanted, MatValue()).second;
}

int MatValue::array_class() const {
  switch (kind_) {
    case Kind::structure:
      return kStruct;
    case Kind::numbers:
    case Kind::gap:
      return kDoubleArray;
    case Kind::text:
      return kChar;
    case Kind::texts:
      return kCell;
  }
  return kStruct;
}

std::vector<int> MatValue::shape() const {
  if (kind_ == Kind::text) return {1, static_cast<int>(utf16(texts_.front()).size())};
  if (kind_ == Kind::texts) return {1, static_cast<int>(texts_.size())};
  return shape_;
}

MatBytes MatValue::body() const {
  MatBytes piece;
  switch (kind_) {
    case Kind::numbers:
      return tagged(kDouble, double_list(numbers_));
    case Kind::gap: {
      std::uint64_t size = sizeof(double);
      for (const int length : shape_) size *= static_cast<std::uint64_t>(length);
      return tagged(kDouble, MatBytes{{}, {{0, size, gap_}}});
    }
    case Kind::text:
      return tagged(kUint16, uint16_list(utf16(texts_.front())));
    case Kind::texts:
      for (const std::string& item : texts_) piece.append(text(item).element(""));
      return piece;
    case Kind::structure:
      break;
  }
  // the length of names in the short form: size and type share four bytes
  append_uint32(piece.bytes, 4U << 16U | kInt32);
  append_uint32(piece.bytes, kNameSize);
  std::string names;
  for (const auto& field : fields_) {
    std::string name = field.first;
    name.resize(kNameSize, '\0');
    names += name;
  }
  piece.append(tagged(kInt8, std::move(names)));
  for (const auto& field : fields_) piece.append(field.second.element(""));
  return piece;
}

MatBytes MatValue::element(const std::string& name) const {
  std::string flags;
  append_uint32(flags, static_cast<std::uint32_t>(array_class()));
  append_uint32(flags, 0);
  MatBytes piece = tagged(kUint32, std::move(flags));
  piece.append(tagged(kInt32, int32_list(shape())));
  piece.append(tagged(kInt8, name));
  piece.append(body());
  return tagged(kMatrix, piece);
}

MatBytes mat_bytes(const std::string& name, const MatValue& value) {
  std::string header = "MATLAB 5.0 MAT-file, written by spacedyn";
  header.resize(kHeaderText, ' ');
  header.append(8, '\0');  // no data of subsystems
  header += std::string("\x00\x01IM", 4);
  MatBytes whole{std::move(header), {}};
  whole.append(value.element(mat_name(name)));
  return whole;
}

std::string mat_file(const std::string& name, const MatValue& value) {
  return mat_bytes(name, value).bytes;
}

}  // namespace spacedyn
