/// @file
/// Columns of each of several robots. Private.
#pragma once

#include <string>
#include <vector>

#include "recording/column_names.hpp"
#include "spacedyn/inertia/robot_momentum.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {

/// Joints whose position and torque are recorded, 1…n: all, of several robots their own ones.
std::vector<int> recorded_joints(const Model& model);

/// Numbers of a base in a row: position, quaternion (w first), velocity, angular velocity.
inline constexpr int kBaseWidth = 13;

/// Columns `robots_<name>_…` in datasets `/robots/<name>/…`.
class RobotColumns {
 public:
  RobotColumns(const Model& model, ColumnNames& names);

  /// Of the bases, robot after robot.
  void append_bases(std::vector<Column>& columns) const;
  void append_momenta(std::vector<Column>& columns) const;
  void append_energies(std::vector<Column>& columns) const;
  void append_accelerations(std::vector<Column>& columns) const;

 private:
  struct Place {
    std::string stem;   // robots_chaser
    std::string group;  // /robots/chaser
  };
  template <typename Vectors>
  void append(const Vectors& vectors, std::vector<Column>& columns) const;

  std::vector<Place> places_;
};

}  // namespace spacedyn
