/// @file
/// Contacts of a run as JSON. Private.
#pragma once

#include "reporting/results/json.hpp"

namespace spacedyn {

/// A list with an object for each contact; instants of one that never began are null.
Json json_of(const std::vector<ContactSummary>& contacts);

}  // namespace spacedyn
