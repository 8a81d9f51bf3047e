#include <algorithm>

#include "loading/foreign/mjcf_body.hpp"
#include "loading/foreign/urdf_reader.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

const std::vector<std::string> kRefused = {"composite", "flexcomp", "plugin"};
const std::vector<std::string> kLookedPast = {"camera", "light"};
const std::vector<std::string> kBodyElements = {"body", "joint",    "freejoint", "geom",
                                                "site", "inertial", "frame"};
const std::vector<std::string> kMjcfJoints = {"hinge", "slide", "free", "ball"};
// of several that are as near the first one is meant
const std::vector<std::string> kJointAttributes = {
    "range",    "limited",      "axis", "type",      "pos",          "stiffness", "damping",
    "armature", "frictionloss", "ref",  "springref", "springdamper", "name",      "class"};
// groups that MuJoCo shows unless asked for others
constexpr double kLastShownGroup = 2.0;

/// What the attributes boundmass, boundinertia and balanceinertia do.
void bound(MassProperties& mass, const MjcfCompiler& compiler) {
  mass.mass = std::max(mass.mass, compiler.least_mass);
  const PrincipalAxes principal = principal_axes(mass.inertia);
  Vector3 moments = principal.moments;
  const bool is_small = moments(0) < compiler.least_inertia;
  if (is_small) moments = moments.cwiseMax(compiler.least_inertia);
  const bool is_unbalanced = compiler.balance_inertia && moments(0) + moments(1) < moments(2);
  if (is_unbalanced) moments.setConstant(moments.mean());
  if (!is_small && !is_unbalanced) return;
  const Matrix3 axes = principal.axes;
  const Matrix3 tensor = axes * moments.asDiagonal() * axes.transpose();
  mass.inertia = 0.5 * (tensor + tensor.transpose());
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void MjcfBodies::collect(const xml::Element& parent, const Pose& around,
                         const std::string& outer_class, MjcfContent& content) {
  for (const xml::Element& child : parent.children) {
    const std::string path = parent.name + ' ' + quote(parent.text("name"));
    if (child.name == "frame") {
      const xml::Values values(child, path, in_.problems);
      const std::string inner = child.text("childclass");
      collect(child, around * read_mjcf_pose(values, in_.compiler_of(values.element())),
              inner.empty() ? outer_class : inner, content);
    } else if (child.name == "body") {
      content.bodies.push_back({&child, around, outer_class});
    } else if (child.name == "inertial") {
      content.inertial = &child;
    } else if (child.name == "freejoint") {
      content.free_joint = child;
    } else if (child.name == "joint") {
      MjcfContent::Placed joint{in_.defaults.apply(child, outer_class), around, outer_class};
      const bool is_free = joint.element.text("type") == "free";
      if (is_free) content.free_joint = joint.element;
      if (!is_free) content.joints.push_back(std::move(joint));
    } else if (child.name == "geom") {
      content.geoms.push_back({in_.defaults.apply(child, outer_class), around, outer_class});
    } else if (child.name == "site") {
      content.sites.push_back({in_.defaults.apply(child, outer_class), around, outer_class});
    } else if (is_among(kRefused, child.name)) {
      in_.problems.error(child.mark, path,
                         "expected rigid bodies, joints and geoms, got <" + child.name + '>',
                         "MuJoCo's mj_saveLastXML() writes a file in which what it makes of other "
                         "elements and files is spelled out");
    } else if (!is_among(kLookedPast, child.name)) {
      in_.problems.warning(child.mark, path,
                           "the unknown element <" + child.name + "> is ignored" +
                               did_you_mean(child.name, kBodyElements));
    }
  }
}

bool is_static(const xml::Element& body) {
  return std::none_of(body.children.begin(), body.children.end(), [](const xml::Element& child) {
    return child.name == "joint" || child.name == "freejoint" || !is_static(child);
  });
}

std::string MjcfBodies::body_name(const xml::Element& element) {
  std::string name = element.text("name");
  if (name.empty()) name = "body_" + std::to_string(++in_.unnamed);
  std::string added = in_.link_names.add(name, element.mark, "body");
  in_.bodies[element.text("name")] = added;
  return added;
}

void MjcfBodies::read(const MjcfContent::Body& placed, const std::string& parent,
                      ForeignModel& model) {
  const xml::Element& element = *placed.element;
  const std::string path = "body " + quote(element.text("name"));
  const xml::Values values(element, path, in_.problems);
  const std::string inner = element.text("childclass");
  const std::string own_class = inner.empty() ? placed.surrounding_class : inner;
  MjcfContent content;
  collect(element, {}, own_class, content);
  if (values.number("gravcomp", 0.0) != 0.0) {
    values.warning("gravcomp", "the compensation of gravity is ignored");
  }
  const Pose pose = placed.around * read_mjcf_pose(values, in_.compiler_of(values.element()));
  const std::string name = body_name(element);
  ForeignBody* body = &model.base;
  if (parent.empty()) {
    model.base.name = name;
    model.base.mark = element.mark;
  }
  if (content.free_joint) {
    for (const MjcfContent::Placed& joint : content.joints) {
      in_.problems.error(joint.element.mark, path,
                         "expected no joint beside the free joint, got another one");
    }
    if (!parent.empty() && parent != model.base.name) {
      in_.problems.error(
          element.mark, path,
          "expected a free joint on a body of <worldbody> alone, got one further out");
      return;
    }
    check_free_joint(*content.free_joint, name);
  }
  if (!parent.empty()) {
    body = &add_chain(content, pose, parent, name, element.mark, model);
  }
  body->source = place_text(element.mark);
  read_mass(content, values, *body);
  add_shapes(content, path, *body);
  add_sites(content, name, model);
  for (const MjcfContent::Body& child : content.bodies) {
    if (in_.problems.is_full()) return;
    read(child, name, model);
  }
}

void MjcfBodies::read_mass(const MjcfContent& content, const xml::Values& values,
                           ForeignBody& body) {
  body.inertia_mark = content.inertial == nullptr ? body.mark : content.inertial->mark;
  using FromGeoms = MjcfCompiler::FromGeoms;
  const MjcfCompiler& compiler = in_.compiler_of(values.element());
  const FromGeoms rule = compiler.inertia_from_geoms;
  const bool by_geoms = rule == FromGeoms::always ||
                        (rule == FromGeoms::where_missing && content.inertial == nullptr);
  MassProperties mass;
  if (!by_geoms) {
    if (content.inertial != nullptr) mass = read_inertial(*content.inertial, values.path());
  } else {
    bool has_geoms = false;
    for (const MjcfContent::Placed& placed : content.geoms) {
      const xml::Values geom_values(placed.element, values.path(), in_.problems);
      const MjcfGeom geom(geom_values, in_.compiler_of(placed.element), placed.around);
      if (!geom.is_in_groups(compiler.first_group, compiler.last_group)) continue;
      has_geoms = true;
      mass.add(geom.mass_properties(in_.assets, in_.meshes, geom_values));
    }
    // without geoms there is nothing that could take the place of what is given
    if (!has_geoms && content.inertial != nullptr) {
      mass = read_inertial(*content.inertial, values.path());
    }
  }
  bound(mass, compiler);
  body.mass = mass.mass;
  body.center_of_mass = mass.center;
  body.inertia = mass.inertia;
}

MassProperties MjcfBodies::read_inertial(const xml::Element& element, const std::string& path) {
  const xml::Values values(element, path, in_.problems);
  values.check_spelling({"pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "mass",
                         "diaginertia", "fullinertia"});
  MassProperties mass;
  mass.mass = values.required_number("mass");
  if (mass.mass < 0.0) {
    values.error("mass", "expected a mass of at least 0 kg, got " + quote(element.text("mass")));
  }
  const Pose pose = read_mjcf_pose(values, in_.compiler_of(values.element()));
  mass.center = pose.position;
  Matrix3 tensor = Matrix3::Zero();
  if (const auto full = values.numbers("fullinertia", 6, 6)) {
    const VectorX& I = *full;
    tensor << I(0), I(3), I(4), I(3), I(1), I(5), I(4), I(5), I(2);
  } else if (const auto diagonal = values.numbers("diaginertia", 3, 3)) {
    tensor = diagonal->asDiagonal();
  } else if (!values.has("fullinertia") && !values.has("diaginertia")) {
    values.error("", "expected diaginertia or fullinertia in <inertial>, got neither");
  }
  const Matrix3 rotated = pose.rotation * tensor * pose.rotation.transpose();
  mass.inertia = pose.rotation == Matrix3::Identity()
                     ? tensor
                     : Matrix3(0.5 * (rotated + rotated.transpose()));
  return mass;
}

void MjcfBodies::add_shapes(const MjcfContent& content, const std::string& path,
                            ForeignBody& body) {
  for (const MjcfContent::Placed& placed : content.geoms) {
    const xml::Values values(placed.element, path, in_.problems);
    const MjcfGeom geom(values, in_.compiler_of(placed.element), placed.around);
    if (auto shape = geom.collision(in_.assets, in_.meshes, values)) {
      body.collisions.push_back(std::move(*shape));
    }
    if (!geom.is_in_groups(0.0, kLastShownGroup)) continue;
    for (ForeignVisual& visual : geom.visuals(in_.assets, in_.meshes, values)) {
      body.visuals.push_back(std::move(visual));
    }
  }
}

void MjcfBodies::add_sites(const MjcfContent& content, const std::string& link,
                           ForeignModel& model) {
  for (const MjcfContent::Placed& placed : content.sites) {
    const xml::Element& element = placed.element;
    if (element.text("name").empty()) continue;
    const xml::Values values(element, "site " + quote(element.text("name")), in_.problems);
    const Pose pose = placed.around * read_mjcf_pose(values, in_.compiler_of(values.element()));
    ForeignFrame frame;
    frame.name = in_.link_names.add(element.text("name"), element.mark, "site");
    in_.sites[element.text("name")] = frame.name;
    frame.mark = element.mark;
    frame.source = place_text(element.mark);
    frame.link = link;
    frame.origin = Placement::from_matrix(pose.position, pose.rotation);
    model.frames.push_back(std::move(frame));
  }
}

/// Each joint moves what follows about an axis through its own point: where that is not the origin
/// of the body, or there are several, links without mass stand between.
ForeignLink& MjcfBodies::add_chain(const MjcfContent& content, const Pose& pose,
                                   const std::string& parent, const std::string& name,
                                   const Mark& mark, ForeignModel& model) {
  if (content.free_joint) {
    ForeignLink link;
    link.name = name;
    link.mark = mark;
    link.parent = parent;
    const std::string given = content.free_joint->text("name");
    link.joint.name = in_.joint_names.add(given.empty() ? name + "_free" : given, mark, "joint");
    link.joint.mark = content.free_joint->mark;
    link.joint.type = "free";
    link.joint.origin = Placement::from_matrix(pose.position, pose.rotation);
    model.links.push_back(std::move(link));
    return model.links.back();
  }
  std::string below = parent;
  Pose next = pose;  // of the body, as seen from the link below
  for (std::size_t i = 0; i < content.joints.size(); ++i) {
    ForeignLink link;
    Vector3 position = Vector3::Zero();
    link.joint = read_joint(content.joints[i], position);
    link.mark = link.inertia_mark = link.joint.mark;
    link.parent = below;
    const Pose at = next * Pose{position, Matrix3::Identity()};
    link.joint.origin = Placement::from_matrix(at.position, at.rotation);
    next = {-position, Matrix3::Identity()};
    const bool is_body = i + 1 == content.joints.size() && position.isZero(0.0);
    link.name = is_body ? name : in_.link_names.add(name + '_' + link.joint.name, mark, "body");
    link.is_auxiliary = !is_body;
    below = link.name;
    model.links.push_back(std::move(link));
    if (!is_body) continue;
    model.links.back().mark = mark;
    return model.links.back();
  }
  ForeignLink link;
  link.name = name;
  link.mark = mark;
  link.parent = below;
  link.joint.name = in_.joint_names.add(name + "_mount", mark, "joint");
  link.joint.mark = mark;
  link.joint.origin = Placement::from_matrix(next.position, next.rotation);
  model.links.push_back(std::move(link));
  return model.links.back();
}

ForeignJoint MjcfBodies::read_joint(const MjcfContent::Placed& placed, Vector3& position) {
  const xml::Element& element = placed.element;
  ForeignJoint joint;
  std::string name = element.text("name");
  if (name.empty()) name = "joint_" + std::to_string(++in_.unnamed);
  joint.name = in_.joint_names.add(name, element.mark, "joint");
  in_.joints[name] = joint.name;
  joint.mark = element.mark;
  const std::string path = "joint " + quote(name);
  const xml::Values values(element, path, in_.problems);
  values.check_spelling(kJointAttributes);
  std::string type = element.text("type");
  if (type.empty()) type = "hinge";
  if (!is_among({"hinge", "slide", "ball"}, type)) {
    values.error("type", "expected hinge, slide, ball or free, got " + quote(type) +
                             did_you_mean(type, kMjcfJoints));
  }
  joint.type = type == "slide" ? "prismatic" : "revolute";
  position =
      placed.around.position + placed.around.rotation * values.vector3("pos", Vector3::Zero());
  if (type == "ball") {
    read_ball(values, joint);
    return joint;
  }
  const Vector3 axis = values.vector3("axis", Vector3::UnitZ());
  joint.axis = placed.around.rotation * axis;
  if (axis.isZero(0.0)) {
    values.error("axis", "expected an axis other than zero, got " + quote(element.text("axis")));
  }
  const double unit = joint.type == "revolute" ? in_.compiler_of(element).angle(1.0) : 1.0;
  const double reference = unit * values.number("ref", 0.0);
  if (reference != 0.0) {
    values.warning("ref", "positions count from 'ref' here: subtract it from those of MuJoCo");
  }
  joint.stiffness = values.not_negative("stiffness", 0.0);
  joint.damping = values.not_negative("damping", 0.0);
  joint.rotor_inertia = values.not_negative("armature", 0.0);
  joint.friction = values.not_negative("frictionloss", 0.0);
  if (joint.stiffness > 0.0) {
    joint.rest_position = unit * values.number("springref", 0.0) - reference;
  }
  if (values.has("springdamper")) {
    values.warning("springdamper", "'springdamper' is ignored; give stiffness and damping");
  }
  read_joint_limits(values, unit, joint);
  joint.lower -= reference;
  joint.upper -= reference;
  return joint;
}

void MjcfBodies::check_free_joint(const xml::Element& element, const std::string& body) {
  const std::string joint = element.text("name");
  const xml::Values values(element, joint.empty() ? "body " + quote(body) : "joint " + quote(joint),
                           in_.problems);
  for (const char* attribute : {"stiffness", "damping", "armature", "frictionloss"}) {
    if (values.number(attribute, 0.0) == 0.0) continue;
    values.warning(attribute, std::string("of a free joint '") + attribute + "' is ignored",
                   element.name == "joint"
                       ? "<freejoint/> takes no defaults of joints, in MuJoCo as well"
                       : "");
  }
}

void MjcfBodies::read_ball(const xml::Values& values, ForeignJoint& joint) {
  joint.type = "spherical";
  joint.stiffness = values.not_negative("stiffness", 0.0);
  joint.damping = values.not_negative("damping", 0.0);
  for (const char* attribute : {"armature", "frictionloss"}) {
    if (!values.has(attribute)) continue;
    values.warning(attribute, std::string("of a ball joint '") + attribute +
                                  "' is ignored: spherical joints have springs, dampers and a "
                                  "limit of their angle");
  }
  read_joint_limits(values, in_.compiler_of(values.element()).angle(1.0), joint);
  if (joint.upper == std::numeric_limits<double>::infinity()) return;
  if (joint.lower != 0.0) {
    values.error("range", "expected 0 and the largest angle of a ball joint, got " +
                              quote(values.element().text("range")));
  }
  joint.lower = -std::numeric_limits<double>::infinity();
  // no attitude is further away than half a turn
  if (joint.upper >= kPi) joint.upper = std::numeric_limits<double>::infinity();
}

void MjcfBodies::read_joint_limits(const xml::Values& values, double unit, ForeignJoint& joint) {
  const auto range = values.numbers("range", 2, 2);
  const std::string limited = values.element().text("limited");
  const bool by_range = limited.empty() || limited == "auto";
  const bool is_limited =
      by_range ? range && in_.compiler_of(values.element()).autolimits : limited == "true";
  if (!is_limited) return;
  if (!range || (*range)(0) >= (*range)(1)) {
    if (by_range && range && range->isZero(0.0)) return;
    values.error("range", "expected two rising numbers, got " +
                              (range ? quote(values.element().text("range")) : "nothing"));
    return;
  }
  joint.lower = unit * (*range)(0);
  joint.upper = unit * (*range)(1);
}

}  // namespace spacedyn::loading::foreign
