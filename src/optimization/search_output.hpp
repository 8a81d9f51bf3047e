/// @file
/// What files of fits and of optimizations have in common. Private.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "reporting/results/hdf5.hpp"
#include "reporting/results/json.hpp"
#include "spacedyn/optimization/fit.hpp"

namespace spacedyn {

/// JSON has no NaN and no infinity.
Json finite_or_null(double value);

/// Numbers of an HDF5 file, row by row.
struct NumberSet {
  std::string name, unit;
  std::vector<hsize_t> shape;
  std::vector<std::string> columns = {};
};
void write_numbers(hid_t parent, const NumberSet& set, const double* numbers);

/// What an HDF5 file says of its inputs.
struct SearchInputs {
  const char* format;
  std::string record;  ///< JSON
  const std::map<std::string, std::string>& sources;
  const std::vector<Override>& overrides;
};
/// Writes a file anew. @throws IoError
void write_search_hdf5(const std::string& path, const SearchInputs& inputs,
                       const std::function<void(hid_t file)>& write);

/// Writes the scenario with other values, `STEM.yaml`. @returns the paths. @throws IoError
std::vector<std::string> write_best_scenario(const loading::ScenarioFamily& family,
                                             const std::vector<ScenarioVariable>& variables,
                                             const VectorX& values, const std::string& folder,
                                             const std::string& stem);

}  // namespace spacedyn
