#include <algorithm>
#include <initializer_list>

#include "loading/foreign/urdf_reader.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

const std::vector<std::string> kLinkElements = {"inertial", "visual", "collision"};
const std::vector<std::string> kShapes = {"box", "cylinder", "sphere", "mesh", "capsule"};

const std::vector<std::string> kJointElements = {"parent",   "child", "origin", "axis",
                                                 "dynamics", "limit", "mimic"};
const std::vector<std::string> kJointTypes = {"revolute", "continuous", "prismatic",
                                              "fixed",    "floating",   "planar"};

/// The link that <parent link="…"/> or <child link="…"/> names.
std::string read_end(const xml::Element& joint, const char* end, const std::string& path,
                     ProblemList& problems) {
  const xml::Element* element = joint.child(end);
  if (element != nullptr) return xml::Values(*element, path, problems).required_text("link");
  problems.error(joint.mark, path, std::string("expected <") + end + " link=\"…\"/>, got nothing");
  return {};
}

}  // namespace

ForeignBody UrdfReader::read_link(const xml::Element& element) {
  const xml::Values named(element, "link", problems_);
  ForeignBody body;
  body.name = named.required_text("name");
  body.mark = element.mark;
  body.source = place_text(element.mark);
  body.inertia_mark = element.mark;
  const std::string path = "link " + quote(body.name);
  judge_children(element, kLinkElements, path);
  if (const xml::Element* inertial = element.child("inertial")) read_inertial(*inertial, body);
  read_visuals(element, body);
  read_collisions(element, body);
  return body;
}

void UrdfReader::read_inertial(const xml::Element& element, ForeignBody& body) {
  const std::string path = "link " + quote(body.name);
  body.inertia_mark = element.mark;
  judge_children(element, {"origin", "mass", "inertia"}, path);
  const Placement origin = read_origin(element, path, problems_);
  body.center_of_mass = origin.position;
  const xml::Element* mass = element.child("mass");
  if (mass == nullptr) {
    problems_.error(element.mark, path, "expected <mass value=\"…\"/> in <inertial>, got nothing");
  } else {
    const xml::Values values(*mass, path, problems_);
    body.mass = values.required_number("value");
    if (body.mass < 0.0) {
      values.error("value", "expected a mass of at least 0 kg, got " + quote(mass->text("value")));
    }
  }
  const xml::Element* inertia = element.child("inertia");
  if (inertia == nullptr) {
    if (body.mass == 0.0) return;
    problems_.error(element.mark, path,
                    "expected <inertia ixx=\"…\" …/> in <inertial>, got nothing",
                    "a point mass has ixx, iyy and izz of 0");
    return;
  }
  body.inertia_mark = inertia->mark;
  const xml::Values values(*inertia, path, problems_);
  values.check_spelling({"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
  Matrix3 I;
  const double xy = values.number("ixy", 0.0);
  const double xz = values.number("ixz", 0.0);
  const double yz = values.number("iyz", 0.0);
  I << values.required_number("ixx"), xy, xz, xy, values.required_number("iyy"), yz, xz, yz,
      values.required_number("izz");
  if (origin.numbers.size() == 0 || origin.numbers.isZero(0.0)) {
    body.inertia = I;
    return;
  }
  const Matrix3 rotated = origin.rotation * I * origin.rotation.transpose();
  body.inertia = 0.5 * (rotated + rotated.transpose());
}

void UrdfReader::read_visuals(const xml::Element& link, ForeignBody& body) {
  const std::string path = "link " + quote(body.name);
  for (const xml::Element& element : link.children) {
    if (element.name != "visual") continue;
    const xml::Element* geometry = element.child("geometry");
    if (geometry == nullptr || geometry->children.empty()) {
      problems_.warning(element.mark, path, "a picture without geometry is left out");
      continue;
    }
    auto visual = read_geometry(geometry->children.front(), path);
    const Placement origin = read_origin(element, path, problems_);
    const xml::Element* material = element.child("material");
    const std::string color = material == nullptr ? "" : read_color(*material, path);
    if (!visual) continue;
    visual->origin = origin;
    visual->color = color;
    body.visuals.push_back(std::move(*visual));
  }
}

/// Shapes that touch; without contacts in a scenario they have no effect.
void UrdfReader::read_collisions(const xml::Element& link, ForeignBody& body) {
  const std::string path = "link " + quote(body.name);
  for (const xml::Element& element : link.children) {
    if (element.name != "collision") continue;
    const xml::Element* geometry = element.child("geometry");
    const xml::Element* shape =
        geometry == nullptr || geometry->children.empty() ? nullptr : &geometry->children.front();
    if (shape == nullptr) {
      problems_.warning(element.mark, path, "a shape for contacts without geometry is left out");
      continue;
    }
    auto read = read_geometry(*shape, path);
    if (!read) continue;
    read->shape = shape->name;
    read->origin = read_origin(element, path, problems_);
    const bool is_mesh = read->shape == "mesh";
    if (is_mesh && !meshes_.has_hull(read->mesh, shape->mark_of("filename"), path)) continue;
    body.collisions.push_back(std::move(*read));
  }
}

std::optional<ForeignVisual> UrdfReader::read_geometry(const xml::Element& shape,
                                                       const std::string& path) {
  const xml::Values values(shape, path, problems_);
  ForeignVisual visual;
  visual.mark = shape.mark;
  visual.shape = shape.name;
  if (std::find(kShapes.begin(), kShapes.end(), shape.name) == kShapes.end()) {
    values.warning("", "the unknown shape <" + shape.name + "> is left out");
    return std::nullopt;
  }
  if (shape.name == "mesh") {
    visual.size = values.vector3("scale", Vector3::Ones());
    if (visual.size.cwiseAbs().minCoeff() == 0.0) {
      values.error("scale", "expected factors other than zero, got " + quote(shape.text("scale")));
    }
    const std::string file = values.required_text("filename");
    if (file.empty()) return std::nullopt;
    visual.mesh = meshes_.find(file, shape.mark_of("filename"), path);
    return visual.mesh.empty() ? std::nullopt : std::make_optional(visual);
  }
  if (shape.name == "box") {
    if (!values.has("size")) values.required_text("size");
    visual.size = values.vector3("size", Vector3::Ones());
  } else {
    visual.size.x() = values.required_number("radius");
    visual.size.y() = shape.name == "sphere" ? 1.0 : values.required_number("length");
    visual.size.z() = 1.0;
    if (shape.name == "capsule") visual.shape = "cylinder";
  }
  if (problems_.has_errors()) return std::nullopt;
  if (visual.size.minCoeff() > 0.0) return visual;
  values.warning("", "a shape without volume is left out");
  return std::nullopt;
}

std::string UrdfReader::read_color(const xml::Element& material, const std::string& path) {
  const xml::Element* color = material.child("color");
  if (color == nullptr) {
    const auto known = materials_.find(material.text("name"));
    return known == materials_.end() ? "" : known->second;
  }
  return xml::Values(*color, path, problems_).color("rgba");
}

UrdfReader::UrdfJoint UrdfReader::read_joint(const xml::Element& element) {
  UrdfJoint result;
  ForeignJoint& joint = result.joint;
  joint.name = xml::Values(element, "joint", problems_).required_text("name");
  joint.mark = element.mark;
  const std::string path = "joint " + quote(joint.name);
  const xml::Values values(element, path, problems_);
  judge_children(element, kJointElements, path);
  result.parent = read_end(element, "parent", path, problems_);
  result.child = read_end(element, "child", path, problems_);
  joint.origin = read_origin(element, path, problems_);
  const std::string type = values.required_text("type");
  const auto pass_over = [&](std::initializer_list<const char*> terms) {
    for (const char* term : terms) {
      if (element.child(term) == nullptr) continue;
      values.warning("", std::string("<") + term + "> of a " + type + " joint is ignored");
    }
  };
  if (type == "fixed") pass_over({"mimic"});
  if (type.empty() || type == "fixed") return result;
  if (type == "floating") {
    pass_over({"limit", "dynamics", "mimic"});
    result.is_floating = true;
    joint.type = "free";
    return result;
  }
  if (std::find(kJointTypes.begin(), kJointTypes.end(), type) == kJointTypes.end()) {
    values.error("type",
                 "expected revolute, continuous, prismatic, planar, floating or fixed, got " +
                     quote(type) + did_you_mean(type, kJointTypes));
    return result;
  }
  joint.type = type == "continuous" ? "revolute" : type;
  joint.axis = Vector3::UnitX();
  if (const xml::Element* axis = element.child("axis")) {
    const xml::Values axis_values(*axis, path, problems_);
    joint.axis = axis_values.vector3("xyz", Vector3::UnitX());
    if (joint.axis.isZero(0.0)) {
      axis_values.error("xyz", "expected an axis other than zero, got " + quote(axis->text("xyz")));
    }
  }
  if (type == "planar") {
    pass_over({"limit", "dynamics", "mimic"});
    return result;
  }
  read_limit(values, type, joint);
  read_dynamics(values, joint);
  if (const xml::Element* mimic = element.child("mimic")) read_mimic(*mimic, result);
  return result;
}

void UrdfReader::read_limit(const xml::Values& joint, const std::string& type,
                            ForeignJoint& result) {
  const xml::Element* element = joint.element().child("limit");
  const bool is_bounded = type != "continuous";
  if (element == nullptr) {
    if (is_bounded) joint.warning("", "expected <limit>, got nothing: the joint has no limits");
    return;
  }
  const xml::Values limit(*element, joint.path(), problems_);
  limit.check_spelling({"lower", "upper", "effort", "velocity"});
  const bool has_range = limit.has("lower") || limit.has("upper");
  if (is_bounded && has_range) {
    result.lower = limit.bound("lower", 0.0);
    result.upper = limit.bound("upper", 0.0);
    if (result.lower == result.upper) {
      // what exporters write for joints that were given no limits
      limit.warning("lower", "lower = upper leaves no motion: the position has no limits");
      result.lower = -std::numeric_limits<double>::infinity();
      result.upper = std::numeric_limits<double>::infinity();
    } else if (result.lower > result.upper) {
      limit.error("lower", "expected lower ≤ upper, got " + quote(element->text("lower")) +
                               " and " + quote(element->text("upper")));
    }
  } else if (is_bounded) {
    limit.warning("", "expected 'lower' and 'upper', got neither: the position has no limits");
  }
  const auto read_bound = [&](const char* attribute, double& bound) {
    if (!limit.has(attribute)) return;
    const double value = limit.bound(attribute, bound);
    if (value > 0.0) {
      bound = value;
    } else {
      limit.warning(attribute, "a limit of " + element->text(attribute) +
                                   " leaves nothing: no limit of " + attribute);
    }
  };
  read_bound("effort", result.effort_limit);
  read_bound("velocity", result.velocity_limit);
}

void UrdfReader::read_dynamics(const xml::Values& joint, ForeignJoint& result) {
  const xml::Element* element = joint.element().child("dynamics");
  if (element == nullptr) return;
  const xml::Values dynamics(*element, joint.path(), problems_);
  dynamics.check_spelling({"damping", "friction"});
  result.damping = dynamics.not_negative("damping", 0.0);
  result.friction = dynamics.not_negative("friction", 0.0);
}

}  // namespace spacedyn::loading::foreign
