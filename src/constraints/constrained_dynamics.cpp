#include "spacedyn/constraints/constrained_dynamics.hpp"

#include <algorithm>
#include <array>

#include <Eigen/QR>

#include "constraints/loop_kernel.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "kinematics/acceleration_check.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/error.hpp"
#include "state/state_changes.hpp"

namespace spacedyn {

LoopWorkspace::LoopWorkspace(const Model& model, const Mobility& mobility)
    : LoopWorkspace(model, mobility, model.loops()) {}

LoopWorkspace::LoopWorkspace(const Model& model, const Mobility& mobility, std::vector<Loop> loops)
    : solver(model, mobility, std::move(loops)),
      multipliers(VectorX::Zero(solver.equations().rows())),
      size(model_size(model, solver.equations().loops())),
      kernel(std::make_unique<LoopKernel>(solver.equations())) {}
LoopWorkspace::~LoopWorkspace() = default;
LoopWorkspace::LoopWorkspace(LoopWorkspace&&) noexcept = default;
LoopWorkspace& LoopWorkspace::operator=(LoopWorkspace&&) noexcept = default;

int LoopWorkspace::rank() const { return kernel->rank(); }

namespace {

/// More corrections of λ than rounding leaves.
constexpr int kMostCorrections = 2;
/// Part of the terms of K u̇, and of what accelerations of the size of the model make of rounding,
/// that is left.
constexpr double kLeftOfTerms = 1e-14;
constexpr double kLeftOfAcceleration = 1e-15;

void prepare_rows(const State& state, const BaumgarteGains& gains, LoopWorkspace& loops,
                  TreeWorkspace& tree) {
  LoopKernel& kernel = *loops.kernel;
  const int count = static_cast<int>(loops.solver.equations().loops().size());
  for (int loop = 0; loop < count; ++loop) {
    kernel.limit_rank(loop, loops.solver.most_independent(loop));
  }
  kernel.arrays().least_pivot = kIncrementalTolerance * kIncrementalTolerance;
  kernel.prepare(state, gains, tree);
}

}  // namespace

DynamicsStatus constrained_dynamics(const State& state, const Loads& loads,
                                    const BaumgarteGains& gains, LoopWorkspace& loops,
                                    TreeWorkspace& tree, VectorRef acceleration,
                                    VectorRef forces) noexcept {
  TreeWorkspace::Memory& memory = tree.memory();
  const KernelMobility mobility{memory.free.data()};
  LoopArrays& arrays = loops.kernel->arrays();
  prepare_rows(state, gains, loops, tree);
  forces.head<6>() = loads.F_b;
  forces.tail(loads.tau.size()) = loads.tau;
  LoopAnswer answer =
      memory.kernels.articulated_loops(memory.tree, mobility, kernel_loads(loads), arrays,
                                       memory.scratch, acceleration.data(), forces.data());
  loops.multipliers.setZero();
  loops.kernel->add_multipliers(loops.multipliers);
  const double smallest_pivot = answer.smallest_pivot;
  const double rounding = kLeftOfTerms * answer.terms +
                          kLeftOfAcceleration * loops.size * acceleration.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < kMostCorrections && answer.rest > rounding; ++i) {
    answer = memory.kernels.correct_loops(memory.tree, mobility, arrays, memory.scratch,
                                          acceleration.data(), forces.data());
    loops.kernel->add_multipliers(loops.multipliers);
  }
  return judge_pivots(memory, smallest_pivot);
}

ConstrainedMotion constrained_motion(const Model& model, const State& state, const Loads& loads) {
  state.check(model);
  loads.check(model);
  LoopMotion seen(model);
  seen.compute(model, state);
  const Mobility mobility(model);
  LoopWorkspace loops(model, mobility);
  TreeWorkspace tree(model, mobility);
  ConstrainedMotion motion;
  motion.acceleration = VectorX::Zero(model.velocity_size());
  VectorX forces = motion.acceleration;
  update_motion(state, motion.acceleration, tree);
  if (constrained_dynamics(state, loads, {}, loops, tree, motion.acceleration, forces) !=
          DynamicsStatus::ok ||
      loops.solver.update(seen.state, seen.frames) != DynamicsStatus::ok) {
    throw NumericalError("the inertia matrix is not positive definite", 0.0, 0, "inertia matrix");
  }
  motion.multipliers = loops.multipliers;
  loops.solver.shorten(motion.multipliers);
  motion.K = loops.solver.jacobian_transposed().transpose();
  motion.k = VectorX::Zero(motion.multipliers.size());
  loops.solver.equations().bias(seen.frames, seen.velocities, seen.state, motion.k);
  motion.rank = loops.solver.rank();
  motion.degrees_of_freedom = static_cast<int>(mobility.free().size()) - motion.rank;
  return motion;
}

namespace {

/// Central differences of order 6 with this step, rad or m: errors of truncation and of rounding
/// are both about 1e-13.
constexpr double kLoopStep = 0.01;
constexpr std::array<double, 3> kLoopWeights{0.75, -0.15, 1.0 / 60.0};
/// Of the columns of K, scaled to length 1.
constexpr double kDependentTolerance = 1e-9;

/// What rows of loops say at a state: K u, K u̇ − k and Kᵀ λ.
class RowsAtStates {
 public:
  RowsAtStates(const Model& model, const LoopEquations& equations, const VectorX& acceleration,
               const VectorX& multipliers)
      : model_(model),
        equations_(equations),
        acceleration_(acceleration),
        multipliers_(multipliers),
        motion_(model),
        K_T_(MatrixX::Zero(model.velocity_size(), equations.rows())),
        k_(VectorX::Zero(equations.rows())) {}

  VectorX at(const State& state) {
    motion_.compute(model_, state);
    equations_.jacobian(motion_.frames, motion_.state, K_T_);
    equations_.bias(motion_.frames, motion_.velocities, motion_.state, k_);
    VectorX all(2 * k_.size() + K_T_.rows());
    all << K_T_.transpose() * state.velocity(), K_T_.transpose() * acceleration_ - k_,
        K_T_ * multipliers_;
    return all;
  }

 private:
  const Model& model_;
  const LoopEquations& equations_;
  const VectorX& acceleration_;
  const VectorX& multipliers_;
  LoopMotion motion_;
  MatrixX K_T_;
  VectorX k_;
};

/// ∂ of RowsAtStates by the configuration.
MatrixX by_configuration(const Model& model, const State& state, RowsAtStates& rows) {
  const Eigen::Index size = rows.at(state).size();
  MatrixX result = MatrixX::Zero(size, model.velocity_size());
  // loops do not see where the base is
  for (int j = 3; j < model.velocity_size(); ++j) {
    for (std::size_t i = 0; i < kLoopWeights.size(); ++i) {
      const double step = kLoopStep * static_cast<double>(i + 1);
      State ahead = state, behind = state;
      perturb_configuration(model, ahead, j, step);
      perturb_configuration(model, behind, j, -step);
      result.col(j) += kLoopWeights[i] / kLoopStep * (rows.at(ahead) - rows.at(behind));
    }
  }
  return result;
}

/// ∂(−k)/∂u: k is a quadratic form, of which a difference is exact.
MatrixX bias_by_velocity(const Model& model, const LoopEquations& equations, const State& state) {
  LoopMotion motion(model);
  MatrixX result(equations.rows(), model.velocity_size());
  VectorX ahead(equations.rows()), behind(ahead);
  const auto bias = [&](int j, double step, VectorX& k) {
    State moving = state;
    perturb_velocity(moving, j, step);
    motion.compute(model, moving);
    equations.bias(motion.frames, motion.velocities, motion.state, k);
  };
  for (int j = 0; j < model.velocity_size(); ++j) {
    bias(j, 1.0, ahead);
    bias(j, -1.0, behind);
    result.col(j) = -0.5 * (ahead - behind);
  }
  return result;
}

/// Columns of H⁻¹ and of multipliers where loops hold.
void respond_to_columns(IncrementalAssembly& solver, const MatrixX& forces, const MatrixX& right,
                        MatrixX& accelerations, MatrixX& multipliers) {
  accelerations.resize(forces.rows(), forces.cols());
  multipliers.resize(right.rows(), forces.cols());
  for (Eigen::Index j = 0; j < forces.cols(); ++j) {
    // once more for what rounding has left of the rows
    solver.solve(forces.col(j), right.col(j), accelerations.col(j), multipliers.col(j));
    VectorX rest(right.rows()), step(forces.rows()), change(right.rows());
    solver.apply(accelerations.col(j), rest);
    rest = right.col(j) - rest;
    solver.solve(VectorX::Zero(forces.rows()), rest, step, change);
    accelerations.col(j) += step;
    multipliers.col(j) += change;
  }
}

}  // namespace

ConstrainedDerivatives constrained_derivatives(const Model& model, const std::vector<Loop>& loops,
                                               const State& state, const Loads& loads,
                                               const Mobility& mobility,
                                               ConstVectorRef acceleration) {
  state.check(model);
  loads.check(model);
  check_acceleration(model, acceleration);
  const Eigen::Index size = model.velocity_size();
  LoopWorkspace workspace(model, mobility, loops);
  TreeWorkspace tree(model, mobility);
  LoopMotion motion(model);
  motion.compute(model, state);
  ConstrainedDerivatives result;
  result.motion = ForwardDynamicsDerivatives(model);
  result.motion.acceleration = acceleration;
  VectorX forces = acceleration;
  update_motion(state, result.motion.acceleration, tree);
  if (constrained_dynamics(state, loads, {}, workspace, tree, result.motion.acceleration, forces) !=
          DynamicsStatus::ok ||
      workspace.solver.update(motion.state, motion.frames) != DynamicsStatus::ok) {
    throw NumericalError("the inertia matrix is not positive definite at this state", 0.0, 0,
                         "inertia matrix");
  }
  IncrementalAssembly& solver = workspace.solver;
  const LoopEquations& equations = solver.equations();
  const Eigen::Index rows = equations.rows();
  result.multipliers = workspace.multipliers;
  result.K = solver.jacobian_transposed().transpose();

  RowsAtStates at_states(model, equations, result.motion.acceleration, result.multipliers);
  const MatrixX changes = by_configuration(model, state, at_states);
  result.rate_configuration = changes.topRows(rows);
  result.force_configuration = changes.bottomRows(size);
  const InverseDynamicsDerivatives inverse =
      inverse_dynamics_derivatives(model, state, result.motion.acceleration, loads);
  respond_to_columns(solver, result.force_configuration - inverse.configuration,
                     -changes.middleRows(rows, rows), result.motion.configuration,
                     result.multipliers_configuration);
  respond_to_columns(solver, -inverse.velocity, -bias_by_velocity(model, equations, state),
                     result.motion.velocity, result.multipliers_velocity);
  respond_to_columns(solver, MatrixX::Identity(size, size), MatrixX::Zero(rows, size),
                     result.motion.force, result.multipliers_force);
  for (const int held : mobility.prescribed()) {
    result.motion.force.col(held).setZero();
    result.multipliers_force.col(held).setZero();
  }
  return result;
}

ConstrainedDerivatives constrained_derivatives(const Model& model, const State& state,
                                               const Loads& loads) {
  return constrained_derivatives(model, model.loops(), state, loads, Mobility(model),
                                 VectorX::Zero(model.velocity_size()));
}

IndependentCoordinates independent_coordinates(const MatrixX& K, const MatrixX& rate_configuration,
                                               const Mobility& mobility,
                                               const std::vector<Follower>& followers) {
  MatrixX own = K;
  std::vector<bool> is_own(static_cast<std::size_t>(K.cols()), true);
  for (const Follower& each : followers) {
    own.col(5 + each.followed) += each.ratio * K.col(5 + each.joint);
    is_own[static_cast<std::size_t>(5 + each.joint)] = false;
  }
  std::vector<int> free;
  IndependentCoordinates result;
  for (const int row : mobility.free()) {
    (is_own[static_cast<std::size_t>(row)] ? free : result.dependent).push_back(row);
  }
  const MatrixX K_free = own(Eigen::all, free);
  const double scale = K_free.size() > 0 ? K_free.cwiseAbs().maxCoeff() : 0.0;
  Eigen::ColPivHouseholderQR<MatrixX> factors;
  factors.setThreshold(kDependentTolerance);
  Eigen::Index rank = 0;
  if (scale > 0.0) {
    factors.compute(K_free);
    rank = factors.rank();
  }
  std::vector<bool> depends(free.size(), false);
  for (Eigen::Index i = 0; i < rank; ++i) {
    depends[static_cast<std::size_t>(factors.colsPermutation().indices()(i))] = true;
  }
  std::vector<int> dependent;  // of those that follow no other
  for (std::size_t i = 0; i < free.size(); ++i) {
    (depends[i] ? dependent : result.independent).push_back(free[i]);
  }
  const auto count = static_cast<Eigen::Index>(result.independent.size());
  result.G = result.S = MatrixX::Zero(K.cols(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    result.G(result.independent[static_cast<std::size_t>(i)], i) = 1.0;
  }
  const auto follow = [&](MatrixX& rows) {
    for (const Follower& each : followers) {
      rows.row(5 + each.joint) = each.ratio * rows.row(5 + each.followed);
    }
  };
  if (rank > 0) {
    const LeastNormSolver solver(own(Eigen::all, dependent));
    result.G(dependent, Eigen::all) =
        MatrixX(solver.solve(MatrixX(-own(Eigen::all, result.independent))));
    follow(result.G);
    result.S(dependent, Eigen::all) =
        MatrixX(solver.solve(MatrixX(-(rate_configuration * result.G))));
    follow(result.S);
  } else {
    follow(result.G);
  }
  result.dependent.insert(result.dependent.end(), dependent.begin(), dependent.end());
  std::sort(result.dependent.begin(), result.dependent.end());
  return result;
}

}  // namespace spacedyn
