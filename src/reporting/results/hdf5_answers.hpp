/// @file
/// What the process that reads an HDF5 file says, checked. Private.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reporting/results/child_process.hpp"
#include "reporting/results/hdf5_messages.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::hdf5 {

/// The reader of the file has failed; says how.
class ReaderFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a file holds besides its rows.
struct Contents {
  std::string format;
  std::vector<Column> columns;
  std::vector<std::string> ignored;  ///< arrays that are not ours
  long rows = 0;
  std::optional<std::string> record;
  std::vector<std::pair<std::string, std::string>> inputs;  ///< path, text
  std::optional<std::vector<std::pair<std::string, std::string>>> overrides;
  std::string failure;  ///< why there is nothing at all
};

/// One run of the reader: the contents first, then the rows.
class Answers {
 public:
  struct Wanted {
    bool record = true;
    bool inputs = true;
  };

  /// @param seconds  of waiting; reduced by the wait, not below what each MB received adds
  /// @throws IoError if there is no reader
  Answers(int file, Wanted wanted, double& seconds);

  /// Takes up to where the rows begin. @throws ReaderFailure; what came before it is in @p contents
  void read_contents(Contents& contents);
  /// The part that was being read when the reader failed, if it may be left out.
  std::optional<std::uint64_t> failed_part() const;

  /// Takes the next rows. @return false if there are no more, with the reason if rows are missing
  bool next(int width, RowMatrix& rows, std::string& reason);
  /// Texts of these rows, those that have one, with the numbers of the rows in the file.
  const std::vector<std::pair<long, std::string>>& row_texts() const { return row_texts_; }

 private:
  MessageHead head();
  std::string payload(const MessageHead& head);
  void take_row_texts(const MessageHead& head);
  bool take(MessageKind kind, const std::string& bytes, Contents& contents);
  void read(void* bytes, std::size_t size);

  double& seconds_;
  ChildProcess process_;
  bool has_shape_ = false;
  std::uint64_t parts_ = 0;
  std::uint64_t texts_ = 0;  // bytes of all texts so far
  std::vector<std::pair<long, std::string>> row_texts_;
};

}  // namespace spacedyn::hdf5
