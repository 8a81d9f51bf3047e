/// @file
/// Linear equations of motion about a state of a model with everything that acts on it.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/system/discrete_state.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// δẋ = A δx + B δτ, δy = C δx about one instant of a motion, which need not be an equilibrium.
///
/// States δx: of the free coordinates, positions (base: δr_0, then the rotation vector δθ on the
/// left, inertial axes; joints), then velocities in the same order, then auxiliary states of forces
/// and controllers. Inputs: base force and moment (if it is free) and torques of free joints, on
/// top of what acts. Outputs: position, rotation vector, velocity and angular velocity of every
/// frame of the model, inertial axes. Prescribed motion is not varied, nor is time.
///
/// Where loops or motion constraints hold, states are those of the manifold that they leave: of as
/// many coordinates as there are freedoms, the others follow. Nonholonomic rows leave more freedoms
/// of positions than of velocities. So are A, B and C; H and D are those of the tree, K has the
/// geometric stiffness of the loops and constraints as well.
struct Linearization {
  double time = 0.0;                      ///< s
  int position_count = 0;                 ///< the first states; velocities follow
  std::vector<std::string> state_names;   ///< `base.position.x`, `elbow.position`, …
  std::vector<std::string> input_names;   ///< `base.force.x`, `elbow.torque`, …
  std::vector<std::string> output_names;  ///< `hand.position.x`, …
  MatrixX A, B, C;
  VectorX rate;  ///< ẋ at the point itself: zero at an equilibrium

  /// @name H δu̇ + D δu + K δx = δ[F_b; τ] in all 6 + n coordinates
  /// @{
  MatrixX H, D, K;
  /// @}

  /// States along which loads bend so sharply that no derivative stands for them: a limit just
  /// reached, a contact just made.
  std::vector<std::string> rough;
};

/// Linearizes at a state. Dynamics and the elements that differentiate() themselves are
/// differentiated analytically, loads of others by central differences, good to ten digits where
/// they are smooth. A sampled controller counts as a continuous one.
/// Controllers that are off command nothing; locked joints are held, prescribed coordinates follow
/// their motion exactly.
/// @param state         with auxiliary states, or none for the elements' own initial ones
/// @param acceleration  u̇, of which the prescribed coordinates are read; size 6 + n
/// @param discrete      what is locked, on and off, as SimulationPoint::discrete
/// @throws DimensionError, DomainError if a size is wrong, a number not finite or an element does
/// not fit the model; NumericalError if H is not positive definite or a load is not finite
SPACEDYN_EXPORT Linearization linearize(const ForcedSystem& system, const State& state, double time,
                                        ConstVectorRef acceleration, const DiscreteState& discrete);
/// The same as at the start: controllers are on, locked joints locked.
SPACEDYN_EXPORT Linearization linearize(const ForcedSystem& system, const State& state, double time,
                                        ConstVectorRef acceleration);
/// The same with prescribed coordinates at constant velocity.
SPACEDYN_EXPORT Linearization linearize(const ForcedSystem& system, const State& state,
                                        double time = 0.0);

/// One eigenvalue λ of A, or a conjugate pair, Im λ ≥ 0.
struct SPACEDYN_EXPORT EigenMode {
  std::complex<double> eigenvalue;  ///< 1/s
  double omega = 0.0;               ///< |λ|, rad/s: the undamped frequency of a pair
  double damping_ratio = 0.0;  ///< −Re λ/|λ|; negative if it grows, ±1 if it does not oscillate
  Eigen::VectorXcd shape;      ///< unit length, its largest element real and positive
  bool is_rigid() const { return omega == 0.0; }
  double frequency() const;  ///< |Im λ|/2π, Hz
};

/// Eigenvalues and eigenvectors of a square matrix, ascending in |λ|. Those that rounding cannot
/// tell from zero, |λ| ≤ √(n ε |A|), as the double ones of rigid-body motion, are given as zero.
/// @throws DomainError if A is not square or not finite; NumericalError if the iteration fails
SPACEDYN_EXPORT std::vector<EigenMode> eigenmodes(const MatrixX& A);

}  // namespace spacedyn
