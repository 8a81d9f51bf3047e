/// @file
/// All kernels of one instruction set and their table; included by baseline.cpp, avx2.cpp and
/// avx512.cpp after they have named their namespace and width.
#pragma once

#include "dynamics/kernels/branch_compose.hpp"
#include "dynamics/kernels/kernel_table.hpp"
#include "dynamics/kernels/lane_articulated_body.hpp"
#include "dynamics/kernels/lane_newton_euler.hpp"
#include "dynamics/kernels/sincos.hpp"
#if SPACEDYN_LANES >= 4
#include "dynamics/kernels/quad_articulated_body.hpp"
#include "dynamics/kernels/quad_newton_euler.hpp"
#endif

namespace spacedyn::SPACEDYN_ISA {

inline void sincos(const double* angles, double* sines, double* cosines, int count) {
  const int whole = count - count % kLanes;
  sincos_array<Pack<kLanes>>(angles, sines, cosines, whole);
  sincos_array<double>(angles + whole, sines + whole, cosines + whole, count - whole);
}

#if SPACEDYN_LANES >= 4

inline unsigned long scratch_size(const Tree& tree) { return QuadScratch::size(tree); }
inline void prepare(const Tree& tree, double* memory) {
  prepare_masses(tree, QuadScratch(memory, tree));
}
inline double articulated_body_of_one(const Tree& tree, const KernelMobility& mobility,
                                      const KernelState<double>& state,
                                      const KernelLoads<double>& loads, double* memory,
                                      double* acceleration, double* forces) {
  return quad_articulated_body(tree, mobility, state, loads, QuadScratch(memory, tree),
                               acceleration, forces);
}
inline void newton_euler_of_one(const Tree& tree, const KernelState<double>& state,
                                const KernelLoads<double>& loads, double* memory,
                                const double* acceleration, double* forces) {
  quad_newton_euler(tree, state, loads, QuadScratch(memory, tree), acceleration, forces);
}

#else

/// Without wide registers one state is a lane of its own.
struct Scratch {
  double *sine, *cosine;
  LaneBody<double>* bodies;
  unsigned long size;  ///< doubles

  Scratch(double* start, int count)
      : sine(start),
        cosine(sine + count),
        bodies(reinterpret_cast<LaneBody<double>*>(cosine + count)),
        size(static_cast<unsigned long>(count) * (2 + sizeof(LaneBody<double>) / 8)) {}
};

inline unsigned long scratch_size(const Tree& tree) { return Scratch(nullptr, tree.bodies).size; }
inline void prepare(const Tree&, double*) {}
inline double articulated_body_of_one(const Tree& tree, const KernelMobility& mobility,
                                      const KernelState<double>& state,
                                      const KernelLoads<double>& loads, double* memory,
                                      double* acceleration, double* forces) {
  const Scratch scratch(memory, tree.bodies);
  sincos(state.q, scratch.sine, scratch.cosine, tree.bodies - 1);
  return articulated_body<double>(tree, mobility, state, loads, scratch.sine, scratch.cosine,
                                  scratch.bodies, acceleration, forces);
}
inline void newton_euler_of_one(const Tree& tree, const KernelState<double>& state,
                                const KernelLoads<double>& loads, double* memory,
                                const double* acceleration, double* forces) {
  const Scratch scratch(memory, tree.bodies);
  sincos(state.q, scratch.sine, scratch.cosine, tree.bodies - 1);
  newton_euler<double>(tree, state, loads, scratch.sine, scratch.cosine, acceleration,
                       scratch.bodies, forces);
}

#endif

const KernelTable kernels = {sincos, scratch_size, prepare, articulated_body_of_one,
                             newton_euler_of_one};

}  // namespace spacedyn::SPACEDYN_ISA
