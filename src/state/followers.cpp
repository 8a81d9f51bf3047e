#include "spacedyn/state/followers.hpp"

namespace spacedyn {
namespace {

/// Columns that stay: those before the joints, and those of joints that follow no other.
std::vector<Eigen::Index> own_indices(const Model& model, Eigen::Index size) {
  const Eigen::Index before = size - model.joint_count();
  std::vector<Eigen::Index> indices;
  for (Eigen::Index i = 0; i < before; ++i) indices.push_back(i);
  for (const int joint : model.coordinates()) indices.push_back(before + joint - 1);
  return indices;
}

}  // namespace

void follow(const Model& model, State& state) noexcept {
  for (const Follower& each : model.followers()) {
    state.q(each.joint - 1) = each.ratio * state.q(each.followed - 1) + each.offset;
    state.qd(each.joint - 1) = each.ratio * state.qd(each.followed - 1);
  }
}

void follow(const Model& model, VectorRef motion) noexcept {
  const Eigen::Index first = motion.size() - model.joint_count() - 1;
  for (const Follower& each : model.followers()) {
    motion(first + each.joint) = each.ratio * motion(first + each.followed);
  }
}

void lead(const Model& model, Eigen::Ref<MatrixX> J) noexcept {
  const Eigen::Index first = J.cols() - model.joint_count() - 1;
  for (const Follower& each : model.followers()) {
    J.col(first + each.followed) += each.ratio * J.col(first + each.joint);
    J.col(first + each.joint).setZero();
  }
}

VectorX own_motion(const Model& model, ConstVectorRef motion) {
  if (model.followers().empty()) return motion;
  return motion(own_indices(model, motion.size()));
}

VectorX own_force(const Model& model, ConstVectorRef force) {
  if (model.followers().empty()) return force;
  return own_columns(model, force.transpose()).transpose();
}

MatrixX own_columns(const Model& model, const MatrixX& J) {
  if (model.followers().empty()) return J;
  MatrixX whole = J;
  lead(model, whole);
  return whole(Eigen::all, own_indices(model, J.cols()));
}

MatrixX own_matrix(const Model& model, const MatrixX& H) {
  if (model.followers().empty()) return H;
  return own_columns(model, own_columns(model, H).transpose()).transpose();
}

double own_force(const Model& model, ConstVectorRef tau, int joint) noexcept {
  double sum = tau(joint - 1);
  for (const Follower& each : model.followers()) {
    if (each.followed == joint) sum += each.ratio * tau(each.joint - 1);
  }
  return sum;
}

}  // namespace spacedyn
