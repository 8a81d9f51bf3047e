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
  for (int here = 1; here <= walk.joint_count(); ++here) {
    in_model_order_ = in_model_order_ && walk[here].link == here;
  }
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
  MatrixX& x = in_model_order_ ? configuration : configuration_;
  MatrixX& u = in_model_order_ ? velocity : velocity_;
  MatrixX& f = in_model_order_ ? force : force_;
  const DerivativeArrays out{x.data(), u.data(), f.data(), x.rows()};
  kernels_.compose_base(branches_.data(), static_cast<int>(branches_.size()), base_, out);
  for (const BranchArrays& branch : branches_) kernels_.compose(branch, base_, out);
  if (in_model_order_) return;
  scatter(walk, configuration_, configuration);
  scatter(walk, velocity_, velocity);
  scatter(walk, force_, force);
}

void BranchResponses::scatter(const TreeWalk& walk, const MatrixX& from, MatrixX& to) const {
  const auto place = [&walk](int i) { return i < 6 ? i : walk[i - 5].link + 5; };
  const int size = walk.joint_count() + 6;
  for (int column = 0; column < size; ++column) {
    for (int row = 0; row < size; ++row) to(place(row), place(column)) = from(row, column);
  }
}

}  // namespace spacedyn
