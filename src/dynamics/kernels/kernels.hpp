/// @file
/// All kernels of one instruction set and their table; included by baseline.cpp, avx2.cpp and
/// avx512.cpp after they have named their namespace and width.
#pragma once

#include "dynamics/kernels/branch_compose.hpp"
#include "dynamics/kernels/kernel_table.hpp"
#include "dynamics/kernels/lane_articulated_body.hpp"
#include "dynamics/kernels/lane_newton_euler.hpp"
#include "dynamics/kernels/sincos.hpp"

namespace spacedyn::SPACEDYN_ISA {

inline void sincos(const double* angles, double* sines, double* cosines, int count) {
  const int whole = count - count % kLanes;
  sincos_array<Pack<kLanes>>(angles, sines, cosines, whole);
  sincos_array<double>(angles + whole, sines + whole, cosines + whole, count - whole);
}

/// The scratch memory of one state, divided.
struct Scratch {
  double *angle, *sine, *cosine;
  LaneBody<double>* bodies;
  unsigned long size;  ///< of all, in doubles

  Scratch(double* start, int count) {
    const unsigned long padded = static_cast<unsigned long>((count + kLanes - 1) / kLanes * kLanes);
    angle = start;
    sine = angle + padded;
    cosine = sine + padded;
    bodies = reinterpret_cast<LaneBody<double>*>(cosine + padded);
    size = 3 * padded + static_cast<unsigned long>(count) * sizeof(LaneBody<double>) / 8;
  }

  /// Sines and cosines of all joints together.
  void turn(const double* q, int joints) const {
    const int padded = (joints + kLanes - 1) / kLanes * kLanes;
    for (int i = 0; i < joints; ++i) angle[i] = q[i];
    for (int i = joints; i < padded; ++i) angle[i] = 0.0;
    sincos_array<Pack<kLanes>>(angle, sine, cosine, padded);
  }
};

inline unsigned long scratch_size(int bodies) { return Scratch(nullptr, bodies).size; }

inline double articulated_body_of_one(const Tree& tree, const KernelMobility& mobility,
                                      const KernelState<double>& state,
                                      const KernelLoads<double>& loads, double* memory,
                                      double* acceleration, double* forces) {
  const Scratch scratch(memory, tree.bodies);
  scratch.turn(state.q, tree.bodies - 1);
  return articulated_body<double>(tree, mobility, state, loads, scratch.sine, scratch.cosine,
                                  scratch.bodies, acceleration, forces);
}

inline void newton_euler_of_one(const Tree& tree, const KernelState<double>& state,
                                const KernelLoads<double>& loads, double* memory,
                                const double* acceleration, double* forces) {
  const Scratch scratch(memory, tree.bodies);
  scratch.turn(state.q, tree.bodies - 1);
  newton_euler<double>(tree, state, loads, scratch.sine, scratch.cosine, acceleration,
                       scratch.bodies, forces);
}

const KernelTable kernels = {sincos, scratch_size, articulated_body_of_one, newton_euler_of_one};

}  // namespace spacedyn::SPACEDYN_ISA
