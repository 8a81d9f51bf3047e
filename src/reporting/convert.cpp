#include "spacedyn/reporting/convert.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "reporting/hdf5_rows.hpp"
#include "reporting/mat_result.hpp"
#include "reporting/output_file.hpp"
#include "reporting/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/csv_writer.hpp"

namespace spacedyn {
namespace {

/// Without metadata, as of a bare text, the format is all there is to say.
Json metadata_of(const ResultTable& result) {
  Json json = Json::parse(result.metadata, nullptr, false);
  if (!json.is_object()) json = Json{{"format", "spacedyn-result/1"}};
  return json;
}

void write_hdf5(const std::string& path, const ResultTable& result, int compression) {
  const hdf5::Silence silence;
  Hdf5Layout layout;
  layout.expected_rows = result.values.rows();
  layout.compression = compression;
  try {
    Hdf5Rows rows(path, result.columns, metadata_of(result), layout);
    RowBlock block;
    for (Eigen::Index first = 0; first < result.values.rows(); first += block.rows()) {
      block = result.values.middleRows(
          first, std::min<Eigen::Index>(rows.chunk_rows(), result.values.rows() - first));
      rows.append(block, static_cast<int>(block.rows()));
    }
    rows.close();
  } catch (const hdf5::Failure& failure) {
    throw IoError("cannot write to '" + path + "': " + failure.what());
  }
}

void write_csv(const std::string& path, const ResultTable& result) {
  CsvWriter writer(path, result.columns);
  for (Eigen::Index i = 0; i < result.values.rows(); ++i) {
    writer.write(result.values.row(i).transpose());
  }
  writer.close();
}

void write_mat(const std::string& path, const ResultTable& result) {
  OutputFile file(path);
  file.append(mat_file("r", mat_result(result)));
  file.close();
}

void write_as(const std::string& extension, const std::string& path, const ResultTable& result,
              int compression) {
  if (extension == ".h5") return write_hdf5(path, result, compression);
  if (compression > 0) throw DomainError("only HDF5 can be compressed, not " + extension);
  if (extension == ".csv") return write_csv(path, result);
  if (extension == ".mat") return write_mat(path, result);
  throw IoError("results are written as .h5, .csv or .mat, not as '" + extension + "'");
}

}  // namespace

const std::vector<std::string>& writable_extensions() {
  static const std::vector<std::string> extensions{".h5", ".csv", ".mat"};
  return extensions;
}

void write_result(const std::string& path, const ResultTable& result, int compression) {
  const std::string temporary = path + ".tmp";
  std::remove(temporary.c_str());
  try {
    write_as(std::filesystem::path(path).extension().string(), temporary, result, compression);
    if (std::rename(temporary.c_str(), path.c_str()) == 0) return;
    throw IoError("cannot write '" + path + "': " + std::generic_category().message(errno));
  } catch (const Error&) {
    std::remove(temporary.c_str());
    throw;
  }
}

std::string write_metadata_of(const std::string& result_path, const ResultTable& result) {
  if (result.metadata.empty()) return {};
  const std::string path = metadata_path(result_path);
  write_file_atomically(path, result.metadata);
  return path;
}

}  // namespace spacedyn
