/// @file
/// All kernels of one instruction set and their table; included by baseline.cpp, avx2.cpp and
/// avx512.cpp after they have named their namespace and width.
#pragma once

#include "dynamics/kernels/branch_compose.hpp"
#include "dynamics/kernels/kernel_table.hpp"
#include "dynamics/kernels/sincos.hpp"

namespace spacedyn::SPACEDYN_ISA {

inline void sincos(const double* angles, double* sines, double* cosines, int count) {
  const int whole = count - count % kLanes;
  sincos_array<Pack<kLanes>>(angles, sines, cosines, whole);
  sincos_array<double>(angles + whole, sines + whole, cosines + whole, count - whole);
}

const KernelTable kernels = {sincos};

}  // namespace spacedyn::SPACEDYN_ISA
