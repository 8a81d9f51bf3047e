#include "textbook/assembly_procedure.hpp"

#include <algorithm>
#include <array>

#include "kinematics/acceleration_check.hpp"
#include "spacedyn/error.hpp"
#include "textbook/assembly_divide.hpp"
#include "textbook/assembly_maximal.hpp"
#include "textbook/loop_solver.hpp"

namespace spacedyn {
namespace {

constexpr std::array<std::string_view, 4> kProcedureNames{"maximal", "spanning_tree", "incremental",
                                                          "divide_and_conquer"};

/// What all procedures start from.
struct AssemblyTask {
  const Model& model;
  const LoopMotion& motion;
  const State& state;
  const Mobility& mobility;
  Loads loads;
};

DynamicsStatus by_spanning_tree(AssemblyTask& task, VectorX& acceleration, VectorX& multipliers) {
  TreeWorkspace tree(task.model, task.mobility);
  LoopSolver solver(task.model, task.mobility);
  VectorX forces = acceleration;
  update_motion(task.state, acceleration, tree);
  DynamicsStatus status = forward_dynamics(task.loads, tree, acceleration, forces);
  if (status != DynamicsStatus::ok) return status;
  status = solver.update(task.motion.state, task.motion.frames);
  if (status != DynamicsStatus::ok) return status;
  VectorX rest(multipliers.size());
  solver.equations().bias(task.motion.frames, task.motion.velocities, task.motion.state, rest);
  const MatrixX& K_T = solver.jacobian_transposed();
  rest.noalias() -= K_T.transpose() * acceleration;
  solver.multipliers(rest, multipliers);
  task.loads.tau += K_T.bottomRows(task.model.joint_count()) * multipliers;
  return forward_dynamics(task.loads, tree, acceleration, forces);
}

DynamicsStatus by_increments(AssemblyTask& task, VectorX& acceleration, VectorX& multipliers) {
  LoopWorkspace loops(task.model, task.mobility);
  TreeWorkspace tree(task.model, task.mobility);
  VectorX forces = acceleration;
  update_motion(task.state, acceleration, tree);
  const DynamicsStatus status =
      constrained_dynamics(task.state, task.loads, {}, loops, tree, acceleration, forces);
  multipliers = loops.multipliers;
  return status;
}

DynamicsStatus run_procedure(AssemblyProcedure procedure, AssemblyTask& task, VectorX& acceleration,
                             VectorX& multipliers) {
  const std::vector<Loop>& loops = task.model.loops();
  switch (procedure) {
    case AssemblyProcedure::maximal:
      return MaximalAssembly(task.model, task.mobility, loops)
          .solve(task.motion, task.loads, acceleration, multipliers);
    case AssemblyProcedure::divide_and_conquer:
      return DivideAndConquerAssembly(task.model, task.mobility, loops)
          .solve(task.motion, task.loads, acceleration, multipliers);
    case AssemblyProcedure::spanning_tree:
      return by_spanning_tree(task, acceleration, multipliers);
    case AssemblyProcedure::incremental:
      break;
  }
  return by_increments(task, acceleration, multipliers);
}

}  // namespace

std::string_view to_string(AssemblyProcedure procedure) {
  return kProcedureNames[static_cast<std::size_t>(procedure)];
}

const std::vector<AssemblyProcedure>& all_assembly_procedures() {
  static const std::vector<AssemblyProcedure> kAll{
      AssemblyProcedure::maximal, AssemblyProcedure::spanning_tree, AssemblyProcedure::incremental,
      AssemblyProcedure::divide_and_conquer};
  return kAll;
}

std::optional<AssemblyProcedure> find_assembly_procedure(std::string_view name) {
  const auto found = std::find(kProcedureNames.begin(), kProcedureNames.end(), name);
  if (found == kProcedureNames.end()) return std::nullopt;
  return all_assembly_procedures()[static_cast<std::size_t>(found - kProcedureNames.begin())];
}

ConstrainedMotion constrained_motion(const Model& model, const State& state, const Loads& loads,
                                     const Mobility& mobility, ConstVectorRef acceleration,
                                     AssemblyProcedure procedure) {
  state.check(model);
  loads.check(model);
  check_acceleration(model, acceleration);
  LoopMotion seen(model);
  seen.compute(model, state);
  IncrementalAssembly solver(model, mobility);
  ConstrainedMotion motion;
  motion.acceleration = acceleration;
  motion.multipliers = motion.k = VectorX::Zero(solver.equations().rows());
  AssemblyTask task{model, seen, state, mobility, loads};
  if (run_procedure(procedure, task, motion.acceleration, motion.multipliers) !=
          DynamicsStatus::ok ||
      solver.update(seen.state, seen.frames) != DynamicsStatus::ok) {
    throw NumericalError("the inertia matrix is not positive definite", 0.0, 0, "inertia matrix");
  }
  solver.shorten(motion.multipliers);
  motion.K = solver.jacobian_transposed().transpose();
  solver.equations().bias(seen.frames, seen.velocities, seen.state, motion.k);
  motion.rank = solver.rank();
  motion.degrees_of_freedom = static_cast<int>(mobility.free().size()) - motion.rank;
  return motion;
}

ConstrainedMotion constrained_motion(const Model& model, const State& state, const Loads& loads,
                                     AssemblyProcedure procedure) {
  return constrained_motion(model, state, loads, Mobility(model),
                            VectorX::Zero(model.velocity_size()), procedure);
}

}  // namespace spacedyn
