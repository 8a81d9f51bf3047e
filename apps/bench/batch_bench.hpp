/// @file
/// Benchmarks of batches of states.
#pragma once

#include <vector>

#include "bench/robots.hpp"

namespace spacedyn::bench {

enum class BatchQuantity { forward_dynamics, inverse_dynamics, rk4_steps };

/// Registers `<robot>/batch_<quantity>/<threads>` for each quantity and number of threads; the
/// workload must outlive the benchmarks.
void add_batches(const Workload& work, const std::vector<BatchQuantity>& quantities,
                 const std::vector<int>& threads);

/// Registers `<robot>/batch_<matrix>/1`, rows in and matrices out, and
/// `<robot>/inverse_inertia/spacedyn` of a single state.
void add_matrices(const Workload& work);

}  // namespace spacedyn::bench
