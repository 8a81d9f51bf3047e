#include "spacedyn/constraints/loop_review.hpp"

#include <algorithm>

#include "spacedyn/constraints/assembly_incremental.hpp"
#include "spacedyn/constraints/loop_equations.hpp"

namespace spacedyn {
namespace {

/// What is left of a row of unit length after all others have been taken out, or of a unit rate of
/// a joint: less is rounding.
constexpr double kLeftOver = 1e-8;

/// An orthonormal basis of rows, one after another.
class RowSpace {
 public:
  /// What the rows so far leave of a vector.
  VectorX rest(VectorX row) const {
    // twice is enough
    for (int pass = 0; pass < 2; ++pass) {
      for (const VectorX& q : basis_) row -= q.dot(row) * q;
    }
    return row;
  }
  /// @returns whether the row does not follow from those before; its length is its size
  bool add(const VectorX& row, double smallest) {
    const double length = row.norm();
    if (length <= smallest) return false;
    const VectorX left = rest(row / length);
    if (left.norm() <= kLeftOver) return false;
    basis_.push_back(left.normalized());
    return true;
  }

 private:
  std::vector<VectorX> basis_;
};

/// Loops up to which all rows are compared with one another.
constexpr std::size_t kMostComparedLoops = 200;

/// Of many loops those without a row of their own.
std::vector<LoopFinding> review_many(const Model& model, const State& state) {
  std::vector<LoopFinding> findings;
  LoopMotion motion(model);
  motion.compute(model, state);
  IncrementalAssembly solver(model, Mobility(model));
  if (solver.update(motion.state, motion.frames) != DynamicsStatus::ok) return findings;
  for (int loop = 0; loop < static_cast<int>(model.loops().size()); ++loop) {
    if (solver.rank_of(loop) == 0) findings.push_back({loop, LoopFinding::Kind::does_nothing});
  }
  return findings;
}

class LoopReview {
 public:
  LoopReview(const Model& model, const State& state) : model_(model), equations_(model) {
    LinkFrames frames(model);
    compute_link_frames(model, state, frames);
    MatrixX K_T = MatrixX::Zero(model.velocity_size(), equations_.rows());
    equations_.jacobian(frames, state, K_T);
    rows_ = K_T.bottomRows(model.joint_count());
    const double length = model_size(model);
    for (int row = 0; row < equations_.rows(); ++row) {
      if (equations_.is_angle(row)) rows_.col(row) *= length;
    }
    smallest_ = kLeftOver * rows_.colwise().norm().maxCoeff();
  }

  std::vector<LoopFinding> run() const {
    std::vector<LoopFinding> findings;
    RowSpace earlier;
    for (int i = 0; i < static_cast<int>(model_.loops().size()); ++i) {
      const bool does_something = add(i, earlier);
      if (is_coupling_of_held_joints(i)) {
        findings.push_back({i, LoopFinding::Kind::joints_are_held});
      } else if (!does_something) {
        findings.push_back({i, LoopFinding::Kind::does_nothing});
      }
    }
    return findings;
  }

 private:
  /// @returns whether a loop adds to rows
  bool add(int loop, RowSpace& rows) const {
    bool adds = false;
    const int first = equations_.first_row(loop);
    const int count = model_.loops()[static_cast<std::size_t>(loop)].rows();
    for (int row = first; row < first + count; ++row) {
      adds = rows.add(rows_.col(row), smallest_) || adds;
    }
    return adds;
  }

  bool is_coupling_of_held_joints(int index) const {
    const Loop& loop = model_.loops()[static_cast<std::size_t>(index)];
    if (loop_traits(loop.type).joins_points) return false;
    RowSpace others;
    for (int i = 0; i < static_cast<int>(model_.loops().size()); ++i) {
      if (i != index) add(i, others);
    }
    return std::all_of(loop.joints.begin(), loop.joints.end(), [&](int joint) {
      const VectorX rate = VectorX::Unit(model_.joint_count(), joint - 1);
      return others.rest(rate).norm() <= kLeftOver;
    });
  }

  const Model& model_;
  const LoopEquations equations_;
  MatrixX rows_;  // of K, of the joints, as columns; angles times a length
  double smallest_ = 0.0;
};

}  // namespace

std::vector<LoopFinding> review_loops(const Model& model, const State& state) {
  state.check(model);
  if (model.loops().empty() || model.joint_count() == 0) return {};
  if (model.loops().size() > kMostComparedLoops) return review_many(model, state);
  return LoopReview(model, state).run();
}

}  // namespace spacedyn
