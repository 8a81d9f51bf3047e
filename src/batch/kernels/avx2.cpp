// see dynamics/kernels/avx2.cpp
#define SPACEDYN_ISA isa_avx2
#define SPACEDYN_LANES 4
#include "batch/kernels/kernels.hpp"
