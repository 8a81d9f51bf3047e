/// @file
/// Which columns form one array of an HDF5 file.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/recording/channels.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Columns `first` to `first + size − 1` of a row as one array.
struct DatasetPlan {
  std::string path;  ///< for instance `/joints/q`
  int first = 0;
  int size = 0;
  bool is_list = false;  ///< one number for each row, no row of numbers
};

/// The path of a dataset, that of an older file, with `/endpoints/` for `/frames/`, translated.
std::string current_path(const std::string& path);

/// Neighbouring columns of one dataset go together; columns that name none go to `/columns`.
std::vector<DatasetPlan> plan_datasets(const std::vector<Column>& columns);

/// Takes away the places of all columns, with a warning, unless an HDF5 file could have them.
void mend_places(ResultTable& table);

}  // namespace spacedyn
