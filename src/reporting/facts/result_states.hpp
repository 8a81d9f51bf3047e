/// @file
/// States of a model read back from the rows of a result.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Finds the columns of the state channel of a model in a result.
class ResultStates {
 public:
  ResultStates(const ResultTable& result, const Model& model);

  /// Whether all columns are there.
  bool complete() const { return missing_.empty(); }
  /// The first column that is not there.
  const std::string& missing() const { return missing_; }
  int size() const { return static_cast<int>(result_.values.rows()); }

  /// The state of a row. @return false if a number is not finite or the quaternion is zero
  /// @pre complete()
  bool read(int row, State& state) const;

 private:
  const ResultTable& result_;
  const Model& model_;
  std::vector<int> columns_;  // in the order of the state channel
  std::string missing_;
};

}  // namespace spacedyn
