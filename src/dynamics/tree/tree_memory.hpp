/// @file
/// What a TreeWorkspace holds.
#pragma once

#include <vector>

#include "dynamics/kernels/kernel_table.hpp"
#include "dynamics/tree/tree_constants.hpp"
#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

struct TreeWorkspace::Memory {
  Memory(const Model& model, const Mobility& its_mobility);

  InstructionSet set;
  const KernelTable& kernels;
  TreeConstants constants;
  Tree tree;  ///< view of the constants
  Mobility mobility;
  std::vector<double> free;      ///< per entry, 1 or 0
  std::vector<double> zeros;     ///< one per body
  std::vector<double> ignored;   ///< forces that were not asked for, 6 + n
  std::vector<double> momentum;  ///< the first six rows of H
  std::vector<int> runs;         ///< of the path to one body, two numbers per body
  double* scratch;               ///< of the kernels, aligned to 64 bytes

  /// A state as kernels see it; rotations of spherical joints go into the constants.
  KernelState<double> kernel_state(const State& state) {
    if (!spherical_.empty()) turn_spherical_joints(state);
    const VectorX& q = spherical_.empty() ? state.q : q_;
    return {state.A_0.data(), state.omega_0.data(), q.data(), state.qd.data()};
  }

 private:
  struct SphericalJoint {
    int first, entry;
    Joint joint;
  };
  void turn_spherical_joints(const State& state);

  std::vector<SphericalJoint> spherical_;
  VectorX q_;  // zero where spherical joints have their rotation vectors
  std::vector<double> store_;
};

/// After the motion of the workspace: the kernel of forward_dynamics(), its pivots judged as those
/// of a factorization of H would be.
DynamicsStatus solve_articulated_bodies(TreeWorkspace::Memory& memory,
                                        const KernelLoads<double>& loads, double* acceleration,
                                        double* forces, double* base_inverse = nullptr) noexcept;

/// Whether the pivots of the last kernel of articulated bodies are those of a definite inertia.
/// @param smallest  the smallest part that a pivot is of the bound of its inertia
DynamicsStatus judge_pivots(TreeWorkspace::Memory& memory, double smallest) noexcept;

inline KernelLoads<double> kernel_loads(const Loads& loads) {
  return {loads.gravity.data(), loads.F_b.data(), loads.tau.data(), loads.force.data(),
          loads.moment.data()};
}

}  // namespace spacedyn
