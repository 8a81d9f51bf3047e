// see dynamics/kernels/avx512.cpp
#define SPACEDYN_ISA isa_avx512
#define SPACEDYN_LANES 8
#include "batch/kernels/kernels.hpp"
