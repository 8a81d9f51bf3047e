/// @file
/// Inertias and centroids of robots, for impulses of contacts. Private.
#pragma once

#include <vector>

#include <Eigen/Cholesky>

#include "integration/equations/equations_of_motion.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// The inertia matrix of a system in blocks, one for each of its robots: between robots without
/// connections it has no others. Of a single robot the block is H.
///
/// Blocks are sums over bodies, m J_vᵀ J_v + J_ωᵀ I J_ω, and are factorized where they are asked
/// for. Rows that are not free have no response. What a step takes implicitly is added to H: then
/// responses are those of (H + added)⁻¹, and robots that it couples are one block. Where joints
/// follow others, q̇ = G ẏ, responses are G (Gᵀ (H + added) G)⁻¹ Gᵀ.
class SPACEDYN_EXPORT RobotInertias {
 public:
  /// Rows of velocities [v_0; ω_0; q̇] that belong together.
  struct Block {
    int first = 0, size = 0;
    std::vector<int> bodies;  ///< with mass or inertia
  };

  explicit RobotInertias(const Model& model);

  const std::vector<Block>& blocks() const { return blocks_; }
  /// Of a body; −1 of one that does not move.
  int block_of(int body) const { return block_of_[static_cast<std::size_t>(body)]; }

  /// Takes the configuration of an instant. @param model  with the masses of the instant
  /// @param added  to H, of its size, as far as the sum is positive definite and by its symmetric
  ///               part; null if nothing is. Must outlive what follows
  void update(const Model& model, const LinkFrames& frames, const Mobility& mobility,
              const MatrixX* added);
  /// Solves (H + added) x = H r + p for the free rows, and x = r of what nothing is added to.
  /// @param p  impulses  @param r  in: zero in rows that are not free; out: x
  /// @returns false if the inertia of the free rows is not positive definite
  bool correct(ConstVectorRef p, VectorRef r);

  /// Columns of Kᵀ of a block: what unit forces along the columns of `axes`, at a point of a body,
  /// do to its rows. Adds sign times them. @param columns  size of the block × 3
  void add_columns(int body, const Vector3& point, const Matrix3& axes, double sign,
                   Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 3>> columns) const;
  /// H⁻¹ of columns of a block, in place.
  /// @returns false if the inertia of the free rows is not positive definite
  bool respond(int block, Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 3>> columns);

 private:
  struct Row {
    Vector3 turn = Vector3::Zero(), slide = Vector3::Zero(), place = Vector3::Zero();
    Vector3 linear(const Vector3& point) const { return turn.cross(point - place) + slide; }
  };
  using Six = Eigen::Matrix<double, 6, 6>;
  struct Factor {
    bool is_known = false, is_positive = false;
    MatrixX H, sum;  ///< of the free rows; with what is added
    Six inverse;     ///< of a block of six, which has many points
    Eigen::LLT<MatrixX> any;
  };
  /// Makes one block of those that are coupled, and of those between them.
  void join(const MatrixX& added);
  void factorize(std::size_t block);
  bool decompose(const Block& block, const MatrixX& matrix, Factor& factor) const;
  void solve(std::size_t block, VectorRef x) const;
  void add_body(const Block& block, int body, MatrixX& H);
  template <typename Visit>
  void for_each_row(int body, const Visit& visit) const;
  /// Rows and columns of joints that follow, in a block, and of those that they follow.
  template <typename Visit>
  void for_each_follower(const Block& block, const Visit& visit) const;
  /// Gᵀ H G in place, zero for joints that follow. @param H  in: the lower triangle
  void lead(const Block& block, MatrixX& H) const;
  /// Gᵀ of forces in place, zero for joints that follow and for rows that are not free.
  template <typename Columns>
  void lead_rows(const Block& block, Columns& columns) const;
  /// G of velocities.
  template <typename Columns>
  void follow_rows(const Block& block, Columns& columns) const;

  const Model* model_;
  const LinkFrames* frames_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<int> block_of_;
  std::vector<Row> rows_;
  std::vector<char> is_free_;
  std::vector<Factor> factors_;
  const MatrixX* added_ = nullptr;
  VectorX right_;
  struct Column {
    int row;
    Vector3 linear, angular, momentum;
  };
  std::vector<Column> columns_;  // of one body
};

}  // namespace spacedyn
