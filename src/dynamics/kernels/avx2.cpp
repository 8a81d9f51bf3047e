// AVX2 and FMA: x86-64-v3
#define SPACEDYN_ISA isa_avx2
#define SPACEDYN_LANES 4
#include "dynamics/kernels/kernels.hpp"
