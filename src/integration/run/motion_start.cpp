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
    const std::vector<int> bodies = motion->bodies();
    for (int i = 0; i < motion->row_count(); ++i) {
      const MotionRow& row = rows.rows[static_cast<std::size_t>(i)];
      double place = 0.0, speed = 0.0;
      for (std::size_t p = 0; p < bodies.size(); ++p) {
        const double weight = row.directions[p].norm();
        const auto body = static_cast<std::size_t>(bodies[p]);
        place += weight * rows.points[p].norm();
        speed +=
            weight * (velocities.v[body].norm() +
                      velocities.omega[body].norm() * (rows.points[p] - frames.r[body]).norm());
      }
      worst.gap.take({std::abs(row.gap.value_or(0.0)), motion->name(), false,
                      kLoopTolerance + kPlaceRounding * place});
      worst.rate.take(
          {std::abs(row.rate), motion->name(), false, kLoopTolerance + kPlaceRounding * speed});
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
  const auto refuse = [](const LoopResidual& residual, const char* unit) {
    if (residual.is_closed()) return;
    throw DomainError(fmt::format("the start violates constraint '{}' by {:.3g} {}; assemble it",
                                  residual.loop, residual.value, unit));
  };
  refuse(open.gap, "m");
  refuse(open.rate, "m/s");
}

}  // namespace spacedyn
