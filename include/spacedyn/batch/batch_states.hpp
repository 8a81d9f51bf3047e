/// @file
/// Many states of one Model.
#pragma once

#include <vector>

#include "spacedyn/batch/tiled_vectors.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// N states of a Model, in tiles as TiledVectors has them. Auxiliary states z are not part of it.
///
/// The attitude of each state is A_0 = Exp(θ) A_ref with the chart that the Simulator uses: set()
/// begins with θ = 0, and integration moves A_ref only when θ exceeds 1 rad. Spherical joints have
/// such charts as well, in rows behind q̇; their rows of q are their rotation vectors.
class SPACEDYN_EXPORT BatchStates {
 public:
  /// @name Rows of a tile; those of q and q̇ depend on the number of joints
  /// @{
  static constexpr int kPosition = 0;         ///< r_0
  static constexpr int kAttitude = 3;         ///< A_0, column by column
  static constexpr int kRotationVector = 12;  ///< θ
  static constexpr int kReference = 15;       ///< A_ref, column by column
  static constexpr int kVelocity = 24;        ///< v_0
  static constexpr int kAngularVelocity = 27;
  static constexpr int kJoints = 30;
  int joint_row(int joint) const { return kJoints + joint - 1; }           ///< 1 ≤ joint ≤ n
  int rate_row(int joint) const { return kJoints + joints_ + joint - 1; }  ///< 1 ≤ joint ≤ n
  /// @}

  /// All states as State(model) is: everything zero, attitudes the identity.
  /// @throws DimensionError if the count is negative
  BatchStates(const Model& model, int count);

  int count() const { return rows_.count(); }
  int joint_count() const { return joints_; }

  /// @throws DimensionError if there is no state k, the sizes differ or the state has auxiliary
  /// states; DomainError if a number is not finite or A_0 not a rotation
  void set(int k, const State& state);
  /// @throws DimensionError if there is no state k
  State get(int k) const;
  /// Whether every number of state k is finite. @throws DimensionError if there is no state k
  bool is_finite(int k) const;

  TiledVectors& rows() { return rows_; }
  const TiledVectors& rows() const { return rows_; }

 private:
  void check(int k) const;
  void begin_charts(int k);

  int joints_;
  std::vector<int> spherical_joints_;
  TiledVectors rows_;
};

}  // namespace spacedyn
