/// @file
/// Equalities connect, weld and joint of MJCF files, as loops and gears.
#pragma once

#include <map>
#include <string>

#include "loading/foreign/mjcf_body.hpp"

namespace spacedyn::loading::foreign {

class MjcfEqualities {
 public:
  /// @param model  with all of its links
  MjcfEqualities(MjcfReading& in, ForeignModel& model);

  /// @returns false for what has no loop
  bool read(const xml::Element& element);

 private:
  /// Whether an end is fixed in the world, beside a base that floats.
  bool is_to_world(const xml::Element& element) const;
  bool read_bodies(const xml::Values& values, bool is_weld, ForeignLoop& loop);
  bool read_joint_equality(const xml::Values& values);
  Pose relative_rest_pose(const std::string& from, const std::string& to) const;
  std::string loop_name(const xml::Element& element);
  /// A frame of a link, or the link itself at its origin.
  std::string add_point(const xml::Values& values, const std::string& link, const Pose& pose);

  MjcfReading& in_;
  ForeignModel& model_;
  std::map<std::string, Pose> rest_poses_;  ///< of links, by our names
  std::map<std::string, int> points_;       ///< frames made for loops, by name
};

}  // namespace spacedyn::loading::foreign
