/// @file
/// Runs that have ended, flown here or read from files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::python {

/// A run that has ended, with all that was recorded.
struct Flight {
  std::string path;                          ///< of the file it was read from
  std::shared_ptr<const Scenario> scenario;  ///< null if a file does not say
  std::vector<Column> columns;
  std::vector<double> numbers;  ///< row by row
  /// Columns of each channel, by position; only where there is no scenario that says it.
  std::map<std::string, std::vector<std::size_t>> channels;
  std::string metadata;  ///< of a file
  RunFacts facts;
  std::vector<std::string> warnings;
  SimulationResult result;  ///< of a run that was flown here, of a pickle its state alone
  bool has_final_state = false;

  /// The time of the last row, s; 0 without rows.
  double last_time() const {
    return numbers.empty() ? 0.0 : numbers[numbers.size() - columns.size()];
  }
  py::ssize_t rows() const {
    return static_cast<py::ssize_t>(numbers.size() / std::max<std::size_t>(1, columns.size()));
  }
};

/// The flight as result files are read back, for pages and files.
ResultTable table_of(const Flight& flight);

/// A part of bind_simulation().
void bind_stepped_runs(py::module_& m);

}  // namespace spacedyn::python
