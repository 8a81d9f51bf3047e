#include "spacedyn/control/torquer_allocation.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Singular values of the torquers' axes below this count as zero.
constexpr double kIndependent = 1e-9;

}  // namespace

TorquerAllocation::TorquerAllocation(const std::string& owner, std::vector<Torquer> torquers)
    : torquers_(std::move(torquers)) {
  if (torquers_.empty()) throw DomainError(owner + "it has no torquers");
  axes_.resize(3, size());
  for (std::size_t i = 0; i < torquers_.size(); ++i) {
    const Torquer& torquer = torquers_[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (torquers_[j].name != torquer.name) continue;
      throw DomainError(owner + '\'' + torquer.name + "' is named twice");
    }
    if (torquer.at.body != body()) {
      throw DomainError(owner + '\'' + torquer.name + "' and '" + torquers_.front().name +
                        "' are on different bodies");
    }
    axes_.col(static_cast<Eigen::Index>(i)) = torquer.at.rotation * torquer.axis;
  }
  Eigen::JacobiSVD<MatrixX> svd(axes_, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kIndependent);
  inverse_ = svd.solve(Matrix3::Identity()).transpose();
}

void TorquerAllocation::allocate(const EvaluationContext& context, const Vector3& torque,
                                 VectorRef dipoles) const {
  dipoles.setZero();
  const Vector3 B = torquers_.front().field_at(context);
  const double square = B.squaredNorm();
  if (square == 0.0) return;
  const Matrix3& A = context.frames.A[static_cast<std::size_t>(body())];
  const Vector3 m = A.transpose() * B.cross(torque) / square;
  double excess = 1.0;
  for (int i = 0; i < size(); ++i) {
    dipoles(i) = inverse_.col(i).dot(m);
    const double limit = torquers_[static_cast<std::size_t>(i)].dipole_limit;
    excess = std::max(excess, std::abs(dipoles(i)) / limit);
  }
  dipoles /= excess;
}

void TorquerAllocation::apply(const EvaluationContext& context, ConstVectorRef dipoles,
                              Loads& loads) const {
  for (int i = 0; i < size(); ++i) {
    torquers_[static_cast<std::size_t>(i)].apply(context, dipoles(i), loads);
  }
}

std::vector<int> TorquerAllocation::axes_without_torque(const Matrix3& axes) const {
  std::vector<int> missing;
  for (int axis = 0; axis < 3; ++axis) {
    bool turns = false;
    for (int i = 0; i < size(); ++i) {
      turns = turns || axes_.col(i).cross(axes.col(axis)).norm() > kIndependent;
    }
    if (!turns) missing.push_back(axis);
  }
  return missing;
}

}  // namespace spacedyn
