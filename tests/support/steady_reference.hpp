/// @file
/// A joint that moves at a constant rate.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/control/reference.hpp"

namespace spacedyn::testing {

/// From 0, for ten seconds.
inline std::shared_ptr<const Reference> steady_reference(double rate) {
  MatrixX rows(1, 2);
  rows << 0.0, 10.0 * rate;
  return std::make_shared<TableReference>(std::vector<double>{0.0, 10.0}, rows,
                                          TableReference::Interpolation::linear);
}

}  // namespace spacedyn::testing
