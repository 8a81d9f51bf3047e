/// @file
/// The memory of a run as bytes: written and read by the same sequence of calls. Private.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Takes numbers, texts, vectors of them, dense matrices, and whatever has `transfer(Archive&)`.
///
/// Numbers are kept bit by bit, as this machine holds them: a checkpoint is not for other ones.
class Archive {
 public:
  /// Writes.
  Archive() = default;
  /// Reads. @param bytes  must outlive the archive
  explicit Archive(std::string_view bytes) : source_(bytes), reads_(true) {}

  bool reads() const { return reads_; }
  /// What has been written.
  const std::string& bytes() const { return bytes_; }
  /// What has not been read yet.
  std::size_t remaining() const { return source_.size(); }

  /// @throws IoError if there is nothing more to read
  template <typename... Values>
  void operator()(Values&... values) {
    (transfer(values), ...);
  }

  /// Values whose sizes the set-up decides. @throws IoError if those that are read differ
  template <typename... Values>
  void keep(Values&... values) {
    (keep_size(values), ...);
  }

  /// A number of things that have happened.
  void tally(long& number) {
    (*this)(number);
    require(number >= 0 && number < std::numeric_limits<long>::max() / 2);
  }

  /// A sum is right by intent, too: what has been read is only used if a run can have left it.
  /// @throws IoError
  void require(bool is_possible) const {
    if (reads_ && !is_possible) throw IoError("the checkpoint is damaged: no run has left it so");
  }

 private:
  template <typename Value>
  void keep_size(Value& value) {
    constexpr bool kIsMatrix = std::is_base_of_v<Eigen::EigenBase<Value>, Value>;
    if constexpr (kIsMatrix || std::is_same_v<Value, std::vector<bool>>) {
      const auto size = value.size();
      transfer(value);
      require(value.size() == size);
    } else {
      transfer(value);
    }
  }

  template <typename Value, typename = std::enable_if_t<!std::is_same_v<Value, bool>>>
  void keep_size(std::vector<Value>& values) {
    for (Value& value : values) keep_size(value);
  }

  template <typename Value>
  void transfer(Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      char flag = value ? 1 : 0;
      raw(&flag, 1);
      value = flag != 0;
    } else if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>) {
      raw(&value, sizeof(Value));
    } else if constexpr (std::is_base_of_v<Eigen::EigenBase<Value>, Value>) {
      matrix(value);
    } else {
      value.transfer(*this);
    }
  }

  void transfer(std::string& text) {
    text.resize(count(text.size(), 1));
    raw(text.data(), text.size());
  }

  void transfer(std::vector<bool>& flags) {
    flags.resize(count(flags.size(), 1));
    for (std::size_t i = 0; i < flags.size(); ++i) {
      bool flag = flags[i];
      transfer(flag);
      flags[i] = flag;
    }
  }

  template <typename Value>
  void transfer(std::vector<Value>& values) {
    values.resize(count(values.size(), 1));
    for (Value& value : values) transfer(value);
  }

  template <typename Matrix>
  void matrix(Matrix& matrix) {
    Eigen::Index rows = matrix.rows(), columns = matrix.cols();
    raw(&rows, sizeof(rows));
    raw(&columns, sizeof(columns));
    const auto most = static_cast<Eigen::Index>(remaining() / sizeof(double));
    const bool fits =
        rows >= 0 && columns >= 0 && rows <= most && (columns == 0 || rows <= most / columns);
    if (reads_ && !fits) fail();
    if (reads_ && !resizes(matrix, rows, columns)) fail();
    raw(matrix.data(), sizeof(double) * static_cast<std::size_t>(matrix.size()));
  }

  template <typename Matrix>
  static bool resizes(Matrix& matrix, Eigen::Index rows, Eigen::Index columns) {
    const auto allows = [](Eigen::Index size, Eigen::Index fixed) {
      return fixed == Eigen::Dynamic || size == fixed;
    };
    if constexpr (Matrix::SizeAtCompileTime == Eigen::Dynamic) {
      if (allows(rows, Matrix::RowsAtCompileTime) && allows(columns, Matrix::ColsAtCompileTime)) {
        matrix.resize(rows, columns);
      }
    }
    return matrix.rows() == rows && matrix.cols() == columns;
  }

  std::size_t count(std::size_t size, std::size_t least_bytes) {
    raw(&size, sizeof(size));
    if (reads_ && size > remaining() / least_bytes) fail();
    return size;
  }

  void raw(void* data, std::size_t size) {
    if (!reads_) {
      bytes_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > remaining()) fail();
    if (size > 0) std::memcpy(data, source_.data(), size);
    source_.remove_prefix(size);
  }

  [[noreturn]] static void fail() { throw IoError("the checkpoint is damaged: it ends too early"); }

  std::string bytes_;
  std::string_view source_;
  bool reads_ = false;
};

/// FNV-1a over 64 bits.
/// @param sum  of the bytes before these
inline std::uint64_t checksum(std::string_view bytes, std::uint64_t sum = 14695981039346656037ULL) {
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return sum;
}

}  // namespace spacedyn
