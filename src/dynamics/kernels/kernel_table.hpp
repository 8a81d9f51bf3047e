/// @file
/// The functions that exist once per instruction set.
#pragma once

#include "dynamics/kernels/problem.hpp"
#include "dynamics/kernels/tree.hpp"

namespace spacedyn {

/// One compiled copy of the kernels. Pointers to double need no alignment unless said otherwise.
struct KernelTable {
  /// Sine and cosine of `count` angles within 1 ulp.
  void (*sincos)(const double* angles, double* sines, double* cosines, int count);

  /// @name One state; accelerations and forces have 6 + n elements
  /// @{
  /// Doubles of `scratch`, which is aligned to 64 bytes, starts as zeros and is prepared once.
  unsigned long (*scratch_size)(const Tree&);
  void (*prepare)(const Tree&, double* scratch);
  /// Hybrid dynamics: fills the accelerations of free coordinates and the forces of prescribed
  /// ones. @returns the smallest pivot, positive unless the inertia matrix is not
  double (*articulated_body)(const Tree&, const KernelMobility&, const KernelState<double>&,
                             const KernelLoads<double>&, double* scratch, double* acceleration,
                             double* forces);
  void (*newton_euler)(const Tree&, const KernelState<double>&, const KernelLoads<double>&,
                       double* scratch, const double* acceleration, double* forces);
  /// @}
};

namespace isa_baseline {
extern const KernelTable kernels;
}
namespace isa_avx2 {
extern const KernelTable kernels;
}
namespace isa_avx512 {
extern const KernelTable kernels;
}

}  // namespace spacedyn
