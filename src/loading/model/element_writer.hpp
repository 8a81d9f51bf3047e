/// @file
/// Writes what acts between joints of a model.
#pragma once

#include <ostream>

#include "spacedyn/model/description.hpp"

namespace spacedyn::loading {

/// Limits and friction of a reaction wheel as a mapping.
std::string wheel_drive_text(const WheelDrive& drive);
/// A thruster as a mapping.
std::string thruster_drive_text(const ThrusterDrive& drive);

/// Appends the lists of couplings, transmissions and loops that are not empty.
void write_elements(const ModelDescription& model, std::ostream& out);

}  // namespace spacedyn::loading
