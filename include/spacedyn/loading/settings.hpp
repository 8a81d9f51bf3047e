/// @file
/// The numbers of a scenario that an override can change.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// A number as the file of a scenario has it.
struct NumericSetting {
  std::string key;     ///< key path as load_scenario() takes it
  double value = 0.0;  ///< in the unit
  std::string unit;    ///< for instance `deg`; empty where the file names none
};

/// All finite numbers of a scenario file, in its order; those of a model in a file of its own are
/// not among them. Items of lists appear by position: `control.0.stiffness.2`.
/// @throws IoError if the file cannot be read
SPACEDYN_EXPORT std::vector<NumericSetting> numeric_settings(const std::string& scenario_path);

}  // namespace spacedyn
