#include "spacedyn/reporting/result_writer.hpp"

#include "spacedyn/reporting/csv_writer.hpp"
#include "spacedyn/reporting/hdf5_writer.hpp"

namespace spacedyn {

ResultWriter::~ResultWriter() = default;

std::unique_ptr<ResultWriter> create_result(const std::string& path, ResultFormat format,
                                            const RunRecord& record) {
  if (format == ResultFormat::csv) return std::make_unique<CsvWriter>(path, record.columns);
  return std::make_unique<Hdf5Writer>(path, record);
}

}  // namespace spacedyn
