#include "dynamics/branch_responses.hpp"

#include <algorithm>

namespace spacedyn {
namespace {

/// Columns start at multiples of the widest vector register.
constexpr int kWidest = 8;

long padded(int size) { return (size + kWidest - 1) / kWidest * kWidest; }

/// Numbers of a branch: three square matrices and 6 + 6 columns.
long memory_size(const WalkRange& range) { return padded(range.size()) * (3L * range.size() + 12); }

int leaf_count(const TreeWalk& walk, const WalkRange& range) {
  int count = 0;
  for (int here = range.begin; here < range.end; ++here) count += walk[here].children == 0 ? 1 : 0;
  return count;
}

}  // namespace

BranchResponses::BranchResponses(const TreeWalk& walk) {
  long memory = 0, scratch = 0;
  for (const WalkRange& range : walk.branches) {
    memory += memory_size(range);
    scratch = std::max(
        scratch, branch_scratch(padded(range.size()), walk.deepest_fork, leaf_count(walk, range)));
    for (int here = range.begin; here < range.end; ++here) {
      const WalkBody& body = walk[here];
      tree_.push_back({body.parent == 0 ? -1 : body.parent - range.begin,
                       body.end - range.begin,
                       body.children,
                       body.fork,
                       {},
                       0.0});
    }
  }
  memory_.assign(static_cast<std::size_t>(memory), 0.0);
  scratch_.assign(static_cast<std::size_t>(scratch), 0.0);
  double* next = memory_.data();
  const auto take = [&next](long count) { return next += count, next - count; };
  for (const WalkRange& range : walk.branches) {
    const int size = range.size();
    const long stride = padded(size);
    BranchArrays arrays{};
    arrays.size = size;
    arrays.stride = static_cast<int>(stride);
    arrays.tree = tree_.data() + range.begin - 1;
    arrays.inverse = take(stride * size);
    arrays.configuration = take(stride * size);
    arrays.velocity = take(stride * size);
    arrays.base_configuration = take(stride * 3);
    arrays.base_velocity = take(stride * 3);
    arrays.coupling = take(stride * 6);
    arrays.scratch = scratch_.data();
    branches_.push_back(arrays);
  }
}

void BranchResponses::compute(const TreeWalk& walk, const ArticulatedBodies& articulated,
                              const DerivativeTerms& terms) {
  for (int here = 1; here <= walk.joint_count(); ++here) {
    const ArticulatedBody& body = articulated.bodies[static_cast<std::size_t>(here)];
    BranchJoint& joint = tree_[static_cast<std::size_t>(here - 1)];
    std::copy(body.U.begin(), body.U.end(), joint.U);
    joint.inverse_D = body.inverse_D;
  }
  const JointTerms* joints = terms.joints.data() + 1;
  for (BranchArrays& branch : branches_) {
    branch.terms = joints;
    branch.base_turns = terms.base.data();
    compute_branch_inverse(branch);
    compute_branch_responses(branch);
    joints += branch.size;
  }
}

}  // namespace spacedyn
