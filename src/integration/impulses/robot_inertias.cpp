#include "integration/impulses/robot_inertias.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

/// H⁻¹ = L⁻ᵀ L⁻¹ with H = L Lᵀ, six rows without calls.
/// @returns false unless H is positive definite
bool invert(const MatrixX& H, Eigen::Matrix<double, 6, 6>& inverse) {
  Eigen::Matrix<double, 6, 6> L, M;  // M = L⁻¹
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k <= i; ++k) {
      double rest = H(i, k);
      for (int j = 0; j < k; ++j) rest -= L(i, j) * L(k, j);
      if (k < i) {
        L(i, k) = rest * M(k, k);
      } else if (!(rest > 0.0)) {
        return false;
      } else {
        M(i, i) = 1.0 / std::sqrt(rest);
      }
    }
    for (int k = 0; k < i; ++k) {
      double sum = 0.0;
      for (int j = k; j < i; ++j) sum += L(i, j) * M(j, k);
      M(i, k) = -sum * M(i, i);
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k <= i; ++k) {
      double sum = 0.0;
      for (int j = i; j < 6; ++j) sum += M(j, i) * M(j, k);
      inverse(i, k) = inverse(k, i) = sum;
    }
  }
  return true;
}

}  // namespace

RobotInertias::RobotInertias(const Model& model)
    : model_(&model),
      block_of_(static_cast<std::size_t>(model.body_count()), -1),
      rows_(static_cast<std::size_t>(model.velocity_size())),
      is_free_(rows_.size(), 0) {
  if (model.robots().empty()) {
    Block whole;
    whole.size = model.velocity_size();
    std::fill(block_of_.begin(), block_of_.end(), 0);
    blocks_.push_back(whole);
  }
  for (const Robot& robot : model.robots()) {
    Block block;
    block.first = robot.first + 5;
    block.size = robot.end - robot.first;
    if (block.size == 0) continue;
    for (int body = robot.first; body < robot.end; ++body) {
      block_of_[static_cast<std::size_t>(body)] = static_cast<int>(blocks_.size());
    }
    blocks_.push_back(block);
  }
  for (int body = 0; body < model.body_count(); ++body) {
    if (block_of(body) >= 0)
      blocks_[static_cast<std::size_t>(block_of(body))].bodies.push_back(body);
  }
  factors_.resize(blocks_.size());
  right_.resize(model.velocity_size());
}

void RobotInertias::join(const MatrixX& added) {
  for (std::size_t b = 0; b + 1 < blocks_.size();) {
    const Eigen::Index first = blocks_[b].first, end = first + blocks_[b].size;
    Eigen::Index last = added.cols() - 1;
    while (last >= end && added.col(last).segment(first, end - first).isZero(0.0) &&
           added.row(last).segment(first, end - first).isZero(0.0)) {
      --last;
    }
    if (last < end) {
      ++b;
      continue;
    }
    const Block next = blocks_[b + 1];
    blocks_[b].size = next.first + next.size - blocks_[b].first;
    blocks_[b].bodies.insert(blocks_[b].bodies.end(), next.bodies.begin(), next.bodies.end());
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1);
    factors_.pop_back();
    for (int& block : block_of_) {
      if (block > static_cast<int>(b)) --block;
    }
  }
}

void RobotInertias::update(const Model& model, const LinkFrames& frames, const Mobility& mobility,
                           const MatrixX* added) {
  model_ = &model;
  frames_ = &frames;
  added_ = added;
  if (added != nullptr) join(*added);
  for (int k = 0; k < 3; ++k) {
    rows_[static_cast<std::size_t>(k)].slide = Vector3::Unit(k);
    rows_[static_cast<std::size_t>(k) + 3] = {Vector3::Unit(k), Vector3::Zero(), frames.r[0]};
  }
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    const auto j = static_cast<std::size_t>(joint);
    const Joint& its = model.joint(joint);
    rows_[j + 5] = {its.turn * frames.k[j], its.slide * frames.k[j], frames.p[j]};
  }
  std::fill(is_free_.begin(), is_free_.end(), 0);
  for (const int row : mobility.free()) is_free_[static_cast<std::size_t>(row)] = 1;
  for (const Follower& each : model.followers()) {
    is_free_[static_cast<std::size_t>(each.joint + 5)] =
        is_free_[static_cast<std::size_t>(each.followed + 5)];
  }
  for (Factor& factor : factors_) factor.is_known = false;
}

template <typename Visit>
void RobotInertias::for_each_row(int body, const Visit& visit) const {
  for (int joint = body; joint > 0; joint = model_->topology().connection(joint)) visit(joint + 5);
  if (!model_->robots().empty()) return;
  for (int row = 0; row < 6; ++row) visit(row);
}

void RobotInertias::add_columns(
    int body, const Vector3& point, const Matrix3& axes, double sign,
    Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 3>> columns) const {
  const Block& block = blocks_[static_cast<std::size_t>(block_of(body))];
  for_each_row(body, [&](int row) {
    const Vector3 linear = rows_[static_cast<std::size_t>(row)].linear(point);
    columns.row(row - block.first) += sign * (linear.transpose() * axes);
  });
}

void RobotInertias::add_body(const Block& block, int body, MatrixX& H) {
  const auto i = static_cast<std::size_t>(body);
  const Body& own = model_->body(body);
  const Matrix3 inertia = frames_->A[i] * own.inertia_L * frames_->A[i].transpose();
  columns_.clear();
  for_each_row(body, [&](int row) {
    const Row& at = rows_[static_cast<std::size_t>(row)];
    if (!is_free_[static_cast<std::size_t>(row)]) return;
    columns_.push_back({row - block.first, at.linear(frames_->r[i]), at.turn, inertia * at.turn});
  });
  for (const Column& a : columns_) {
    const Vector3 momentum = own.mass * a.linear;
    for (const Column& b : columns_) {
      if (b.row > a.row) continue;
      H(a.row, b.row) += momentum.dot(b.linear) + a.momentum.dot(b.angular);
    }
  }
}

void RobotInertias::lead(const Block& block, MatrixX& H) const {
  if (model_->followers().empty()) return;
  for (int i = 0; i < block.size; ++i) {
    for (int k = i + 1; k < block.size; ++k) H(i, k) = H(k, i);
  }
  for_each_follower(block, [&](const Follower& each, int joint, int followed) {
    H.col(followed) += each.ratio * H.col(joint);
    H.col(joint).setZero();
  });
  for_each_follower(block, [&](const Follower& each, int joint, int followed) {
    H.row(followed) += each.ratio * H.row(joint);
    H.row(joint).setZero();
  });
}

template <typename Columns>
void RobotInertias::lead_rows(const Block& block, Columns& columns) const {
  for_each_follower(block, [&](const Follower& each, int joint, int followed) {
    columns.row(followed) += each.ratio * columns.row(joint);
    columns.row(joint).setZero();
  });
  for (int k = 0; k < block.size; ++k) {
    if (!is_free_[static_cast<std::size_t>(block.first + k)]) columns.row(k).setZero();
  }
}

template <typename Columns>
void RobotInertias::follow_rows(const Block& block, Columns& columns) const {
  for_each_follower(block, [&](const Follower& each, int joint, int followed) {
    columns.row(joint) = each.ratio * columns.row(followed);
  });
}

template <typename Visit>
void RobotInertias::for_each_follower(const Block& block, const Visit& visit) const {
  for (const Follower& each : model_->followers()) {
    const int joint = each.joint + 5 - block.first;
    if (joint >= 0 && joint < block.size) visit(each, joint, each.followed + 5 - block.first);
  }
}

bool RobotInertias::decompose(const Block& block, const MatrixX& matrix, Factor& factor) const {
  if (block.size == 6) return invert(matrix, factor.inverse);
  factor.any.compute(matrix);
  return factor.any.info() == Eigen::Success;
}

void RobotInertias::solve(std::size_t block, VectorRef x) const {
  if (blocks_[block].size == 6) {
    x = Eigen::Matrix<double, 6, 1>(factors_[block].inverse * x);
  } else {
    factors_[block].any.solveInPlace(x);
  }
}

void RobotInertias::factorize(std::size_t block) {
  const Block& own = blocks_[block];
  Factor& factor = factors_[block];
  MatrixX& H = factor.H;
  H.setZero(own.size, own.size);
  for (const int body : own.bodies) {
    const Body& mass = model_->body(body);
    if (mass.mass > 0.0 || !mass.inertia_L.isZero(0.0)) add_body(own, body, H);
  }
  const auto is_free = [&](int k) {
    return is_free_[static_cast<std::size_t>(own.first + k)] != 0;
  };
  for (int k = 0; k < own.size; ++k) {
    const int row = own.first + k;
    if (row > 5 && is_free(k)) H(k, k) += model_->joint(row - 5).armature;
  }
  factor.is_known = true;
  if (added_ != nullptr) {
    factor.sum = H;
    const auto added = added_->block(own.first, own.first, own.size, own.size);
    for (int i = 0; i < own.size; ++i) {
      for (int k = 0; k <= i && is_free(i); ++k) {
        if (is_free(k)) factor.sum(i, k) += 0.5 * (added(i, k) + added(k, i));
      }
    }
    lead(own, factor.sum);
  }
  lead(own, H);
  const auto has_none = [&](int k) {
    return !is_free(k) || (own.first + k > 5 && model_->follower(own.first + k - 5) != nullptr);
  };
  for (int k = 0; k < own.size; ++k) {
    if (!has_none(k)) continue;
    H(k, k) = 1.0;
    if (added_ != nullptr) factor.sum(k, k) = 1.0;
  }
  if (added_ != nullptr) {
    factor.is_positive = decompose(own, factor.sum, factor);
    if (factor.is_positive) return;
  }
  factor.is_positive = decompose(own, H, factor);
}

bool RobotInertias::correct(ConstVectorRef p, VectorRef r) {
  if (added_ == nullptr) return true;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& own = blocks_[b];
    const auto impulse = p.segment(own.first, own.size);
    const auto added = added_->block(own.first, own.first, own.size, own.size);
    if (impulse.isZero(0.0) && added.isZero(0.0)) continue;
    Factor& factor = factors_[b];
    if (!factor.is_known) factorize(b);
    if (!factor.is_positive) return false;
    auto right = right_.head(own.size);
    auto change = r.segment(own.first, own.size);
    for_each_follower(own, [&](const Follower&, int joint, int) { change(joint) = 0.0; });
    right.noalias() = factor.H.selfadjointView<Eigen::Lower>() * change;
    right += impulse;
    lead_rows(own, right);
    solve(b, right);
    follow_rows(own, right);
    change = right;
  }
  return true;
}

bool RobotInertias::respond(int block,
                            Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 3>> columns) {
  const auto i = static_cast<std::size_t>(block);
  if (!factors_[i].is_known) factorize(i);
  const Block& own = blocks_[i];
  lead_rows(own, columns);
  if (!factors_[i].is_positive) return false;
  if (own.size == 6) {
    Eigen::Map<Eigen::Matrix<double, 6, 3>> six(columns.data());
    six = Eigen::Matrix<double, 6, 3>(factors_[i].inverse * six);
  } else {
    factors_[i].any.solveInPlace(columns);
  }
  follow_rows(own, columns);
  return true;
}

}  // namespace spacedyn
