/// @file
/// The arrays of a result and their rows.
#pragma once

#include <string>
#include <vector>

#include "reporting/results/hdf5.hpp"

namespace spacedyn::hdf5 {

/// An array of the file, and the columns of a row that it holds.
struct Array {
  std::string path, frame;
  std::vector<std::string> names, units;
  bool is_list = false;  ///< one number for each row, no row of numbers
  long rows = 0;
  long piece = 0;  ///< rows that are stored together, 0 if all are
  int first = 0;   ///< column
  Handle dataset;

  int width() const { return static_cast<int>(names.size()); }
};

/// The arrays in the order of their columns, of which the first is the time or a number of the row.
struct Arrays {
  std::vector<Array> list;
  std::vector<std::string> ignored;  ///< arrays whose attributes are not those of results
  Handle texts;                      ///< a text for each row; not open where there is none
  int width = 0;                     ///< columns in all
  long rows = 0;                     ///< that all of them have
};

/// @param paths  of all datasets in the file
/// @throws Failure if an array is not what results have, or could not be read in bounded memory
Arrays find_arrays(hid_t file, const std::vector<std::string>& paths);

/// Reads rows of all columns, one row behind the other. @throws Failure
void read_rows(const Arrays& arrays, long first, long count, std::vector<double>& numbers);

/// The leading rows whose times ascend. @param last_time  of the row before; of the last one then
long ascending_rows(const Arrays& arrays, const std::vector<double>& numbers, double& last_time);

}  // namespace spacedyn::hdf5
