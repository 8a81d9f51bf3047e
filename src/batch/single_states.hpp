/// @file
/// Tiles state by state, for robots whose joints the lanes do not know.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Cholesky>

#include "batch/kernels/rk4_task.hpp"
#include "batch/kernels/robot.hpp"
#include "integration/equations/layout.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn::batch {

/// Puts the charts of spherical joints where the joints of a state of a tile are.
/// @param spherical_joints  first coordinates, of n joints
void begin_charts(const std::vector<int>& spherical_joints, int n, double* lane);

/// The functions of KernelTable by the O(n) algorithms of single states, in the memory of one
/// thread: with spherical joints, whose rotation vectors have charts behind the other rows, and
/// with joints that follow others, by Gᵀ H G. Allocates when constructed only.
class SingleStates {
 public:
  SingleStates(const Model& model, const Vector3& gravity);

  /// Whether a robot has joints that only this class knows.
  static bool are_needed(const Model& model);

  void forward_dynamics(const double* state, const double* forces, double* acceleration);
  void inverse_dynamics(const double* state, const double* acceleration, double* forces);
  void rk4(const Rk4Task& task, const double* forces, double* state);
  /// One state of a tile, and memory for what it is asked.
  const State& take(const double* state) {
    read(state);
    return state_;
  }
  TreeWorkspace& workspace() { return workspace_; }
  /// After prepare_matrix(), which allocates.
  void inertia_matrix(const double* state, double* H);
  void prepare_matrix();
  /// After prepare_derivatives().
  void inverse_inertia(const double* state, double* H_inverse);
  /// Of one state of a tile; NaN where H is not positive definite. After prepare_derivatives(),
  /// which allocates; not with joints that follow others.
  const ForwardDynamicsDerivatives& derivatives(const double* state, const double* forces);
  void prepare_derivatives();

 private:
  void read(const double* lane);
  void accelerate();
  void accelerate_own_coordinates();
  void take_forces(const PdTask& pd, int instant, const double* given);
  void take_rates(const Rk4Task& task, int instant, const double* given, VectorX& rates);
  void read_charts(const double* lane);
  void write_charts(double* lane);

  const Model& model_;
  TreeWorkspace workspace_;
  State state_;
  Loads loads_;
  VectorX acceleration_, forces_;
  std::vector<int> own_;        // coordinate in y of each of u; −1 of a base that is held
  std::vector<double> factor_;  // in G
  MatrixX H_, own_H_;
  Eigen::LLT<MatrixX> factorization_;
  VectorX own_force_;
  std::vector<AttitudeChart> charts_;  // of A_0, then of Rᵀ at −θ for each spherical joint
  VectorX start_, x_, rates_, sum_;    // [r_0; θ; q; u], q of spherical joints in their charts
  std::optional<DerivativesWorkspace> derivatives_workspace_;
  ForwardDynamicsDerivatives derivatives_;
};

}  // namespace spacedyn::batch
