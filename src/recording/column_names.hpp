/// @file
/// Names of columns, and the columns of several robots.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "spacedyn/inertia/robot_momentum.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {

/// The end of a column name and the unit it stands for, for instance `_rad_s` and `rad/s`.
using Suffix = std::pair<std::string, std::string>;

/// A name with each character of ASCII that an identifier cannot hold replaced by an underscore.
std::string sanitize(std::string_view name);

/// Columns with a common stem.
/// @param first, count  of the suffixes: all unless given
std::vector<Column> columns_of(const std::string& stem, const std::vector<Suffix>& suffixes,
                               std::size_t first = 0, std::size_t count = std::string::npos);

/// HDF5 group of a stem that ColumnNames has handed out: `/wheels/left` of `wheels_left`.
std::string group_of(std::string_view prefix, const std::string& stem);

/// Hands out the column names of joints and frames, each group of columns with a common stem.
class ColumnNames {
 public:
  /// The stem `prefix_name`, or `prefix_name_2`, … where a column would exist already; reserves it
  /// with all the suffixes, so that what a joint is called does not depend on the chosen channels.
  std::string reserve(std::string_view prefix, std::string_view name,
                      const std::vector<Suffix>& suffixes);

 private:
  std::unordered_set<std::string> taken_;
};

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
