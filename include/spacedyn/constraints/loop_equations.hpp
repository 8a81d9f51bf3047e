/// @file
/// The equations of the loops of a model: φ(q) = 0, K u = 0, K u̇ = k, [RBDA] (3.11).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Part of the largest of its terms below which what a row adds to other rows counts as rounding:
/// the tolerance of the rank of K, after each row of K has been scaled to length 1 in the metric
/// H⁻¹ of the free coordinates.
inline constexpr double kRankTolerance = 1e-9;

/// A state and its bodies seen from the base centroid, at rest with it. Loops look the same from
/// there, and far from the origin or fast along a path no digits of them are lost.
struct SPACEDYN_EXPORT LoopMotion {
  State state;
  LinkFrames frames;
  LinkVelocities velocities;

  explicit LoopMotion(const Model& model) : state(model), frames(model), velocities(model) {}
  /// Takes over a state, without allocating; frames and velocities are to be filled.
  void take(const State& given) {
    state = given;
    state.r_0.setZero();
    state.v_0.setZero();
  }
  /// Takes over a state and fills frames and velocities. O(n).
  void compute(const Model& model, const State& given);
};

/// Rows of all loops of a model, in file order, or of loops between its points.
///
/// A row that holds two points together is a wrench (s, m) about the second point: with the
/// velocity w of that point against the body of the first, and ω of the bodies, K u = s·w + m·ω.
/// Three rows of an attitude have the rotation vector for φ, two the turn from one axis to the
/// other; there K u is φ̇ where φ = 0, and Newton's method converges from every attitude. Motions
/// of the base alone satisfy all rows, so their six columns of K are zero.
class SPACEDYN_EXPORT LoopEquations {
 public:
  /// @param model  must outlive this object
  explicit LoopEquations(const Model& model);
  /// Of other loops than those of the model.
  LoopEquations(const Model& model, std::vector<Loop> loops);

  const Model& model() const { return *model_; }
  const std::vector<Loop>& loops() const { return *loops_; }
  int rows() const { return rows_; }
  bool empty() const { return rows_ == 0; }
  /// First row of a loop, and which loop a row belongs to; loops count from 0.
  int first_row(int loop) const { return parts_[static_cast<std::size_t>(loop)].first; }
  int loop_of(int row) const;
  /// Whether a row is an angle; others are lengths or, of couplings, what the joint makes of it.
  bool is_angle(int row) const;

  /// @name All without allocating, if results have their sizes; frames and velocities of the state
  /// @{
  /// φ, one number for each row: m or rad. O(rows).
  void residual(const LinkFrames& frames, const State& state, VectorRef phi) const noexcept;
  /// Kᵀ, (6+n)×rows: column i is row i of K. O(rows · (n + depth)).
  void jacobian(const LinkFrames& frames, const State& state,
                Eigen::Ref<MatrixX> K_transposed) const noexcept;
  /// K u from the velocities of the bodies.
  void velocity(const LinkFrames& frames, const LinkVelocities& velocities, const State& state,
                VectorRef rate) const noexcept;
  /// k = −K̇ u. O(rows + depth).
  void bias(const LinkFrames& frames, const LinkVelocities& velocities, const State& state,
            VectorRef k) const noexcept;
  /// The same from accelerations of all bodies while u̇ = 0. O(rows).
  void bias(const LinkFrames& frames, const LinkVelocities& velocities,
            const LinkAccelerations& coasting, const State& state, VectorRef k) const noexcept;
  /// Force and moment that a loop exerts on the body of its second point, about its first point in
  /// the axes of that; zero for couplings of joints.
  Vector6 wrench(int loop, const LinkFrames& frames, ConstVectorRef multipliers) const noexcept;
  /// @}

 private:
  template <typename Acceleration>
  void bias_from(const LinkFrames& frames, const LinkVelocities& velocities, const State& state,
                 const Acceleration& acceleration, VectorRef k) const noexcept;

  struct Part {
    const Loop* loop;
    int first;
    Matrix3 axes;  ///< in those of `from`: two normals of the axis, then the axis
    std::vector<int> positive, negative;  ///< joints that move one of the two bodies alone
  };

  const Model* model_;
  std::shared_ptr<const std::vector<Loop>> loops_;  // parts point to them, copies as well
  std::vector<Part> parts_;
  int rows_ = 0;
};

/// A length that the size of the model does not exceed while its sliding joints are at zero, m:
/// what residuals of loops are relative to.
SPACEDYN_EXPORT double model_size(const Model& model);
/// The same with other loops than those of the model.
SPACEDYN_EXPORT double model_size(const Model& model, const std::vector<Loop>& loops);

}  // namespace spacedyn
