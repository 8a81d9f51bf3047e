#include "dynamics/derivatives/branch_responses.hpp"

#include <algorithm>

namespace spacedyn {
namespace {

/// Columns have room for whole registers of the widest instruction set.
constexpr int kWidest = 8;

long padded(int size) { return (size + kWidest - 1) / kWidest * kWidest; }

int leaf_count(const TreeWalk& walk, const WalkRange& range) {
  int count = 0;
  for (int here = range.begin; here < range.end; ++here) count += walk[here].children == 0 ? 1 : 0;
  return count;
}

}  // namespace

BranchResponses::BranchResponses(const TreeWalk& walk, const Tree& tree,
                                 const BranchKernels& kernels)
    : kernels_(kernels) {
  ends_.assign(static_cast<std::size_t>(tree.block_count * TermBlock::kWidth), 0.0);
  for (int here = 0; here <= walk.joint_count(); ++here) {
    in_model_order_ = in_model_order_ && walk[here].link == here;
    ends_[static_cast<std::size_t>(here)] = walk[here].end;
  }
  base_.ends = ends_.data();
  if (!in_model_order_) {
    const int size = walk.joint_count() + 6;
    configuration_ = velocity_ = force_ = MatrixX::Zero(size, size);
  }
  place_branches(walk, tree);
}

void BranchResponses::place_branches(const TreeWalk& walk, const Tree& tree) {
  base_.size = walk.joint_count();
  base_.stride = static_cast<int>(padded(base_.size)) + kWidest;
  long memory = 6L * base_.stride, scratch = 0;
  for (const WalkRange& range : walk.branches) {
    const long stride = padded(range.size() + 6);
    memory += (3L * range.size() + 12) * stride;
    scratch = std::max(scratch, branch_scratch(stride, walk.deepest_fork, leaf_count(walk, range)));
    for (int here = range.begin; here < range.end; ++here) {
      const WalkBody& body = walk[here];
      tree_.push_back({body.parent == 0 ? -1 : body.parent - range.begin, body.end - range.begin,
                       body.children, body.fork});
    }
  }
  memory_.assign(static_cast<std::size_t>(memory), 0.0);
  scratch_.assign(static_cast<std::size_t>(scratch), 0.0);
  double* next = memory_.data();
  const auto take = [&next](long count) { return next += count, next - count; };
  base_.coupling = take(6L * base_.stride);
  for (const WalkRange& range : walk.branches) {
    const int size = range.size();
    const long stride = padded(size + 6);
    BranchArrays branch{};
    branch.begin = range.begin - 1;
    branch.origin = tree.origin[range.begin];
    branch.size = size;
    branch.stride = static_cast<int>(stride);
    branch.tree = tree_.data() + branch.begin;
    branch.inverse = take(stride * (size + 6));
    branch.configuration = take(stride * size);
    branch.velocity = take(stride * size);
    branch.base_configuration = take(stride * 3);
    branch.base_velocity = take(stride * 3);
    branch.scratch = scratch_.data();
    branches_.push_back(branch);
  }
}

void BranchResponses::compute(const TreeWalk& walk, MatrixX& configuration, MatrixX& velocity,
                              MatrixX& force) {
  for (const BranchArrays& branch : branches_) {
    kernels_.invert(branch, base_);
    kernels_.respond(branch, base_);
  }
  compose(walk, configuration, velocity, force, [&](const DerivativeArrays& out) {
    kernels_.compose_base(branches_.data(), count(), base_, out);
    for (const BranchArrays& branch : branches_) kernels_.compose(branch, base_, out);
  });
}

void BranchResponses::compute_forces(const TreeWalk& walk, MatrixX& configuration,
                                     MatrixX& velocity, MatrixX& acceleration) {
  compose(walk, configuration, velocity, acceleration, [&](const DerivativeArrays& out) {
    for (const BranchArrays& branch : branches_) kernels_.write_pairs(branch, base_, out);
  });
}

void BranchResponses::invert(const TreeWalk& walk, Eigen::Ref<MatrixX> inverse) {
  for (const BranchArrays& branch : branches_) kernels_.invert(branch, base_);
  Eigen::Ref<MatrixX> out = in_model_order_ ? inverse : Eigen::Ref<MatrixX>(force_);
  kernels_.compose_inverse(branches_.data(), count(), base_, out.data(), out.outerStride());
  if (!in_model_order_) scatter(walk, force_, inverse);
}

template <typename Kernels>
void BranchResponses::compose(const TreeWalk& walk, MatrixX& configuration, MatrixX& velocity,
                              MatrixX& third, const Kernels& write) {
  if (in_model_order_) {
    write(DerivativeArrays{configuration.data(), velocity.data(), third.data(), third.rows()});
    return;
  }
  write(DerivativeArrays{configuration_.data(), velocity_.data(), force_.data(), force_.rows()});
  scatter(walk, configuration_, configuration);
  scatter(walk, velocity_, velocity);
  scatter(walk, force_, third);
}

void BranchResponses::scatter(const TreeWalk& walk, const MatrixX& from,
                              Eigen::Ref<MatrixX> to) const {
  const auto place = [&walk](int i) { return i < 6 ? i : walk[i - 5].link + 5; };
  const int size = walk.joint_count() + 6;
  for (int column = 0; column < size; ++column) {
    for (int row = 0; row < size; ++row) to(place(row), place(column)) = from(row, column);
  }
}

}  // namespace spacedyn
