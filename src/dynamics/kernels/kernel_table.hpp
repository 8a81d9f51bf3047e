/// @file
/// The functions that exist once per instruction set.
#pragma once

namespace spacedyn {

/// One compiled copy of the kernels. Pointers to double need no alignment unless said otherwise.
struct KernelTable {
  /// Sine and cosine of `count` angles within 1 ulp.
  void (*sincos)(const double* angles, double* sines, double* cosines, int count);
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
