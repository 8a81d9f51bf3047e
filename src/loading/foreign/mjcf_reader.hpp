/// @file
/// Reads MJCF: models of MuJoCo.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "loading/foreign/mjcf_parts.hpp"

namespace spacedyn::loading::foreign {

/// What MuJoCo calls the body that <worldbody> is.
inline const std::string kWorld = "world";

/// Puts the content of included files in the place of each <include>.
/// @returns false where one cannot be read, which is reported
bool expand_includes(xml::Element& root, const Source& source, const Surroundings& around);

class MjcfReader {
 public:
  /// @param compilers  of the models that the root is put together from, by `Element::model`
  MjcfReader(const xml::Element& root, std::vector<MjcfCompiler> compilers, MeshFiles& meshes,
             ProblemList& problems);

  /// The model, its base the only body that moves in the world, if it has a free joint, or a fixed
  /// one named `world`.
  ForeignModel read();

 private:
  /// An element, the pose of the <frame>s around it, and the class around it.
  struct Placed {
    xml::Element element;
    Pose around;
    std::string surrounding_class;
  };
  struct PlacedBody {
    const xml::Element* element;
    Pose around;
    std::string surrounding_class;
  };
  /// What a body is made of, defaults applied.
  struct Content {
    std::vector<Placed> joints, geoms, sites;
    std::vector<PlacedBody> bodies;
    const xml::Element* inertial = nullptr;
    std::optional<xml::Element> free_joint;
  };

  void check_world(const Content& world);
  void read_settings();
  void read_asset(const xml::Element& asset);
  void note_sections();
  void add_ignored(const xml::Element& element, const std::string& what);
  void report_ignored();
  void add_world(const Content& world, ForeignModel& model);
  void note_fixed(const xml::Element& element);
  void scale_masses(ForeignModel& model);

  /// @name In mjcf_body.cpp
  /// @{
  void collect(const xml::Element& parent, const Pose& around, const std::string& outer_class,
               Content& content);
  /// Reads a body and those it carries; the parent's name is empty for the base.
  void read_body(const PlacedBody& placed, const std::string& parent, ForeignModel& model);
  void read_mass(const Content& content, const xml::Values& values, ForeignBody& body);
  MassProperties read_inertial(const xml::Element& element, const std::string& path);
  static void bound(MassProperties& mass, const MjcfCompiler& compiler);
  void add_shapes(const Content& content, const std::string& path, ForeignBody& body);
  void add_sites(const Content& content, const std::string& link, ForeignModel& model);
  /// Links for a body and its joints, the body's own the last; its mass is left to the caller.
  ForeignLink& add_chain(const Content& content, const Pose& pose, const std::string& parent,
                         const std::string& name, const Mark& mark, ForeignModel& model);
  ForeignJoint read_joint(const Placed& placed, Vector3& position);
  /// Warns of what a free joint has and a base, or a joint of type free, has not.
  void check_free_joint(const xml::Element& element, const std::string& body);
  void read_ball(const xml::Values& values, ForeignJoint& joint);
  void read_joint_limits(const xml::Values& values, double unit, ForeignJoint& joint);
  bool is_static(const xml::Element& body) const;
  /// @}

  /// @name Equalities connect, weld and joint as loops
  /// @{
  void read_equalities(ForeignModel& model);
  /// @returns false for what has no loop
  bool read_equality(const xml::Element& element, ForeignModel& model);
  /// Whether an end is fixed in the world, beside a base that floats.
  bool is_to_world(const xml::Element& element) const;
  bool read_bodies(const xml::Values& values, bool is_weld, ForeignModel& model, ForeignLoop& loop);
  bool read_joint_equality(const xml::Values& values, ForeignModel& model);
  Pose relative_rest_pose(const std::string& from, const std::string& to) const;
  static Pose weld_pose(const xml::Values& values, const Pose& rest);
  /// Our name of what an attribute names; empty, and reported, where there is none.
  static std::string find_name(const xml::Values& values, const char* attribute,
                               const std::map<std::string, std::string>& known,
                               const std::string& what);
  std::string loop_name(const xml::Element& element);
  /// A frame of a link, or the link itself at its origin.
  std::string add_point(const xml::Values& values, const std::string& link, const Pose& pose,
                        ForeignModel& model);
  /// @}

  std::string body_name(const xml::Element& element);
  const MjcfCompiler& compiler_of(const xml::Element& element) const {
    return compilers_[element.model];
  }

  const xml::Element& root_;
  MeshFiles& meshes_;
  ProblemList& problems_;
  const std::vector<MjcfCompiler> compilers_;
  MjcfDefaults defaults_;
  MjcfAssets assets_;
  Names link_names_, joint_names_, loop_names_;
  std::map<std::string, std::string> bodies_, joints_, sites_;  ///< our names by those of the file
  std::map<std::string, Pose> rest_poses_;                      ///< of links, by our names
  std::map<std::string, int> points_;                           ///< frames made for loops, by name
  std::set<std::string> fixed_;  ///< bodies and sites of the world, beside a base that floats
  int unnamed_ = 0;
  /// Places and names of what is ignored, by what it is.
  std::map<std::string, std::pair<Mark, std::vector<std::string>>> ignored_;
};

/// Puts copies of what a <replicate> holds in its place, each in one more <frame>.
/// @returns false where they are nested too deeply, which is reported
bool expand_replicates(xml::Element& root, ProblemList& problems);

/// Reads a model with its includes; nothing where one of them cannot be read.
std::optional<ForeignModel> read_mjcf(xml::Element root, const Source& source, MeshFiles& meshes,
                                      const Surroundings& around);

}  // namespace spacedyn::loading::foreign
