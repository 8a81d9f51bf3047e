/// @file
/// A result file in HDF5 that grows by blocks of rows. Private.
#pragma once

#include <string>
#include <vector>

#include "reporting/results/dataset_plan.hpp"
#include "reporting/results/hdf5.hpp"
#include "reporting/results/json.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

using RowBlock = RowMatrix;

/// How a file is laid out; all of it fixed before the first row.
struct Hdf5Layout {
  long expected_rows = 0;  ///< 0: not known
  int compression = 0;     ///< of gzip, 0 (none) … 9
  bool growing = false;    ///< others may read while it grows, and what a killed writer leaves
};

/// Rows that one chunk of each dataset holds: few pieces, little waste in the last one.
int rows_per_chunk(long expected_rows, int width);

/// Creates all datasets, then appends to them. The time comes last: what it does not cover does not
/// count, so a row is there as a whole or not at all.
class Hdf5Rows {
 public:
  /// @param metadata  as in the metadata file; what differs from run to run is left out
  /// @throws hdf5::Failure, as all of this
  Hdf5Rows(const std::string& path, const std::vector<Column>& columns, const Json& metadata,
           const Hdf5Layout& layout);

  int chunk_rows() const { return chunk_rows_; }
  long rows() const { return rows_; }
  /// Appends the first @p count rows of a block and makes them readable for others.
  void append(const RowBlock& block, int count);
  void close();

 private:
  struct Dataset {
    DatasetPlan plan;
    hdf5::Handle handle;
  };
  void write_inputs(const Json& metadata);
  void write_frequencies(const Json& metadata);
  void create(const DatasetPlan& plan, const std::vector<Column>& columns,
              const Hdf5Layout& layout);
  void append_to(const Dataset& dataset, const RowBlock& block, int count);

  int chunk_rows_;
  long rows_ = 0;
  hdf5::Handle file_;
  std::vector<Dataset> datasets_;  // the time is the first
  std::vector<double> scratch_;
};

/// Replaces what the file says about its run; the file must be closed.
void replace_record(const std::string& path, const Json& metadata);

}  // namespace spacedyn
