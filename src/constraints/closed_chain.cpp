#include "spacedyn/constraints/closed_chain.hpp"

#include <algorithm>
#include <string>

#include "constraints/implicit_form.hpp"
#include "inertia/snapshot.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
namespace {

/// Part of a generalized force that actuated joints may leave and still count as giving it.
constexpr double kForceTolerance = 1e-9;

/// Columns of the joints in K, and k. Those of the base are zero.
struct JointRows {
  MatrixX K;
  VectorX k;

  JointRows(const Model& model, const State& state) {
    ImplicitForm all(model, state);
    K = all.joints();
    k = std::move(all.k);
  }
};

int rank_of(const MatrixX& K) {
  if (K.size() == 0) return 0;
  SingularValues values(static_cast<int>(K.rows()), static_cast<int>(K.cols()));
  values.matrix() = K;
  values.decompose_relative(kRankTolerance);
  return values.rank();
}

/// Ascending, from 0. @throws DomainError if a joint is not there or twice
std::vector<int> columns_of(const Model& model, const std::vector<int>& joints, const char* what) {
  std::vector<int> columns;
  for (const int joint : joints) {
    if (joint < 1 || joint > model.joint_count()) {
      throw DomainError("there is no joint " + std::to_string(joint) + " that could be " + what +
                        "; joints are 1 to " + std::to_string(model.joint_count()));
    }
    columns.push_back(joint - 1);
  }
  std::sort(columns.begin(), columns.end());
  const auto twice = std::adjacent_find(columns.begin(), columns.end());
  if (twice != columns.end()) {
    throw DomainError("joint '" + model.joint(*twice + 1).name + "' is " + what + " twice");
  }
  return columns;
}

/// Those of 0…n − 1 that are not in an ascending list.
std::vector<int> others(int n, const std::vector<int>& columns) {
  std::vector<int> rest;
  for (int i = 0; i < n; ++i) {
    if (!std::binary_search(columns.begin(), columns.end(), i)) rest.push_back(i);
  }
  return rest;
}

std::vector<int> best_columns(const Model& model, const MatrixX& K) {
  const int n = model.joint_count();
  MatrixX K_all = MatrixX::Zero(K.rows(), 6 + n);
  K_all.rightCols(n) = K;
  const Mobility joints_only(false, std::vector<bool>(static_cast<std::size_t>(n), true));
  std::vector<int> columns =
      independent_coordinates(K_all, MatrixX::Zero(K.rows(), 6 + n), joints_only, model.followers())
          .independent;
  for (int& column : columns) column -= 6;
  return columns;
}

void require_independent(const MatrixX& K, std::size_t chosen, const MatrixX& K_dependent) {
  const int rank = rank_of(K);
  const auto freedoms = static_cast<std::size_t>(K.cols() - rank);
  if (chosen != freedoms) {
    throw DomainError("expected " + std::to_string(freedoms) +
                      " independent joints, one for each freedom of the joints, got " +
                      std::to_string(chosen));
  }
  if (rank_of(K_dependent) < rank) {
    throw DomainError("the chosen joints are not independent at this state: the loops relate them");
  }
}

/// @param columns  of independent joints, ascending
ClosedChain chain_in(const Model& model, const State& state, const JointRows& loops,
                     const std::vector<int>& columns) {
  const int n = model.joint_count();
  const std::vector<int> dependent = others(n, columns);
  ClosedChain chain;
  for (const int column : columns) chain.independent.push_back(column + 1);
  chain.G = MatrixX::Zero(n, static_cast<Eigen::Index>(columns.size()));
  chain.g = VectorX::Zero(n);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    chain.G(columns[i], static_cast<Eigen::Index>(i)) = 1.0;
  }
  if (!dependent.empty()) {
    const LeastNormSolver follow(loops.K(Eigen::all, dependent), kRankTolerance);
    chain.G(dependent, Eigen::all) = follow.solve(MatrixX(-loops.K(Eigen::all, columns)));
    chain.g(dependent) = follow.solve(loops.k);
  }
  const MatrixX H_star = chain.G.transpose() * reduced_inertia(model, state) * chain.G;
  chain.H_star = 0.5 * (H_star + H_star.transpose());
  return chain;
}

/// τ of least norm with Gᵀ τ = force, zero but for the actuated.
VectorX least_torque(const ClosedChain& chain, const VectorX& force,
                     const std::vector<int>& actuated) {
  VectorX tau = VectorX::Zero(chain.G.rows());
  if (force.size() == 0) return tau;
  const MatrixX effect = chain.G(actuated, Eigen::all).transpose();
  if (!actuated.empty()) {
    const LeastNormSolver solver(effect, kRankTolerance);
    tau(actuated) = solver.solve(force);
  }
  const VectorX left = force - effect * tau(actuated);
  if (!(left.norm() <= kForceTolerance * force.norm())) {
    throw DomainError("the actuated joints cannot give this motion: " +
                      std::to_string(rank_of(effect)) + " of " + std::to_string(force.size()) +
                      " freedoms are within their reach; let more joints be actuated");
  }
  return tau;
}

}  // namespace

ClosedChain closed_chain(const Model& model, const State& state) {
  state.check(model);
  const JointRows loops(model, state);
  return chain_in(model, state, loops, best_columns(model, loops.K));
}

ClosedChain closed_chain(const Model& model, const State& state,
                         const std::vector<int>& independent) {
  state.check(model);
  const std::vector<int> columns = columns_of(model, independent, "independent");
  const JointRows loops(model, state);
  require_independent(loops.K, columns.size(),
                      loops.K(Eigen::all, others(model.joint_count(), columns)));
  return chain_in(model, state, loops, columns);
}

Matrix6X generalized_jacobian(const Model& model, const State& state, const Frame& frame,
                              const ClosedChain& chain) {
  return generalized_jacobian(model, state, frame) * chain.G;
}

ReactionNullSpace reaction_null_space(const Model& model, const State& state, Reaction reaction,
                                      const ClosedChain& chain,
                                      const ReactionNullSpaceOptions& options) {
  options.check();
  ReactionNullSpace result(reaction, static_cast<int>(chain.G.cols()));
  compute_reaction_null_space(Snapshot(model, state).blocks, chain.G, options, result);
  return result;
}

ClosedInverseDynamics closed_inverse_dynamics(const Model& model, const State& state,
                                              const ClosedChain& chain, ConstVectorRef acceleration,
                                              const Loads& loads,
                                              const std::vector<int>& actuated) {
  if (acceleration.size() != model.velocity_size()) {
    throw DimensionError("the acceleration has " + std::to_string(acceleration.size()) +
                         " entries, expected " + std::to_string(model.velocity_size()));
  }
  const std::vector<int> columns = columns_of(model, actuated, "actuated");
  const int n = model.joint_count();
  ClosedInverseDynamics result;
  result.acceleration = acceleration;
  VectorX rate_change(chain.G.cols());
  for (std::size_t i = 0; i < chain.independent.size(); ++i) {
    rate_change(static_cast<Eigen::Index>(i)) = acceleration(5 + chain.independent[i]);
  }
  result.acceleration.tail(n) = chain.G * rate_change + chain.g;

  const VectorX forces = inverse_dynamics(model, state, result.acceleration, loads);
  result.F_b = forces.head<6>();
  result.tau = least_torque(chain, chain.G.transpose() * forces.tail(n), columns);
  const JointRows loops(model, state);
  result.multipliers = VectorX::Zero(loops.K.rows());
  if (loops.K.size() > 0) {
    result.multipliers = LeastNormSolver(loops.K.transpose(), kRankTolerance)
                             .solve(VectorX(forces.tail(n) - result.tau));
  }
  return result;
}

ClosedInverseDynamics closed_inverse_dynamics(const Model& model, const State& state,
                                              ConstVectorRef acceleration, const Loads& loads) {
  return closed_inverse_dynamics(model, state, closed_chain(model, state), acceleration, loads,
                                 others(model.joint_count() + 1, {0}));
}

}  // namespace spacedyn
