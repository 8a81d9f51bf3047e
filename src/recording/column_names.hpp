/// @file
/// Names of columns, of vectors above all, and which joints have some.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "spacedyn/model/model.hpp"
#include "spacedyn/recording/channels.hpp"

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

/// Columns `<stem>_<name>_x<suffix>` and so on of a vector, in the dataset `<group>/<dataset>`.
/// Without a unit it is a quaternion, w first.
struct VectorColumns {
  const char *dataset, *name, *suffix, *unit;
};
using VectorList = std::vector<VectorColumns>;

inline constexpr VectorColumns kQuaternionColumns{"quaternion_wxyz", "quaternion", "", ""};
inline const VectorList kPoseColumns{{"position", "position", "_m", "m"}, kQuaternionColumns};
inline const VectorList kTwistColumns{{"velocity", "velocity", "_m_s", "m/s"},
                                      {"angular_velocity", "angular_velocity", "_rad_s", "rad/s"}};
inline const VectorList kAccelerationColumns{
    {"acceleration", "acceleration", "_m_s2", "m/s^2"},
    {"angular_acceleration", "angular_acceleration", "_rad_s2", "rad/s^2"}};
inline const VectorList kWrenchColumns{{"force", "force", "_N", "N"},
                                       {"moment", "moment", "_N_m", "N m"}};
/// What a joint transmits, one dataset.
inline const VectorList kReactionColumns{{"", "reaction_force", "_N", "N"},
                                         {"", "reaction_moment", "_N_m", "N m"}};

/// Ends of the names of vectors.
/// @param before  of their names, for instance `_base`
std::vector<Suffix> suffixes_of(const VectorList& vectors, const std::string& before = "");

/// Where columns are: their stem, which may be empty, and their HDF5 group.
struct ColumnPlace {
  std::string stem, group;

  /// `<stem>_<name>`.
  std::string name(const std::string& end) const { return stem.empty() ? end : stem + "_" + end; }
};
/// @param frame  axes of the vectors
void append_vectors(const ColumnPlace& place, const VectorList& vectors, const std::string& frame,
                    std::vector<Column>& columns);

/// Axes of most vectors.
inline constexpr const char* kInertialAxes = "inertial";

/// Joints whose position and torque are recorded, 1…n: all, of several robots their own ones.
std::vector<int> recorded_joints(const Model& model);
/// Calls a function with each of them. Allocates nothing.
template <typename Function>
void for_each_recorded_joint(const Model& model, const Function& function) {
  const auto visit = [&](int first, int end) {
    for (int i = first; i < end; ++i) {
      if (model.follower(i) == nullptr) function(i);
    }
  };
  if (model.robots().empty()) visit(1, model.body_count());
  for (const Robot& robot : model.robots()) visit(robot.first_joint(), robot.end);
}
/// The same with those that follow others.
std::vector<int> joints_of_robots(const Model& model);

/// Numbers of a base in a row: position, quaternion (w first), velocity, angular velocity.
inline constexpr int kBaseWidth = 13;

}  // namespace spacedyn
