#include "spacedyn/inertia/gyro_cluster.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Σ of the products of columns that are divided by the momenta.
Matrix3 square_of_directions(const GyroCluster& cluster) {
  Matrix3 square = Matrix3::Zero();
  for (Eigen::Index i = 0; i < cluster.torque.cols(); ++i) {
    const double h = cluster.momenta.col(i).squaredNorm();
    if (h > 0.0) square += cluster.torque.col(i) * cluster.torque.col(i).transpose() / h;
  }
  return square;
}

}  // namespace

int gyro_rotor(const Model& model, int gimbal) {
  if (gimbal < 1 || gimbal > model.joint_count() || model.wheel(gimbal) == nullptr) return 0;
  for (int i = gimbal + 1; i <= model.joint_count(); ++i) {
    if (model.topology().connection(i) == gimbal && model.wheel(i) != nullptr) return i;
  }
  return 0;
}

std::vector<int> gyro_gimbals(const Model& model) {
  std::vector<int> gimbals;
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (gyro_rotor(model, i) != 0) gimbals.push_back(i);
  }
  return gimbals;
}

GyroCluster::GyroCluster(int size)
    : momenta(Matrix3X::Zero(3, size)),
      torque(Matrix3X::Zero(3, size)),
      momentum(Vector3::Zero()) {}

void compute_gyro_cluster(const Model& model, const LinkFrames& frames, const VectorX& qd,
                          const std::vector<int>& gimbals, GyroCluster& cluster) {
  cluster.momentum.setZero();
  for (std::size_t i = 0; i < gimbals.size(); ++i) {
    const int gimbal = gimbals[i], rotor = gyro_rotor(model, gimbal);
    const auto column = static_cast<Eigen::Index>(i);
    const Vector3 h = model.wheel(rotor)->spin_inertia * qd(rotor - 1) *
                      frames.k[static_cast<std::size_t>(rotor)];
    cluster.momenta.col(column) = h;
    cluster.torque.col(column) = frames.k[static_cast<std::size_t>(gimbal)].cross(h);
    cluster.momentum += h;
  }
  // fewer than three columns have no volume, whatever rounding makes of it
  const bool spans = gimbals.size() >= 3;
  const double square = spans ? square_of_directions(cluster).determinant() : 0.0;
  cluster.singularity = std::sqrt(std::max(square, 0.0));
  Eigen::SelfAdjointEigenSolver<Matrix3> eigen;
  eigen.compute(Matrix3(cluster.torque * cluster.torque.transpose()));
  cluster.strengths = eigen.eigenvalues().reverse().cwiseMax(0.0).cwiseSqrt();
  cluster.weak = eigen.eigenvectors().col(0);
}

void singularity_gradient(const GyroCluster& cluster, VectorRef gradient) {
  gradient.setZero();
  const double m = cluster.singularity;
  if (m == 0.0) return;
  // dm = m âᵀ (Â Âᵀ)⁻¹ dâ, and dâ_i = g × (g × ĥ) dδ_i = −ĥ_i dδ_i
  const Matrix3 inverse = square_of_directions(cluster).inverse();
  for (Eigen::Index i = 0; i < gradient.size(); ++i) {
    const double square = cluster.momenta.col(i).squaredNorm();
    if (square == 0.0) continue;
    gradient(i) = -m / square * cluster.torque.col(i).dot(inverse * cluster.momenta.col(i));
  }
}

GyroCluster gyro_cluster(const Model& model, const State& state, const std::vector<int>& gimbals) {
  for (const int gimbal : gimbals) {
    if (gyro_rotor(model, gimbal) != 0) continue;
    throw DomainError("joint " + std::to_string(gimbal) + " is no gimbal of a gyro");
  }
  state.check(model);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  GyroCluster cluster(static_cast<int>(gimbals.size()));
  compute_gyro_cluster(model, frames, state.qd, gimbals, cluster);
  return cluster;
}

}  // namespace spacedyn
