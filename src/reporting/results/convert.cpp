#include "spacedyn/reporting/convert.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "reporting/results/hdf5_rows.hpp"
#include "reporting/results/mat_file.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_writer.hpp"

namespace spacedyn {
namespace {

/// rows × columns × count.
MatValue stack(const std::string& name, const std::vector<MatrixX>& matrices) {
  if (matrices.empty()) throw DomainError("there is no matrix '" + name + "' to write");
  const MatrixX& first = matrices.front();
  std::vector<double> numbers;
  for (const MatrixX& matrix : matrices) {
    if (matrix.rows() != first.rows() || matrix.cols() != first.cols()) {
      throw DomainError("the matrices '" + name + "' differ in size");
    }
    numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
  }
  return MatValue::array(std::move(numbers),
                         {static_cast<int>(first.rows()), static_cast<int>(first.cols()),
                          static_cast<int>(matrices.size())});
}

/// What was read with a result; of one that was not read, its facts.
Json metadata_of(const ResultTable& head) {
  Json json = parse_json(head.metadata);
  if (!json.is_object()) return facts_json(head);
  check_kinds(json, head.path);
  return json;
}

/// The rows of a table that is in memory.
class TableStream final : public ResultStream {
 public:
  explicit TableStream(const ResultTable& table) : table_(table) {
    head_.path = table.path;
    head_.columns = table.columns;
    head_.facts = table.facts;
    head_.metadata = table.metadata;
    head_.warnings = table.warnings;
  }
  const ResultTable& head() const override { return head_; }
  long stated_rows() const override { return table_.values.rows(); }
  const std::string& damage() const override { return damage_; }
  bool next(RowMatrix& rows) override {
    constexpr Eigen::Index kRowsAtOnce = 1024;
    const Eigen::Index count = std::min(kRowsAtOnce, table_.values.rows() - first_);
    rows = table_.values.middleRows(first_, count);
    first_ += count;
    return count > 0;
  }

 private:
  const ResultTable& table_;
  ResultTable head_;
  Eigen::Index first_ = 0;
  std::string damage_;
};

/// Appends by whole chunks: a compressed one is packed once.
class Chunks {
 public:
  Chunks(Hdf5Rows& rows, Eigen::Index width) : rows_(rows), block_(rows.chunk_rows(), width) {}

  void append(const RowMatrix& rows) {
    for (Eigen::Index first = 0; first < rows.rows();) {
      const Eigen::Index count = std::min(block_.rows() - filled_, rows.rows() - first);
      block_.middleRows(filled_, count) = rows.middleRows(first, count);
      filled_ += count;
      first += count;
      if (filled_ == block_.rows()) flush();
    }
  }
  void flush() {
    if (filled_ > 0) rows_.append(block_, static_cast<int>(filled_));
    filled_ = 0;
  }

 private:
  Hdf5Rows& rows_;
  RowMatrix block_;
  Eigen::Index filled_ = 0;
};

long write_hdf5(const std::string& path, ResultStream& stream, int compression) {
  const hdf5::Silence silence;
  const ResultTable& head = stream.head();
  Hdf5Layout layout;
  layout.expected_rows = std::max(stream.stated_rows(), 0L);
  layout.compression = compression;
  try {
    Hdf5Rows file(path, head.columns, metadata_of(head), layout);
    Chunks chunks(file, static_cast<Eigen::Index>(head.columns.size()));
    for (RowMatrix rows; stream.next(rows);) chunks.append(rows);
    chunks.flush();
    const long count = file.rows();
    file.close();
    return count;
  } catch (const hdf5::Failure& failure) {
    throw IoError("cannot write to '" + path + "': " + failure.what());
  }
}

long write_csv(const std::string& path, ResultStream& stream) {
  const std::unique_ptr<ResultWriter> writer = create_csv(path, stream.head().columns);
  long count = 0;
  for (RowMatrix rows; stream.next(rows); count += rows.rows()) {
    for (Eigen::Index i = 0; i < rows.rows(); ++i) writer->write(rows.row(i).transpose());
  }
  writer->close();
  return count;
}

long write_as(const std::string& extension, const std::string& path, ResultStream& stream,
              int compression) {
  if (extension == ".h5") return write_hdf5(path, stream, compression);
  if (compression > 0) throw DomainError("only HDF5 can be compressed, not " + extension);
  if (extension == ".csv") return write_csv(path, stream);
  if (extension == ".mat") return write_mat_rows(path, stream);
  throw IoError("results are written as .h5, .csv or .mat, not as '" + extension + "'");
}

}  // namespace

void write_mat(const std::string& path, const MatrixFile& content) {
  MatValue value;
  for (const auto& [name, list] : content.texts) value.field(name) = MatValue::texts(list);
  for (const auto& [name, list] : content.matrices) value.field(name) = stack(name, list);
  write_file_atomically(path, mat_file(content.variable, value));
}

const std::vector<std::string>& writable_extensions() {
  static const std::vector<std::string> extensions{".h5", ".csv", ".mat"};
  return extensions;
}

long write_result(const std::string& path, ResultStream& result, int compression) {
  const std::string temporary = path + ".tmp";
  std::remove(temporary.c_str());
  try {
    const std::string extension = std::filesystem::path(path).extension().string();
    const long rows = write_as(extension, temporary, result, compression);
    rename_file(temporary, path);
    return rows;
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

void write_result(const std::string& path, const ResultTable& result, int compression) {
  TableStream stream(result);
  write_result(path, stream, compression);
}

std::string write_metadata_of(const std::string& result_path, const ResultTable& result) {
  const bool is_known = !result.metadata.empty() || !result.facts.status.empty();
  if (!is_known) return {};
  std::string path = metadata_path(result_path);
  write_file_atomically(
      path, result.metadata.empty() ? to_text(facts_json(result)) + '\n' : result.metadata);
  return path;
}

}  // namespace spacedyn
