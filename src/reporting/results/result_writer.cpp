#include "spacedyn/reporting/result_writer.hpp"

#include <algorithm>
#include <filesystem>

#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {
namespace {

/// Calls a function that reads an earlier result. @throws ContinuationError for its IoError
template <typename Read>
auto reading(const Read& read) {
  try {
    return read();
  } catch (const IoError& error) {
    throw ContinuationError(error.what());
  }
}

/// Copies the first rows of a result.
void copy_rows(ResultStream& from, const std::string& path, long count, ResultWriter& to) {
  long copied = 0;
  VectorX row;
  for (RowMatrix rows; copied < count && reading([&] { return from.next(rows); });) {
    for (Eigen::Index i = 0; i < rows.rows() && copied < count; ++i, ++copied) {
      row = rows.row(i);
      to.write(row);
    }
  }
  if (copied == count) return;
  throw ContinuationError("cannot continue '" + path + "': it holds " + std::to_string(copied) +
                          " rows, but " + std::to_string(count) +
                          " had been written before the checkpoint");
}

}  // namespace

ContinuationError::~ContinuationError() = default;
ResultWriter::~ResultWriter() = default;

std::unique_ptr<ResultWriter> create_result(const std::string& path, ResultFormat format,
                                            const RunRecord& record) {
  return format == ResultFormat::csv ? create_csv(path, record.columns) : create_hdf5(path, record);
}

std::unique_ptr<ResultWriter> continue_result(const std::string& path, ResultFormat format,
                                              const RunRecord& record, long rows) {
  const std::unique_ptr<ResultStream> earlier = reading([&] { return open_result(path); });
  const std::vector<Column>& columns = earlier->head().columns;
  const bool same_columns =
      std::equal(record.columns.begin(), record.columns.end(), columns.begin(), columns.end(),
                 [](const Column& a, const Column& b) { return a.name == b.name; });
  if (!same_columns)
    throw ContinuationError("cannot continue '" + path + "': it has other columns");
  const std::string temporary = path + ".tmp";
  std::filesystem::remove(temporary);
  std::unique_ptr<ResultWriter> writer = create_result(temporary, format, record);
  try {
    copy_rows(*earlier, path, rows, *writer);
    writer->flush();
    writer->rename(path);
  } catch (const IoError&) {
    std::filesystem::remove(temporary);
    throw;
  }
  return writer;
}

}  // namespace spacedyn
