/// @file
/// Which vector instructions the fast algorithms use on this machine.
#pragma once

#include <string_view>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// The kernels are compiled once for each of these; one binary holds all copies.
enum class InstructionSet {
  baseline,  ///< what every CPU of the architecture has
  avx2,      ///< AVX2 and FMA
  avx512     ///< AVX-512 F, BW, DQ and VL
};

/// `baseline`, `avx2` or `avx512`.
SPACEDYN_EXPORT std::string_view to_string(InstructionSet set);

/// Those that this CPU and this build of the library have, narrowest first.
SPACEDYN_EXPORT const std::vector<InstructionSet>& supported_instruction_sets();

/// The one that workspaces constructed from now on will use: what use_instruction_set() said, else
/// the environment variable SPACEDYN_INSTRUCTION_SET, else the widest supported one. A workspace
/// keeps its set, so its results are the same bits for as long as it lives.
/// @throws DomainError if the environment names an unknown or unsupported set.
SPACEDYN_EXPORT InstructionSet instruction_set();

/// Chooses for the whole process; thread-safe. @throws DomainError for an unsupported set.
SPACEDYN_EXPORT void use_instruction_set(InstructionSet set);

}  // namespace spacedyn
