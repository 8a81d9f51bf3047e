/// @file
/// The inverse of H_b, or that there is none.
#pragma once

#include <Eigen/Cholesky>

#include "spacedyn/inertia/base_response.hpp"

namespace spacedyn {

/// A factorization of H_b if its pivots are more than rounding. @returns whether they are
bool factorize_base_inertia(const Matrix6& H_b, Eigen::LLT<Matrix6>& factors);

/// H_b⁻¹; zero if H_b is singular.
InertiaStatus invert_base_inertia(const Matrix6& H_b, Matrix6& inverse);

}  // namespace spacedyn
