/// @file
/// What the process that reads HDF5 files says to the library, over a pipe. Private.
///
/// Each message is a head and as many bytes as it announces. The library takes nothing on trust: a
/// damaged file may have made the process say anything.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace spacedyn::hdf5 {

enum class MessageKind : std::uint32_t {
  format = 1,  ///< the text
  ignored,     ///< path of an array that is not one of ours
  array,       ///< text path, text frame, number is_list, number width; a text name and unit each
  shape,       ///< number of rows
  record,      ///< the text
  input,       ///< text path, text
  overrides,   ///< number count; a text key and value each
  part_done,   ///< number of an optional part
  texts,       ///< of the rows that come next: a number and a text for each that has one
  rows,        ///< numbers of whole rows, one row behind the other
  cut,         ///< the text: why there are no more rows
  failure,     ///< the text: why there is nothing at all
  end
};

/// Parts that are left out where the library of HDF5 fails on them.
inline constexpr std::uint64_t kRecordPart = 0, kInputsPart = 1, kParts = 2;

struct MessageHead {
  std::uint32_t kind = 0;
  std::uint32_t unused = 0;
  std::uint64_t size = 0;  ///< bytes that follow
};

/// Bytes of a message that holds more than one thing.
class MessageWriter {
 public:
  MessageWriter& number(std::uint64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  MessageWriter& text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Takes such a message apart.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

  /// @throws std::runtime_error if there is nothing more to read, as text() and finish() do
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::string text() { return std::string(take(number())); }
  bool is_at_end() const { return rest_.empty(); }
  void finish() const {
    if (!is_at_end()) fail();
  }

 private:
  [[noreturn]] static void fail() { throw std::runtime_error("its reader gives no sense"); }
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) fail();
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }

  std::string_view rest_;
};

}  // namespace spacedyn::hdf5
