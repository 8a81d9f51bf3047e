#include "loading/foreign/mjcf_equality.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "loading/foreign/urdf_reader.hpp"

namespace spacedyn::loading::foreign {
namespace {

/// Poses of all links in the frame of the root, all joints at zero; parents stand before children.
std::map<std::string, Pose> rest_poses(const ForeignModel& model) {
  std::map<std::string, Pose> poses{{model.base.name, {}}};
  for (const ForeignLink& link : model.links) {
    poses[link.name] =
        poses.at(link.parent) * Pose{link.joint.origin.position, link.joint.origin.rotation};
  }
  return poses;
}

/// What `relpose` gives, unless its quaternion is zero: then the pose at rest.
Pose weld_pose(const xml::Values& values, const Pose& rest) {
  const auto numbers = values.numbers("relpose", 7, 7);
  if (!numbers || numbers->tail<4>().isZero(0.0)) return rest;
  const Eigen::Vector4d q = numbers->tail<4>().normalized();
  return {numbers->head<3>(), Eigen::Quaterniond(q(0), q(1), q(2), q(3)).toRotationMatrix()};
}

/// Our name of what an attribute names; empty, and reported, where there is none.
std::string find_name(const xml::Values& values, const char* attribute,
                      const std::map<std::string, std::string>& known, const std::string& what) {
  const std::string name = values.required_text(attribute);
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  if (!name.empty()) {
    values.error(attribute, "expected the name of " + what + ", got " + quote(name));
  }
  return "";
}

}  // namespace

MjcfEqualities::MjcfEqualities(MjcfReading& in, ForeignModel& model)
    : in_(in), model_(model), rest_poses_(rest_poses(model)) {}

bool MjcfEqualities::read(const xml::Element& element) {
  const std::string path = element.name + ' ' + quote(element.text("name"));
  const xml::Values values(element, path, in_.problems);
  if (element.name == "joint") return read_joint_equality(values);
  const bool is_weld = element.name == "weld";
  if ((!is_weld && element.name != "connect") || is_to_world(element)) return false;
  ForeignLoop loop;
  loop.mark = element.mark;
  loop.type = is_weld ? "weld" : "spherical";
  if (values.has("site1") || values.has("site2")) {
    loop.from = find_name(values, "site1", in_.sites, "a site");
    loop.to = find_name(values, "site2", in_.sites, "a site");
  } else if (!read_bodies(values, is_weld, loop)) {
    return false;
  }
  if (loop.from.empty() || loop.to.empty()) return true;  // reported
  loop.name = loop_name(element);
  model_.loops.push_back(std::move(loop));
  return true;
}

bool MjcfEqualities::is_to_world(const xml::Element& element) const {
  for (const char* end : {"body1", "body2", "site1", "site2"}) {
    if (in_.fixed.count(element.text(end)) > 0) return true;
  }
  return false;
}

/// Points of two bodies; the world counts as one where it is the base.
/// @returns false where the world cannot be named
bool MjcfEqualities::read_bodies(const xml::Values& values, bool is_weld, ForeignLoop& loop) {
  const std::string body1 = find_name(values, "body1", in_.bodies, "a body");
  const bool to_world = !values.has("body2");
  if (to_world && !model_.fixed) return false;
  const std::string body2 =
      to_world ? model_.base.name : find_name(values, "body2", in_.bodies, "a body");
  if (body1.empty() || body2.empty()) return true;
  const Pose relative = relative_rest_pose(body1, body2);
  if (is_weld) {
    loop.from = add_point(values, body1, weld_pose(values, relative));
    loop.to = body2;
    return true;
  }
  const Vector3 anchor = values.vector3("anchor", Vector3::Zero());
  if (!values.has("anchor")) values.error("anchor", "expected an anchor of 3 numbers, got nothing");
  loop.from = add_point(values, body1, {anchor, Matrix3::Identity()});
  const Vector3 seen = relative.rotation.transpose() * (anchor - relative.position);
  loop.to = add_point(values, body2, {seen, Matrix3::Identity()});
  return true;
}

/// Pose of one link in the frame of another one, all joints at zero.
Pose MjcfEqualities::relative_rest_pose(const std::string& from, const std::string& to) const {
  const Pose &a = rest_poses_.at(from), &b = rest_poses_.at(to);
  const Matrix3 back = a.rotation.transpose();
  return {back * (b.position - a.position), back * b.rotation};
}

/// q_1 = a_0 + a_1 q_2; higher powers have no loop.
bool MjcfEqualities::read_joint_equality(const xml::Values& values) {
  VectorX coefficients(2);
  coefficients << 0.0, 1.0;
  if (const auto given = values.numbers("polycoef", 1, 5)) {
    if (given->size() > 2 && !given->tail(given->size() - 2).isZero(0.0)) return false;
    coefficients.head(std::min<Eigen::Index>(given->size(), 2)) =
        given->head(std::min<Eigen::Index>(given->size(), 2));
  }
  if (!values.has("joint2") || coefficients(1) == 0.0) return false;
  ForeignGear gear;
  gear.mark = values.element().mark;
  gear.follower = find_name(values, "joint1", in_.joints, "a joint");
  gear.followed = find_name(values, "joint2", in_.joints, "a joint");
  if (gear.follower.empty() || gear.followed.empty()) return true;  // reported
  gear.offset = coefficients(0);
  gear.ratio = coefficients(1);
  gear.name = loop_name(values.element());
  model_.gears.push_back(std::move(gear));
  return true;
}

std::string MjcfEqualities::loop_name(const xml::Element& element) {
  std::string name = element.text("name");
  if (name.empty()) name = element.name + '_' + std::to_string(++in_.unnamed);
  return in_.loop_names.add(name, element.mark, "equality");
}

std::string MjcfEqualities::add_point(const xml::Values& values, const std::string& link,
                                      const Pose& pose) {
  const bool is_origin =
      pose.position.isZero(0.0) && pose.rotation.isApprox(Matrix3::Identity(), 0.0);
  if (is_origin) return link;
  ForeignFrame frame;
  const xml::Element& element = values.element();
  const std::string stem = element.text("name").empty() ? element.name : element.text("name");
  std::string name = stem + "_at_" + link;
  if (const int count = ++points_[name]; count > 1) name += '_' + std::to_string(count);
  frame.name = in_.link_names.add(name, element.mark, "point");
  frame.mark = element.mark;
  frame.source = place_text(element.mark);
  frame.link = link;
  frame.origin = Placement::from_matrix(pose.position, pose.rotation);
  model_.frames.push_back(frame);
  return frame.name;
}

}  // namespace spacedyn::loading::foreign
