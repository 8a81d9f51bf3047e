#include "spacedyn/control/wheel_allocation.hpp"

#include <cmath>

#include <Eigen/SVD>

#include "control/mounting.hpp"
#include "control/reference_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Part of an axis that may lie outside of what the wheels span.
constexpr double kSpanned = 1e-9;

using Decomposition = Eigen::JacobiSVD<MatrixX>;

/// Singular vectors of the axes of wheels, those that count.
Decomposition decompose(const Matrix3X& axes,
                        unsigned options = Eigen::ComputeThinU | Eigen::ComputeThinV) {
  Decomposition svd(axes, options);
  svd.setThreshold(1e-9);
  return svd;
}

Decomposition decompose_fully(const Matrix3X& axes) {
  return decompose(axes, Eigen::ComputeFullU | Eigen::ComputeFullV);
}

const std::vector<int>& checked_wheels(const std::string& owner, const Model& model,
                                       const std::vector<int>& wheels) {
  check_wheels(owner, model, wheels);
  check_on_one_body(owner, model, wheels);
  return wheels;
}

}  // namespace

void check_wheels(const std::string& owner, const Model& model, const std::vector<int>& joints) {
  if (joints.empty()) throw DomainError(owner + "it has no wheels");
  for (const int joint : joints) {
    if (joint >= 1 && joint <= model.joint_count() && model.wheel(joint) != nullptr) continue;
    throw DomainError(owner + "joint " + std::to_string(joint) + " has no reaction wheel");
  }
}

Matrix3X wheel_axes(const Model& model, const std::vector<int>& joints) {
  Matrix3X axes(3, static_cast<Eigen::Index>(joints.size()));
  if (joints.empty()) return axes;
  const Matrix3 to_carrier = axes_of_carrier(model, joints.front()).transpose();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    axes.col(static_cast<Eigen::Index>(i)) = to_carrier * model.joint(joints[i]).rotation.col(2);
  }
  return axes;
}

std::vector<int> axes_without_command(const Matrix3X& wheel_axes) {
  const Decomposition svd = decompose(wheel_axes);
  const auto U = svd.matrixU().leftCols(svd.rank());
  std::vector<int> missing;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 e = Vector3::Unit(axis);
    if ((e - U * (U.transpose() * e)).norm() > kSpanned) missing.push_back(axis);
  }
  return missing;
}

int null_space_dimension(const Matrix3X& wheel_axes) {
  return static_cast<int>(wheel_axes.cols() - decompose_fully(wheel_axes).rank());
}

WheelAllocation::WheelAllocation(const std::string& owner, const Model& model,
                                 std::vector<int> wheels, const NullSpace& null_space)
    : Allocation("wheels", model, checked_wheels(owner, model, wheels)),
      wheels_(std::move(wheels)) {
  const Matrix3X axes = wheel_axes(model, wheels_);
  inverse_ = -decompose(axes).solve(Matrix3::Identity()).transpose();
  if (null_space.gain != 0.0) take_null_space(owner, model, axes, null_space);
}

void WheelAllocation::take_null_space(const std::string& owner, const Model& model,
                                      const Matrix3X& axes, const NullSpace& null_space) {
  if (!std::isfinite(null_space.gain) || null_space.gain <= 0.0) {
    throw DomainError(owner + "the gain of the null space must be finite and positive");
  }
  const auto size = static_cast<Eigen::Index>(wheels_.size());
  const Decomposition svd = decompose_fully(axes);
  if (svd.rank() == size) throw DomainError(owner + "its wheels have no null space");
  const MatrixX null = svd.matrixV().rightCols(size - svd.rank());
  projector_ = null_space.gain * null * null.transpose();
  inertia_.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    inertia_(i) = model.wheel(wheels_[static_cast<std::size_t>(i)])->spin_inertia;
  }
  wanted_ = VectorX::Zero(size);
  if (null_space.speeds.size() == 0) return;
  check_same_size(owner + "the speeds of the null space", null_space.speeds.size(), size);
  check_finite(owner + "the speeds of the null space", null_space.speeds);
  wanted_ = inertia_.cwiseProduct(null_space.speeds);
}

void WheelAllocation::check(const std::string& owner, const Model& model) const {
  checked_wheels(owner, model, wheels_);
}

std::vector<int> WheelAllocation::idle_axes(const Model& model) const {
  return axes_without_command(wheel_axes(model, wheels_));
}

void WheelAllocation::allocate(const EvaluationContext& context, const WrenchDemand& demand,
                               VectorRef command) const {
  const Matrix3 A = context.frames.A[static_cast<std::size_t>(body())] * axes();
  const Vector3 torque = A.transpose() * demand.torque;
  for (Eigen::Index i = 0; i < command.size(); ++i) command(i) = inverse_.col(i).dot(torque);
  for (Eigen::Index k = 0; k < projector_.cols(); ++k) {
    const int joint = wheels_[static_cast<std::size_t>(k)];
    const double error = inertia_(k) * context.state.qd(joint - 1) - wanted_(k);
    command -= error * projector_.col(k);
  }
}

void WheelAllocation::apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    loads.tau(wheels_[static_cast<std::size_t>(i)] - 1) += command(i);
  }
}

}  // namespace spacedyn
