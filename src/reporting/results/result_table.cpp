#include <algorithm>
#include <filesystem>
#include <new>

#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn {
namespace {

namespace fs = std::filesystem;

const std::vector<std::unique_ptr<ResultReader>>& readers() {
  static const auto list = [] {
    std::vector<std::unique_ptr<ResultReader>> all;
    all.push_back(std::make_unique<Hdf5ResultReader>());
    all.push_back(std::make_unique<CsvResultReader>());
    return all;
  }();
  return list;
}

const ResultReader* reader_for(const std::string& path) {
  const auto found = std::find_if(readers().begin(), readers().end(),
                                  [&](const auto& reader) { return reader->accepts(path); });
  return found == readers().end() ? nullptr : found->get();
}

std::string only_result_in(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (entry.is_regular_file() && reader_for(path) != nullptr) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  // a converted result is no other result
  const auto is_copy = [&](const std::string& path) {
    const fs::path original = fs::path(path).replace_extension(".h5");
    return path != original && std::count(found.begin(), found.end(), original) > 0;
  };
  found.erase(std::remove_if(found.begin(), found.end(), is_copy), found.end());
  if (found.empty()) throw IoError("there is no result file in the folder '" + folder + "'");
  if (found.size() > 1) {
    throw IoError("there are several result files in '" + folder + "'; name one of them, for " +
                  "instance '" + found.front() + "'");
  }
  return found.front();
}

void collect_rows(ResultStream& stream, MatrixX& values) {
  const auto width = static_cast<Eigen::Index>(stream.head().columns.size());
  std::vector<RowMatrix> blocks;  // where the number of rows is not known
  Eigen::Index count = 0;
  const bool is_known = stream.stated_rows() >= 0;
  if (is_known) values.resize(stream.stated_rows(), width);
  for (RowMatrix rows; stream.next(rows);) {
    if (is_known) values.middleRows(count, rows.rows()) = rows;
    count += rows.rows();
    if (!is_known) blocks.push_back(std::move(rows));
  }
  if (is_known && count < values.rows()) values = MatrixX(values.topRows(count));
  if (is_known) return;
  values.resize(count, width);
  count = 0;
  for (RowMatrix& rows : blocks) {
    values.middleRows(count, rows.rows()) = rows;
    count += rows.rows();
    rows.resize(0, 0);
  }
}

}  // namespace

ResultStream::~ResultStream() = default;
ResultReader::~ResultReader() = default;

int ResultTable::find(const std::string& name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

std::unique_ptr<ResultStream> open_result(const std::string& path, const ReadLimits& limits) {
  if (!fs::exists(path)) throw IoError("cannot read '" + path + "': there is no such file");
  const std::string file = fs::is_directory(path) ? only_result_in(path) : path;
  const ResultReader* reader = reader_for(file);
  if (reader == nullptr) {
    throw IoError("'" + file +
                  "' is not a kind of result file that can be read; expected .h5 or .csv");
  }
  if (!fs::is_regular_file(file)) throw IoError("'" + file + "' is no regular file");
  return reader->open(file, limits);
}

ResultTable read_result(const std::string& path, const ReadLimits& limits) {
  const std::unique_ptr<ResultStream> stream = open_result(path, limits);
  ResultTable table = stream->head();
  try {
    collect_rows(*stream, table.values);
  } catch (const std::bad_alloc&) {
    throw IoError("'" + table.path + "' does not fit into memory; 'spacedyn convert' needs little");
  }
  if (!stream->damage().empty()) table.warnings.insert(table.warnings.begin(), stream->damage());
  return table;
}

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
