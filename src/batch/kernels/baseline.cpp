// see dynamics/kernels/baseline.cpp
#define SPACEDYN_ISA isa_baseline
#define SPACEDYN_LANES 2
#include "batch/kernels/kernels.hpp"
