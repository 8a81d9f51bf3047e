#include <algorithm>
#include <initializer_list>

#include "loading/foreign/urdf_reader.hpp"
#include "loading/yaml/node.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

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
