#include "integration/run/setup_checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include "integration/contacts/loop_closure.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "system/motion_of.hpp"

namespace spacedyn {
namespace {

/// Passes of Newton's method over loops and motion constraints in turn: each opens the other to
/// second order.
constexpr int kPasses = 4;

}  // namespace

MotionResidual motion_residual(const ForcedSystem& system, const State& start) {
  const Model& model = *system.model;
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, start, frames);
  compute_link_velocities(model, start, frames, velocities);
  const VectorX none;
  const EvaluationContext context{0.0, model, start, frames, velocities, none};
  MotionResidual worst;
  for (const MotionConstraint* motion : holding_motions(system, DiscreteState(system))) {
    MotionRows rows;
    motion->rows(context, rows);
    for (int i = 0; i < motion->row_count(); ++i) {
      const MotionRow& row = rows.rows[static_cast<std::size_t>(i)];
      const double gap = std::abs(row.gap.value_or(0.0)), rate = std::abs(row.rate);
      // written so that NaN counts
      if (!(gap <= worst.gap)) std::tie(worst.gap, worst.of_gap) = std::pair(gap, motion->name());
      if (!(rate <= worst.rate)) {
        std::tie(worst.rate, worst.of_rate) = std::pair(rate, motion->name());
      }
    }
  }
  return worst;
}

State closed_start(const SimulationSetup& setup, const State& start) {
  EquationsOfMotion equations(setup);
  LoopClosure closure(setup, 1.0, equations);
  VectorX x(equations.layout().size());
  equations.start(start, x);
  for (int pass = 0; pass < kPasses; ++pass) {
    if (closure.close(equations, x, 0.0)) continue;
    throw numerical_error(equations.model(), equations.layout(), equations.failure(), 0.0, 0);
  }
  State closed = equations.state();
  closed.z = start.z;
  return closed;
}

void check_motions(const SimulationSetup& setup) {
  const MethodTraits method = method_traits(setup.integrator);
  for (const MotionConstraint* motion : holding_motions(setup, DiscreteState(setup))) {
    if (!method.closes_loops) {
      throw DomainError(fmt::format("{} cannot keep motion constraints; '{}' needs another method",
                                    method.name, motion->name()));
    }
    if (!setup.integrator.project_momentum) continue;
    throw DomainError(
        fmt::format("project_momentum contradicts motion constraint '{}'", motion->name()));
  }
}

void check_start_on_motions(const SimulationSetup& setup, const State& start) {
  const MotionResidual open = motion_residual(setup, start);
  if (!(open.gap <= kLoopTolerance)) {
    throw DomainError(fmt::format("the start violates constraint '{}' by {:.3g} m; assemble it",
                                  open.of_gap, open.gap));
  }
  if (open.rate <= kLoopTolerance) return;
  throw DomainError(fmt::format("the start violates constraint '{}' by {:.3g} m/s; assemble it",
                                open.of_rate, open.rate));
}

}  // namespace spacedyn
