#include "spacedyn/control/wheel_null_space.hpp"

#include <cmath>

#include <Eigen/SVD>

#include "control/reference_checks.hpp"
#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

Eigen::JacobiSVD<MatrixX> decompose_fully(const Matrix3X& axes) {
  Eigen::JacobiSVD<MatrixX> svd(axes, Eigen::ComputeFullU | Eigen::ComputeFullV);
  svd.setThreshold(1e-9);
  return svd;
}

}  // namespace

int null_space_dimension(const Matrix3X& wheel_axes) {
  return static_cast<int>(wheel_axes.cols() - decompose_fully(wheel_axes).rank());
}

WheelNullSpace::WheelNullSpace(const std::string& owner, const Model& model,
                               std::vector<int> wheels, const Settings& settings)
    : wheels_(std::move(wheels)) {
  if (!std::isfinite(settings.gain) || settings.gain <= 0.0) {
    throw DomainError(owner + "the gain of the null space must be finite and positive");
  }
  const auto size = static_cast<Eigen::Index>(wheels_.size());
  const Matrix3X axes = wheel_axes(model, wheels_);
  const auto svd = decompose_fully(axes);
  if (svd.rank() == size) throw DomainError(owner + "its wheels have no null space");
  const MatrixX null = svd.matrixV().rightCols(size - svd.rank());
  projector_ = settings.gain * null * null.transpose();
  inertia_.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    inertia_(i) = model.wheel(wheels_[static_cast<std::size_t>(i)])->spin_inertia;
  }
  wanted_ = VectorX::Zero(size);
  if (settings.speeds.size() == 0) return;
  check_same_size(owner + "the speeds of the null space", settings.speeds.size(), size);
  check_finite(owner + "the speeds of the null space", settings.speeds);
  wanted_ = inertia_.cwiseProduct(settings.speeds);
}

void WheelNullSpace::add(const EvaluationContext& context, VectorRef torques) const {
  for (Eigen::Index k = 0; k < inertia_.size(); ++k) {
    const int joint = wheels_[static_cast<std::size_t>(k)];
    const double error = inertia_(k) * context.state.qd(joint - 1) - wanted_(k);
    torques -= error * projector_.col(k);
  }
}

}  // namespace spacedyn
