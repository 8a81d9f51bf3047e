/// @file
/// Reads URDF: robots of ROS and of the programs around it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loading/foreign/mesh_files.hpp"
#include "loading/foreign/xml.hpp"

namespace spacedyn::loading::foreign {

class UrdfReader {
 public:
  UrdfReader(const xml::Element& robot, MeshFiles& meshes, ProblemList& problems);

  /// The robot; what is wrong with it is reported. Its base floats unless its root is `world`.
  ForeignModel read();

 private:
  /// A joint of the file and the links it connects.
  struct UrdfJoint {
    ForeignJoint joint;
    std::string parent, child;
    bool is_floating = false;
    std::optional<ForeignGear> mimic;  ///< with names of the file
  };

  void read_materials();
  void read_links();
  void read_joints();
  /// @name In urdf_body.cpp
  /// @{
  ForeignBody read_link(const xml::Element& element);
  void read_inertial(const xml::Element& element, ForeignBody& body);
  void read_visuals(const xml::Element& link, ForeignBody& body);
  void read_collisions(const xml::Element& link, ForeignBody& body);
  std::optional<ForeignVisual> read_geometry(const xml::Element& shape, const std::string& path);
  std::string read_color(const xml::Element& material, const std::string& path);
  /// @}
  /// @name Joints, in urdf_body.cpp
  /// @{
  UrdfJoint read_joint(const xml::Element& element);
  void read_limit(const xml::Values& joint, const std::string& type, ForeignJoint& result);
  void read_dynamics(const xml::Values& joint, ForeignJoint& result);
  /// @}
  /// @name Joints that follow others
  /// @{
  void read_mimic(const xml::Element& element, UrdfJoint& joint);
  /// @param renamed  joints of the model by their names in the file
  void add_gears(const std::map<std::string, std::string>& renamed, ForeignModel& model);
  /// @}

  /// The link without a parent; nothing where the links are no tree.
  const ForeignBody* find_root();
  void check_reach(const ForeignBody& root);
  const UrdfJoint* floating_root_joint(const ForeignBody& root) const;
  void add_links(ForeignModel& model, const UrdfJoint* skipped);
  void note_ignored();
  /// Finds elements that are not known, and those of which there is one too many.
  void judge_children(const xml::Element& parent, const std::vector<std::string>& known,
                      const std::string& path);
  /// Counts an element that says nothing about motion, warns of one that is not known.
  void ignore(const xml::Element& element, const std::vector<std::string>& known,
              const std::string& path);

  const xml::Element& robot_;
  MeshFiles& meshes_;
  ProblemList& problems_;
  std::map<std::string, std::string> materials_;  // colors by name
  std::vector<ForeignBody> links_;
  std::map<std::string, std::size_t> link_positions_;
  std::vector<UrdfJoint> joints_;
  std::map<std::string, const UrdfJoint*> carried_by_;  // by child
  std::map<std::string, int> ignored_;
};

/// A pose <origin xyz rpy>; identity where absent.
Placement read_origin(const xml::Element& parent, const std::string& path, ProblemList& problems);

/// `robot.urdf, line 12`
std::string place_text(const Mark& mark);

}  // namespace spacedyn::loading::foreign
