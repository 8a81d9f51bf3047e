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

  /// @name For people
  /// @{
  std::string element;     ///< name of the list item it belongs to, or its type and position
  std::string part;        ///< the joint, axis or component; empty where there is only one
  std::string name;        ///< its keys below the element, for instance `reference velocity`
  std::string plain_unit;  ///< SI unit of the quantity where the file names none; may be empty
  /// @}
};

/// All finite numbers of a scenario file, in its order; those of a model in a file of its own are
/// not among them. Items of lists appear by position: `control.0.stiffness.2`. The scenario need
/// not be valid; of one that is not, units are not known.
/// @throws IoError if the file cannot be read
SPACEDYN_EXPORT std::vector<NumericSetting> numeric_settings(const std::string& scenario_path);

}  // namespace spacedyn
