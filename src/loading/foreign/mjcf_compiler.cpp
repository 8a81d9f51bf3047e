#include "loading/foreign/mjcf_parts.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

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

}  // namespace spacedyn::loading::foreign
