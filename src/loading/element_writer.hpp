/// @file
/// Writes what acts between joints of a model.
#pragma once

#include <ostream>

#include "spacedyn/model/description.hpp"

namespace spacedyn::loading {

/// Appends the lists `couplings` and `transmissions` of a model where they are not empty.
void write_elements(const ModelDescription& model, std::ostream& out);

}  // namespace spacedyn::loading
