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

  /// @name One state; `scratch` has scratch_size(bodies) doubles, accelerations and forces 6 + n
  /// @{
  unsigned long (*scratch_size)(int bodies);
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
