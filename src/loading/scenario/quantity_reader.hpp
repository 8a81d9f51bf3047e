/// @file
/// Quantities that events look at. Private.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/mapping.hpp"
#include "spacedyn/integration/quantities.hpp"

namespace spacedyn::loading {

/// A quantity as the file has it.
struct QuantityKeys {
  EventQuantity quantity;  ///< without a value where names are not known
  Quantity level;          ///< what a level of it is
  double below_level = std::numeric_limits<double>::infinity();  ///< that a crossed level is
};

namespace kind {
Kind<QuantityKeys> quantity();
}

/// A quantity and the level that it crosses.
struct Crossing {
  QuantityKeys of;
  double level = 0.0;
};
KeyGroup<Crossing> crossing_keys();

/// `while`: conditions.
KeyGroup<std::vector<EventCondition>> condition_keys();

}  // namespace spacedyn::loading
