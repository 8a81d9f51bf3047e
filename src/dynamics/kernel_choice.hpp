/// @file
/// From an instruction set to its kernels.
#pragma once

#include "dynamics/kernels/kernel_table.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"

namespace spacedyn {

/// @pre the set is supported
const KernelTable& kernels_of(InstructionSet set);

}  // namespace spacedyn
