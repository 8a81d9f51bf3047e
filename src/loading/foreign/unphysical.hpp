/// @file
/// Whether a tensor needs the key `unphysical_inertia`.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn::loading::foreign {

/// Whether a symmetric tensor has a clearly negative eigenvalue, as the builder judges it.
bool is_unphysical(const Matrix3& inertia);

}  // namespace spacedyn::loading::foreign
