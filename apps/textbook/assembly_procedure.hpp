/// @file
/// The four procedures that assemble the equations of a system with loops.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spacedyn/constraints/constrained_dynamics.hpp"

namespace spacedyn {

/// How the equations of a system with loops are put together and solved: the same numbers at
/// different cost.
enum class AssemblyProcedure {
  maximal,        ///< all bodies and joints in one sparse matrix: MaximalAssembly
  spanning_tree,  ///< the tree, then a dense rank-revealing factorization of all rows: LoopSolver
  incremental,    ///< articulated bodies that carry open loops: IncrementalAssembly; the default
  divide_and_conquer  ///< halves joined in O(log n) levels on two threads: DivideAndConquerAssembly
};
std::string_view to_string(AssemblyProcedure procedure);
/// All procedures, in the order above.
const std::vector<AssemblyProcedure>& all_assembly_procedures();
/// Nothing where the name is unknown.
std::optional<AssemblyProcedure> find_assembly_procedure(std::string_view name);

/// constrained_motion() by a procedure; multipliers are of least norm. Allocates.
/// @throws NumericalError if H is not positive definite; DomainError, DimensionError as the
/// procedure does
ConstrainedMotion constrained_motion(const Model& model, const State& state, const Loads& loads,
                                     AssemblyProcedure procedure);
/// The same with prescribed coordinates.
/// @param acceleration  entries of the prescribed coordinates are read, size 6 + n
ConstrainedMotion constrained_motion(const Model& model, const State& state, const Loads& loads,
                                     const Mobility& mobility, ConstVectorRef acceleration,
                                     AssemblyProcedure procedure);

}  // namespace spacedyn
