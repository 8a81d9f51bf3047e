/// @file
/// Bodies of MJCF files with what they are made of.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "loading/foreign/mjcf_parts.hpp"

namespace spacedyn::loading::foreign {

/// What a model is read with, and the names that its parts have got.
struct MjcfReading {
  /// @param of_models  of the models that the root is put together from, by `Element::model`
  MjcfReading(std::vector<MjcfCompiler> of_models, MeshFiles& files, ProblemList& list)
      : compilers(std::move(of_models)),
        meshes(files),
        problems(list),
        defaults(list),
        link_names(list),
        joint_names(list),
        loop_names(list) {}

  const MjcfCompiler& compiler_of(const xml::Element& element) const {
    return compilers[element.model];
  }

  const std::vector<MjcfCompiler> compilers;
  MeshFiles& meshes;
  ProblemList& problems;
  MjcfDefaults defaults;
  MjcfAssets assets;
  Names link_names, joint_names, loop_names;
  std::map<std::string, std::string> bodies, joints, sites;  ///< our names by those of the file
  std::set<std::string> fixed;  ///< bodies and sites of the world, beside a base that floats
  int unnamed = 0;
};

/// What a body is made of, defaults applied.
struct MjcfContent {
  /// An element, the pose of the <frame>s around it, and the class around it.
  struct Placed {
    xml::Element element;
    Pose around;
    std::string surrounding_class;
  };
  struct Body {
    const xml::Element* element;
    Pose around;
    std::string surrounding_class;
  };
  std::vector<Placed> joints, geoms, sites;
  std::vector<Body> bodies;
  const xml::Element* inertial = nullptr;
  std::optional<xml::Element> free_joint;
};

/// Whether a body and those that it carries have no joint.
bool is_static(const xml::Element& body);

/// Makes links of bodies.
class MjcfBodies {
 public:
  explicit MjcfBodies(MjcfReading& in) : in_(in) {}

  void collect(const xml::Element& parent, const Pose& around, const std::string& outer_class,
               MjcfContent& content);
  /// Reads a body and those it carries; the parent's name is empty for the base.
  void read(const MjcfContent::Body& placed, const std::string& parent, ForeignModel& model);
  void add_shapes(const MjcfContent& content, const std::string& path, ForeignBody& body);
  void add_sites(const MjcfContent& content, const std::string& link, ForeignModel& model);

 private:
  void read_mass(const MjcfContent& content, const xml::Values& values, ForeignBody& body);
  MassProperties read_inertial(const xml::Element& element, const std::string& path);
  /// Links for a body and its joints, the body's own the last; its mass is left to the caller.
  ForeignLink& add_chain(const MjcfContent& content, const Pose& pose, const std::string& parent,
                         const std::string& name, const Mark& mark, ForeignModel& model);
  ForeignJoint read_joint(const MjcfContent::Placed& placed, Vector3& position);
  /// Warns of what a free joint has and a base, or a joint of type free, has not.
  void check_free_joint(const xml::Element& element, const std::string& body);
  void read_ball(const xml::Values& values, ForeignJoint& joint);
  void read_joint_limits(const xml::Values& values, double unit, ForeignJoint& joint);
  std::string body_name(const xml::Element& element);

  MjcfReading& in_;
};

}  // namespace spacedyn::loading::foreign
