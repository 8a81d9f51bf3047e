/// @file
/// From an instruction set to the kernels that are compiled for it.
#pragma once

#include "dynamics/kernels/kernel_table.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"

/// The table of that name of a supported instruction set. Other architectures have a baseline
/// alone; sources that use this are told by SPACEDYN_X86_64_KERNELS.
#ifdef SPACEDYN_X86_64_KERNELS
#define SPACEDYN_CHOOSE_KERNELS(table, set)                                    \
  ((set) == ::spacedyn::InstructionSet::avx512 ? ::spacedyn::isa_avx512::table \
   : (set) == ::spacedyn::InstructionSet::avx2 ? ::spacedyn::isa_avx2::table   \
                                               : ::spacedyn::isa_baseline::table)
#else
#define SPACEDYN_CHOOSE_KERNELS(table, set) \
  (static_cast<void>(set), ::spacedyn::isa_baseline::table)
#endif

namespace spacedyn {

/// @pre the set is supported
const KernelTable& kernels_of(InstructionSet set);

}  // namespace spacedyn
