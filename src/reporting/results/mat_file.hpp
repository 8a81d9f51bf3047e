/// @file
/// Files of MATLAB, level 5. Private.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/math/types.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// A piece of a file in which stretches of numbers are still to be filled in.
struct MatBytes {
  struct Gap {
    std::size_t at = 0;      ///< in `bytes`, which the gap cuts in two
    std::uint64_t size = 0;  ///< bytes
    int number = 0;          ///< by which it was asked for
  };
  std::string bytes;
  std::vector<Gap> gaps;

  std::uint64_t size() const;
  void append(const MatBytes& other);
};

/// A value of MATLAB: numbers in an array of any shape, a text, a list of texts, or named values.
class MatValue {
 public:
  /// An empty struct.
  MatValue() = default;
  /// @param numbers  the first index runs fastest; as many as the shape has elements
  static MatValue array(std::vector<double> numbers, std::vector<int> shape);
  static MatValue matrix(const MatrixX& matrix);
  /// Numbers that are filled in when the rest has been written.
  static MatValue gap(int number, std::vector<int> shape);
  static MatValue text(std::string utf8);
  static MatValue texts(std::vector<std::string> list);

  /// The field of a struct with a name near to the wanted one that MATLAB accepts; created, as a
  /// struct, if it is missing.
  MatValue& field(const std::string& name);

  /// As an element of a file. @throws IoError if it has more bytes than such a file can hold
  MatBytes element(const std::string& name) const;

 private:
  enum class Kind { structure, numbers, gap, text, texts };
  MatBytes body() const;
  int array_class() const;
  std::vector<int> shape() const;

  Kind kind_ = Kind::structure;
  int gap_ = 0;
  std::vector<int> shape_{1, 1};
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::pair<std::string, MatValue>> fields_;
};

/// What such a file can hold at most.
inline constexpr std::uint64_t kMaxMatBytes = 0x7FFFFFFF;
/// @throws IoError
[[noreturn]] void throw_too_large();

/// A whole file with one variable; equal values give equal bytes.
/// @pre no gaps
std::string mat_file(const std::string& name, const MatValue& value);

/// The same with gaps.
MatBytes mat_bytes(const std::string& name, const MatValue& value);

/// A name of a field: a letter, then letters, digits and `_`, at most 63.
std::string mat_name(const std::string& name);

/// Writes the rest of a stream as a new file, in bounded memory; a second file of the size of the
/// rows lies beside it meanwhile, for MATLAB wants columns. @return the number of rows
/// @throws IoError, also if they are more than such a file can hold
long write_mat_rows(const std::string& path, ResultStream& stream);

}  // namespace spacedyn
