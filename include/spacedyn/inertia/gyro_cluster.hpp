/// @file
/// Clusters of control-moment gyros: momentum, torques of their gimbals, singularities.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// Joint of the rotor of a gyro; 0 if the joint is no gimbal of one.
SPACEDYN_EXPORT int gyro_rotor(const Model& model, int gimbal);
/// Joints of all gimbals of a model, in its order.
SPACEDYN_EXPORT std::vector<int> gyro_gimbals(const Model& model);

/// What gyros do at one state, inertial axes: with h_i = J_i Ω_i s_i on a gimbal about g_i, rates
/// δ̇ give the body the torque −A δ̇, A = [g_i × h_i] [Wie 2008].
struct SPACEDYN_EXPORT GyroCluster {
  /// Memory for a number of gyros.
  explicit GyroCluster(int size);

  Matrix3X momenta;          ///< h_i, N m s
  Matrix3X torque;           ///< A, N m per rad/s
  Vector3 momentum;          ///< Σ h_i, N m s
  double singularity = 0.0;  ///< √det(Â Âᵀ), Â = [g_i × h_i/|h_i|]; 0: no torque about some
                             ///< axis, as with fewer than three gyros at any state
  Vector3 weak = Vector3::UnitX();      ///< unit vector about which it is hardest to give a torque
  Vector3 strengths = Vector3::Zero();  ///< singular values of A, descending, N m per rad/s
};

/// Fills a cluster of the size of @p gimbals. O(n), allocates nothing.
/// @pre each of @p gimbals is one of a gyro, the frames are those of the state with rates @p qd
SPACEDYN_EXPORT void compute_gyro_cluster(const Model& model, const LinkFrames& frames,
                                          const VectorX& qd, const std::vector<int>& gimbals,
                                          GyroCluster& cluster);

/// The gradient ∂m/∂δ of the singularity measure m, zero where m is. Allocates nothing.
SPACEDYN_EXPORT void singularity_gradient(const GyroCluster& cluster, VectorRef gradient);

/// A cluster of gyros at a state. @throws DomainError if a joint is no gimbal of a gyro;
/// DimensionError if the state does not fit the model
SPACEDYN_EXPORT GyroCluster gyro_cluster(const Model& model, const State& state,
                                         const std::vector<int>& gimbals);

}  // namespace spacedyn
