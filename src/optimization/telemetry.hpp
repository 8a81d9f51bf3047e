/// @file
/// Tables of measurements. Private.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/session.hpp"

namespace spacedyn {

/// A table of numbers and where its rows stand.
struct TelemetryTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< NaN where a cell is empty
  std::vector<loading::Mark> rows;           ///< without a source for HDF5

  /// Position of a column, −1 if there is none of that name.
  int find(const std::string& name) const;
};

/// Reads a table, CSV or a result in HDF5; what is wrong is reported.
/// @param place  the value that names the file
TelemetryTable read_telemetry(const loading::Value& place, const std::string& path,
                              loading::ReadContext& context);

}  // namespace spacedyn
