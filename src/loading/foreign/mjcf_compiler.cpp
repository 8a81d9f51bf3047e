#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <Eigen/Geometry>

#include "loading/foreign/mjcf_equality.hpp"
#include "loading/foreign/mjcf_parts.hpp"
#include "loading/foreign/urdf_reader.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

constexpr double kHalfTurn = 3.14159265358979323846;
const std::vector<std::string> kOrientations = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

bool is_orientation(const std::string& name) {
  return std::find(kOrientations.begin(), kOrientations.end(), name) != kOrientations.end();
}

/// One of several words, by its position; the fallback where absent or wrong.
int read_word(const xml::Values& values, const char* attribute,
              const std::vector<std::string>& words, int fallback) {
  const std::string text = values.element().text(attribute);
  if (text.empty()) return fallback;
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<int>(found - words.begin());
  std::string choices;
  for (const std::string& word : words) choices += (choices.empty() ? "" : " or ") + word;
  values.error(attribute, "expected " + choices + ", got " + quote(text));
  return fallback;
}

bool read_flag(const xml::Values& values, const char* attribute, bool fallback) {
  return read_word(values, attribute, {"false", "true"}, fallback ? 1 : 0) == 1;
}

Matrix3 rotation_about(char axis, double angle) {
  if (axis == 'x') return rotation_x(angle);
  return axis == 'y' ? rotation_y(angle) : rotation_z(angle);
}

Matrix3 from_euler(const Vector3& angles, const MjcfCompiler& compiler) {
  Matrix3 result = Matrix3::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = compiler.euler_sequence[static_cast<std::size_t>(i)];
    const char axis = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const Matrix3 step = rotation_about(axis, compiler.angle(angles(i)));
    // small letters turn about the axes that turn along, capital ones about those of the parent
    result = letter == axis ? Matrix3(result * step) : Matrix3(step * result);
  }
  return result;
}

Matrix3 from_axes(const Vector3& x, const Vector3& y, const xml::Values& values) {
  const Vector3 right = x.normalized();
  const Vector3 up = y - right * right.dot(y);
  if (!right.allFinite() || !(up.norm() > 1e-12 * y.norm()) || x.norm() == 0.0) {
    values.error("xyaxes", "expected two axes that are not parallel, got " +
                               quote(values.element().text("xyaxes")));
    return Matrix3::Identity();
  }
  Matrix3 result;
  result.col(0) = right;
  result.col(1) = up.normalized();
  result.col(2) = result.col(0).cross(result.col(1));
  return result;
}

/// Complains of a direction of length zero.
bool has_length(const Vector3& vector, const char* attribute, const xml::Values& values) {
  if (vector.norm() > 0.0) return true;
  values.error(attribute,
               "expected a vector other than zero, got " + quote(values.element().text(attribute)));
  return false;
}

Matrix3 read_rotation(const xml::Values& values, const MjcfCompiler& compiler) {
  if (values.has("quat")) return read_quaternion(values, "quat");
  if (const auto turn = values.numbers("axisangle", 4, 4)) {
    const Vector3 axis = turn->head<3>();
    if (has_length(axis, "axisangle", values)) {
      return exp_so3(axis.normalized() * compiler.angle((*turn)(3)));
    }
  } else if (const auto angles = values.numbers("euler", 3, 3)) {
    return from_euler(*angles, compiler);
  } else if (const auto axes = values.numbers("xyaxes", 6, 6)) {
    return from_axes(axes->head<3>(), axes->tail<3>(), values);
  } else if (const auto z = values.numbers("zaxis", 3, 3)) {
    if (has_length(*z, "zaxis", values)) return rotation_to(*z);
  }
  return Matrix3::Identity();
}

}  // namespace

double MjcfCompiler::angle(double value) const {
  return in_degrees ? value * (kHalfTurn / 180.0) : value;
}

std::string MjcfCompiler::mesh_path(const std::string& given) const {
  const std::string file = with_slashes(given);
  const std::string name = strips_paths ? std::filesystem::path(file).filename().string() : file;
  const bool is_whole = name.empty() || name.front() == '/' || mesh_folder.empty();
  const std::string path = is_whole ? name : mesh_folder + '/' + name;
  return folder.empty() || path.empty() || path.front() == '/' ? path : folder + '/' + path;
}

void MjcfCompiler::read(const xml::Element& element, ProblemList& problems) {
  const xml::Values values(element, "compiler", problems);
  in_degrees = read_word(values, "angle", {"radian", "degree"}, in_degrees ? 1 : 0) == 1;
  autolimits = read_flag(values, "autolimits", autolimits);
  exact_mesh_inertia = read_flag(values, "exactmeshinertia", exact_mesh_inertia);
  strips_paths = read_flag(values, "strippath", strips_paths);
  balance_inertia = read_flag(values, "balanceinertia", balance_inertia);
  inertia_from_geoms = static_cast<FromGeoms>(read_word(
      values, "inertiafromgeom", {"false", "auto", "true"}, static_cast<int>(inertia_from_geoms)));
  if (read_word(values, "coordinate", {"local", "global"}, 0) == 1) {
    values.error("coordinate", "expected 'local', got 'global', which MuJoCo has given up, too",
                 "load and save the file with MuJoCo 2.3.3 or older");
  }
  if (const auto groups = values.numbers("inertiagrouprange", 2, 2)) {
    first_group = (*groups)(0);
    last_group = (*groups)(1);
  }
  least_mass = values.not_negative("boundmass", least_mass);
  least_inertia = values.not_negative("boundinertia", least_inertia);
  total_mass = values.number("settotalmass", total_mass);
  for (const char* key : {"assetdir", "meshdir"}) {
    if (values.has(key)) mesh_folder = with_slashes(element.text(key));
  }
  const std::string sequence = element.text("eulerseq");
  if (sequence.empty()) return;
  if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
    values.error("eulerseq", "expected 3 letters of xyz and XYZ, got " + quote(sequence));
    return;
  }
  std::copy(sequence.begin(), sequence.end(), euler_sequence.begin());
}

void MjcfDefaults::read(const xml::Element& element) {
  const std::string main = element.find("main") == nullptr ? "main" : element.text("main");
  const std::string name = element.text("class");
  if (!name.empty() && name != main) {
    classes_.emplace(name, classes_[main]);
    read_class(element, name);
    // the outermost class is that of all elements, whatever its name
    classes_[main] = classes_[name];
  } else {
    read_class(element, main);
  }
}

void MjcfDefaults::read_class(const xml::Element& element, const std::string& name) {
  auto& own = classes_[name];
  for (const xml::Element& child : element.children) {
    if (child.name == "default") continue;
    Attributes& known = own[child.name];
    for (const xml::Attribute& attribute : child.attributes) {
      const auto is_replaced = [&](const xml::Attribute& old) {
        return old.name == attribute.name ||
               (is_orientation(old.name) && is_orientation(attribute.name));
      };
      known.erase(std::remove_if(known.begin(), known.end(), is_replaced), known.end());
      known.push_back(attribute);
    }
  }
  for (const xml::Element& child : element.children) {
    if (child.name != "default") continue;
    const std::string inner = xml::Values(child, "default", problems_).required_text("class");
    if (inner.empty()) continue;
    classes_[inner] = classes_[name];
    read_class(child, inner);
  }
}

xml::Element MjcfDefaults::apply(const xml::Element& element,
                                 const std::string& surrounding_class) const {
  std::string name = element.text("class");
  if (name.empty()) name = surrounding_class.empty() ? "main" : surrounding_class;
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    std::vector<std::string> known;
    for (const auto& each : classes_) known.push_back(each.first);
    problems_.error(
        element.mark_of("class"), element.name,
        "expected a class of <default>, got " + quote(name) + did_you_mean(name, known));
    return element;
  }
  xml::Element result = element;
  const auto defaults = found->second.find(element.name);
  if (defaults == found->second.end()) return result;
  const bool turns = std::any_of(element.attributes.begin(), element.attributes.end(),
                                 [](const auto& own) { return is_orientation(own.name); });
  for (const xml::Attribute& attribute : defaults->second) {
    if (element.find(attribute.name) != nullptr || attribute.name == "class") continue;
    if (turns && is_orientation(attribute.name)) continue;
    result.attributes.push_back(attribute);
  }
  return result;
}

Pose read_mjcf_pose(const xml::Values& values, const MjcfCompiler& compiler) {
  int forms = 0;
  for (const std::string& form : kOrientations) {
    if (values.has(form) && ++forms == 2) {
      values.error(form, "expected one orientation, got '" + form + "' beside another one");
    }
  }
  return {values.vector3("pos", Vector3::Zero()), read_rotation(values, compiler)};
}

Matrix3 read_quaternion(const xml::Values& values, const char* attribute) {
  const auto quat = values.numbers(attribute, 4, 4);
  if (!quat) return Matrix3::Identity();
  if (quat->norm() > 1e-12) {
    const VectorX unit = quat->normalized();
    return matrix_from_quaternion(Quaternion(unit(0), unit(1), unit(2), unit(3)));
  }
  values.error(attribute, "expected a quaternion w x y z other than zero, got " +
                              quote(values.element().text(attribute)));
  return Matrix3::Identity();
}

Pose operator*(const Pose& a, const Pose& b) {
  return {a.position + a.rotation * b.position, a.rotation * b.rotation};
}

Matrix3 rotation_to(const Vector3& z_axis) {
  const Vector3 z = z_axis.normalized();
  const Vector3 axis = Vector3::UnitZ().cross(z);
  const double sine = axis.norm();
  if (sine < 1e-10) return z.z() > 0.0 ? Matrix3(Matrix3::Identity()) : rotation_x(kHalfTurn);
  return exp_so3(axis / sine * std::atan2(sine, z.z()));
}

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
