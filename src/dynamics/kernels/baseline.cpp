// what every CPU of the architecture has (x86-64: SSE2, AArch64: NEON)
#define SPACEDYN_ISA isa_baseline
#define SPACEDYN_LANES 2
#include "dynamics/kernels/kernels.hpp"
