/// @file
/// All kernels of one instruction set and their table; included by baseline.cpp, avx2.cpp and
/// avx512.cpp after they have named their namespace and width.
#pragma once

#include "dynamics/kernels/branch_compose.hpp"
#include "dynamics/kernels/branch_pairs.hpp"
#include "dynamics/kernels/coordinate_factors.hpp"
#include "dynamics/kernels/kernel_table.hpp"
#include "dynamics/kernels/polyhedron.hpp"
#include "dynamics/kernels/quad_articulated_body.hpp"
#include "dynamics/kernels/quad_articulated_loops.hpp"
#include "dynamics/kernels/quad_composite_body.hpp"
#include "dynamics/kernels/quad_derivatives.hpp"
#include "dynamics/kernels/quad_newton_euler.hpp"
#include "dynamics/kernels/quad_path.hpp"
#include "dynamics/kernels/quad_points.hpp"
#include "dynamics/kernels/quad_sums.hpp"
#include "dynamics/kernels/sincos.hpp"

namespace spacedyn::SPACEDYN_ISA {

inline void sincos(const double* angles, double* sines, double* cosines, int count) {
  const int whole = count - count % kLanes;
  sincos_array<Pack<kLanes>>(angles, sines, cosines, whole);
  sincos_array<double>(angles + whole, sines + whole, cosines + whole, count - whole);
}
inline unsigned long scratch_size(const Tree& tree) { return QuadScratch::size(tree); }

const KernelTable kernels = {
    sincos,
    polyhedron_field,
    scratch_size,
    prepare_scratch,
    update_positions,
    move,
    update_path,
    move_path,
    articulated_body,
    articulated_loops,
    correct_loops,
    articulated_inertias,
    has_sound_pivots,
    newton_euler,
    composite_body,
    factorize,
    solve_inward,
    solve_outward,
    momentum_matrix,
    point_jacobian,
    joint_twists,
    generalized_jacobian,
    point_motion,
    export_links,
    sum_motion,
    derivative_terms<false>,
    derivative_terms<true>,
    {invert, respond, compose, compose_base, compose_inverse, write_pairs}};

}  // namespace spacedyn::SPACEDYN_ISA
