/// @file
/// What impulses do to the velocities of each robot by itself. Private.
#pragma once

#include <vector>

#include <Eigen/Cholesky>

#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// The inertia matrix of a system in blocks, one for each of its robots: between robots without
/// connections it has no others. Of a single robot the block is H.
///
/// Blocks are sums over bodies, m J_vᵀ J_v + J_ωᵀ I J_ω, and are factorized where they are asked
/// for. Rows that are not free have no response.
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
  void update(const Model& model, const LinkFrames& frames, const Mobility& mobility);

  /// Columns of Kᵀ of a block: what unit forces along the columns of `axes`, at a point of a body,
  /// do to its rows. Adds sign times them. @param columns  size of the block × 3
  void add_columns(int body, const Vector3& point, const Matrix3& axes, double sign,
                   Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 3>> columns) const;
  /// H⁻¹ of columns of a block, in place.
  /// @returns false if the inertia of the free rows is not positive definite
  bool respond(int block, Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 3>> columns);

 private:
  struct Row {
    bool turns = false;
    Vector3 axis = Vector3::Zero(), place = Vector3::Zero();
    Vector3 linear(const Vector3& point) const {
      return turns ? Vector3(axis.cross(point - place)) : axis;
    }
  };
  using Six = Eigen::Matrix<double, 6, 6>;
  struct Factor {
    bool is_known = false, is_positive = false;
    Six inverse;  ///< of a block of six, which has many points
    Eigen::LLT<MatrixX> any;
  };
  void factorize(std::size_t block);
  void add_body(const Block& block, int body);
  template <typename Visit>
  void for_each_row(int body, const Visit& visit) const;

  const Model* model_;
  const LinkFrames* frames_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<int> block_of_;
  std::vector<Row> rows_;
  std::vector<char> is_free_;
  std::vector<Factor> factors_;
  MatrixX H_;
  struct Column {
    int row;
    Vector3 linear, angular, momentum;
  };
  std::vector<Column> columns_;  // of one body
};

}  // namespace spacedyn
