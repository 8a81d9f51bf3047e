#include "control/tasks/own_inertia.hpp"

namespace spacedyn {

OwnInertia::OwnInertia(const Model& model, const Mobility& mobility)
    : tree_(model, mobility), followers_(model.followers()) {
  if (!follows()) return;
  for (const int row : mobility.free()) {
    if (row < 6 || model.follower(row - 5) == nullptr) own_.push_back(row);
  }
  const auto count = static_cast<Eigen::Index>(own_.size());
  led_.resize(model.velocity_size(), model.velocity_size());
  compact_.resize(count, count);
  dense_ = Eigen::LLT<MatrixX>(count);
  excess_ = push_ = VectorX::Zero(model.velocity_size());
  gathered_.resize(count);
}

DynamicsStatus OwnInertia::factorize(const MatrixX& H) {
  if (!follows()) return tree_.factorize(H);
  led_.triangularView<Eigen::Upper>() = H;
  led_.triangularView<Eigen::StrictlyLower>() = H.transpose();
  for (const Follower& each : followers_) {
    led_.col(each.followed + 5) += each.ratio * led_.col(each.joint + 5);
  }
  for (const Follower& each : followers_) {
    led_.row(each.followed + 5) += each.ratio * led_.row(each.joint + 5);
  }
  for (Eigen::Index i = 0; i < compact_.rows(); ++i) {
    for (Eigen::Index k = 0; k <= i; ++k) {
      compact_(i, k) = led_(own_[static_cast<std::size_t>(i)], own_[static_cast<std::size_t>(k)]);
    }
  }
  dense_.compute(compact_);
  return dense_.info() == Eigen::Success ? DynamicsStatus::ok
                                         : DynamicsStatus::inertia_not_positive_definite;
}

void OwnInertia::gather(VectorRef x) const {
  for (const Follower& each : followers_) x(each.followed + 5) += each.ratio * x(each.joint + 5);
  for (Eigen::Index i = 0; i < gathered_.size(); ++i) {
    gathered_(i) = x(own_[static_cast<std::size_t>(i)]);
  }
  dense_.matrixL().solveInPlace(gathered_);
}

void OwnInertia::halve(VectorRef x) const {
  if (!follows()) return tree_.solve_from_tips(x);
  gather(x);
  x.setZero();
  x.head(gathered_.size()) = gathered_;
}

void OwnInertia::constrain(const MatrixX& H, VectorRef acceleration) {
  if (!follows()) return;
  excess_.setZero();
  for (const Follower& each : followers_) {
    const double led = each.ratio * acceleration(each.followed + 5);
    excess_(each.joint + 5) = acceleration(each.joint + 5) - led;
    acceleration(each.joint + 5) = led;
  }
  push_.noalias() = H.selfadjointView<Eigen::Upper>() * excess_;
  gather(push_);
  dense_.matrixU().solveInPlace(gathered_);
  for (Eigen::Index i = 0; i < gathered_.size(); ++i) {
    acceleration(own_[static_cast<std::size_t>(i)]) += gathered_(i);
  }
  for (const Follower& each : followers_) {
    acceleration(each.joint + 5) = each.ratio * acceleration(each.followed + 5);
  }
}

}  // namespace spacedyn
