#include "spacedyn/reporting/result_writer.hpp"

#include <algorithm>
#include <filesystem>

#include "spacedyn/error.hpp"
#include "spacedyn/reporting/csv_writer.hpp"
#include "spacedyn/reporting/hdf5_writer.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

ResultWriter::~ResultWriter() = default;

std::unique_ptr<ResultWriter> create_result(const std::string& path, ResultFormat format,
                                            const RunRecord& record) {
  if (format == ResultFormat::csv) return std::make_unique<CsvWriter>(path, record.columns);
  return std::make_unique<Hdf5Writer>(path, record);
}

std::unique_ptr<ResultWriter> continue_result(const std::string& path, ResultFormat format,
                                              const RunRecord& record, long rows) {
  const ResultTable earlier = read_result(path);
  const bool same_columns = std::equal(
      record.columns.begin(), record.columns.end(), earlier.columns.begin(), earlier.columns.end(),
      [](const Column& a, const Column& b) { return a.name == b.name; });
  if (!same_columns) throw IoError("cannot continue '" + path + "': it has other columns");
  if (earlier.values.rows() < rows) {
    throw IoError("cannot continue '" + path + "': it holds " +
                  std::to_string(earlier.values.rows()) + " rows, but " + std::to_string(rows) +
                  " had been written before the checkpoint");
  }
  const std::string temporary = path + ".tmp";
  std::filesystem::remove(temporary);
  std::unique_ptr<ResultWriter> writer = create_result(temporary, format, record);
  try {
    VectorX row;
    for (Eigen::Index i = 0; i < rows; ++i) {
      row = earlier.values.row(i);
      writer->write(row);
    }
    writer->flush();
    writer->rename(path);
  } catch (const IoError&) {
    std::filesystem::remove(temporary);
    throw;
  }
  return writer;
}

}  // namespace spacedyn
