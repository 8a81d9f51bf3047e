// AVX-512 F, BW, DQ and VL: x86-64-v4
#define SPACEDYN_ISA isa_avx512
#define SPACEDYN_LANES 8
#include "dynamics/kernels/kernels.hpp"
