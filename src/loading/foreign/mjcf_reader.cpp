#include "loading/foreign/mjcf_reader.hpp"

#include <algorithm>
#include <filesystem>

#include "loading/foreign/urdf_reader.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

// what of each section is named where it is left out; it changes the motion
const std::vector<std::string> kWarned = {"actuator", "equality", "tendon", "deformable"};
const std::string kEquality = "equality";
const std::vector<std::string> kUnnamed = {"option", "size",     "visual",  "statistic",
                                           "custom", "keyframe", "contact", "extension"};
const std::vector<std::string> kRead = {"compiler", "default", "asset", "worldbody"};

/// Poses of all links in the frame of the root, all joints at zero; parents stand before children.
std::map<std::string, Pose> rest_poses(const ForeignModel& model) {
  std::map<std::string, Pose> poses{{model.base.name, {}}};
  for (const ForeignLink& link : model.links) {
    poses[link.name] =
        poses.at(link.parent) * Pose{link.joint.origin.position, link.joint.origin.rotation};
  }
  return poses;
}

}  // namespace

MjcfReader::MjcfReader(const xml::Element& root, std::vector<MjcfCompiler> compilers,
                       MeshFiles& meshes, ProblemList& problems)
    : root_(root),
      meshes_(meshes),
      problems_(problems),
      compilers_(std::move(compilers)),
      defaults_(problems),
      link_names_(problems),
      joint_names_(problems),
      loop_names_(problems) {}

ForeignModel MjcfReader::read() {
  ForeignModel model;
  model.name = fit_name(root_.text("model"));
  if (model.name.empty()) model.name = "MuJoCo model";
  model.mark = root_.mark;
  model.source = "MJCF, " + place_text(root_.mark);
  read_settings();
  note_sections();
  Content world;
  for (const xml::Element& section : root_.children) {
    if (section.name == "worldbody") collect(section, {}, section.text("childclass"), world);
  }
  check_world(world);
  if (world.bodies.empty() && !problems_.has_errors()) {
    problems_.error(root_.mark, "", "expected a <body> in <worldbody>, got none");
  }
  if (problems_.has_errors()) return model;
  add_world(world, model);
  read_equalities(model);
  scale_masses(model);
  report_ignored();
  meshes_.report();
  return model;
}

/// The world neither moves nor has a mass.
void MjcfReader::check_world(const Content& world) {
  std::vector<const xml::Element*> wrong;
  for (const Placed& joint : world.joints) wrong.push_back(&joint.element);
  if (world.free_joint) wrong.push_back(&*world.free_joint);
  if (world.inertial != nullptr) wrong.push_back(world.inertial);
  for (const xml::Element* element : wrong) {
    problems_.error(element->mark, "worldbody",
                    "expected <" + element->name + "> in a <body>, got one of the world");
  }
}

void MjcfReader::read_settings() {
  for (const xml::Element& section : root_.children) {
    if (section.name == "default") defaults_.read(section);
  }
  for (const xml::Element& section : root_.children) {
    if (section.name == "asset") read_asset(section);
  }
}

void MjcfReader::read_asset(const xml::Element& asset) {
  for (const xml::Element& given : asset.children) {
    if (given.name == "material") {
      const xml::Element element = defaults_.apply(given, "");
      const xml::Values values(element, "material", problems_);
      assets_.colors[element.text("name")] = values.color("rgba");
    }
    if (given.name != "mesh") continue;
    const xml::Element element = defaults_.apply(given, "");
    const xml::Values values(element, "mesh", problems_);
    MjcfMesh mesh;
    mesh.file = compiler_of(element).mesh_path(element.text("file"));
    mesh.scale = values.vector3("scale", Vector3::Ones());
    mesh.reference.position = values.vector3("refpos", Vector3::Zero());
    if (values.has("refquat")) mesh.reference.rotation = read_quaternion(values, "refquat");
    mesh.inertia = read_mesh_inertia(values, compiler_of(element));
    const std::string name = element.text("name");
    if (mesh.file.empty()) {
      values.warning("", "a mesh without a file is left out: " + quote(name));
    }
    assets_.meshes[name.empty() ? std::filesystem::path(mesh.file).stem().string() : name] = mesh;
  }
}

void MjcfReader::add_ignored(const xml::Element& element, const std::string& what) {
  const auto entry = ignored_.try_emplace(what, element.mark, std::vector<std::string>());
  const std::string name = element.text("name");
  entry.first->second.second.push_back(name.empty() ? '<' + element.name + '>' : quote(name));
}

void MjcfReader::note_sections() {
  const auto is_among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const xml::Element& section : root_.children) {
    if (section.name == kEquality) continue;  // becomes loops where it can
    if (is_among(kWarned, section.name) || section.name == "sensor") {
      for (const xml::Element& item : section.children) add_ignored(item, section.name);
    } else if (is_among(kUnnamed, section.name)) {
      add_ignored(section, "others");
    } else if (!is_among(kRead, section.name)) {
      problems_.warning(section.mark, "",
                        "the unknown element <" + section.name + "> is ignored" +
                            did_you_mean(section.name, kRead));
    }
  }
}

void MjcfReader::report_ignored() {
  for (const auto& [what, found] : ignored_) {
    std::string list;
    for (const std::string& name : found.second) {
      if (list.size() > 400) {
        list += " …";
        break;
      }
      list += (list.empty() ? "" : ", ") + name;
    }
    const bool moves = std::find(kWarned.begin(), kWarned.end(), what) != kWarned.end();
    const std::string message =
        what == "others" ? "of no effect here: " + list : "ignored, of <" + what + ">: " + list;
    problems_.add(
        moves ? Severity::warning : Severity::note, found.first, "", message,
        what == kEquality ? "loops are connect, weld and joint with a line, between bodies" : "");
  }
}

/// A body with a free joint is the base where nothing else moves in the world; else the world is,
/// in which several bodies may float.
void MjcfReader::add_world(const Content& world, ForeignModel& model) {
  const PlacedBody* base = nullptr;
  int moving = 0, floating = 0;
  for (const PlacedBody& body : world.bodies) {
    Content content;
    const std::string inner = body.element->text("childclass");
    collect(*body.element, {}, inner.empty() ? body.surrounding_class : inner, content);
    moving += is_static(*body.element) ? 0 : 1;
    if (!content.free_joint) continue;
    ++floating;
    base = &body;
  }
  if (base == nullptr || moving > 1) {
    model.fixed = true;
    model.base.name = link_names_.add(kWorld, root_.mark, "body");
    bodies_[kWorld] = model.base.name;
    model.base.mark = model.base.inertia_mark = root_.mark;
    add_shapes(world, "worldbody", model.base);
    add_sites(world, model.base.name, model);
    if (floating == 0) {
      problems_.warning(root_.mark, "",
                        "no body has a free joint: the base is the world, which is fixed",
                        "add <freejoint/> to the body that is to float");
    } else {
      problems_.add(Severity::note, root_.mark, "",
                    "of " + std::to_string(moving) +
                        " bodies that move in the world, those that float stand on joints of type "
                        "free",
                    "'body' beside 'file' of a scenario's model takes one of them as a robot");
    }
    for (const PlacedBody& body : world.bodies) read_body(body, model.base.name, model);
    return;
  }
  for (const PlacedBody& body : world.bodies) {
    if (&body == base) continue;
    add_ignored(*body.element, "bodies fixed in the world");
    note_fixed(*body.element);
  }
  fixed_.insert(kWorld);
  for (const Placed& site : world.sites) note_fixed(site.element);
  if (!world.geoms.empty()) add_ignored(world.geoms.front().element, "geoms of the world");
  read_body(*base, "", model);
}

/// Keeps the names of a body that is fixed in the world, and of those it carries.
void MjcfReader::note_fixed(const xml::Element& element) {
  const bool is_named = element.name == "body" || element.name == "site";
  if (is_named && !element.text("name").empty()) fixed_.insert(element.text("name"));
  for (const xml::Element& child : element.children) note_fixed(child);
}

void MjcfReader::scale_masses(ForeignModel& model) {
  const double wanted = compilers_.front().total_mass;
  if (wanted <= 0.0) return;
  double total = model.base.mass;
  for (const ForeignLink& link : model.links) total += link.mass;
  if (total <= 0.0) return;
  const double factor = wanted / total;
  const auto scale = [&](ForeignBody& body) {
    body.mass *= factor;
    body.inertia *= factor;
  };
  scale(model.base);
  for (ForeignLink& link : model.links) scale(link);
}

std::string MjcfReader::body_name(const xml::Element& element) {
  std::string name = element.text("name");
  if (name.empty()) name = "body_" + std::to_string(++unnamed_);
  std::string added = link_names_.add(name, element.mark, "body");
  bodies_[element.text("name")] = added;
  return added;
}

std::optional<ForeignModel> read_mjcf(xml::Element root, const Source& source, MeshFiles& meshes,
                                      const Surroundings& around) {
  if (!expand_includes(root, source, around)) return std::nullopt;
  std::vector<MjcfCompiler> compilers{read_compiler(root, around.problems)};
  if (!expand_attachments(root, source.name(), around, compilers)) return std::nullopt;
  if (!expand_replicates(root, around.problems)) return std::nullopt;
  return MjcfReader(root, std::move(compilers), meshes, around.problems).read();
}
void MjcfReader::read_equalities(ForeignModel& model) {
  rest_poses_ = rest_poses(model);
  for (const xml::Element& section : root_.children) {
    if (section.name != "equality") continue;
    for (const xml::Element& child : section.children) {
      const xml::Element element = defaults_.apply(child, "");
      const std::string active = element.text("active");
      if (active == "false" || !read_equality(element, model)) add_ignored(child, "equality");
    }
  }
}

bool MjcfReader::read_equality(const xml::Element& element, ForeignModel& model) {
  const std::string path = element.name + ' ' + quote(element.text("name"));
  const xml::Values values(element, path, problems_);
  if (element.name == "joint") return read_joint_equality(values, model);
  const bool is_weld = element.name == "weld";
  if ((!is_weld && element.name != "connect") || is_to_world(element)) return false;
  ForeignLoop loop;
  loop.mark = element.mark;
  loop.type = is_weld ? "weld" : "spherical";
  if (values.has("site1") || values.has("site2")) {
    loop.from = find_name(values, "site1", sites_, "a site");
    loop.to = find_name(values, "site2", sites_, "a site");
  } else if (!read_bodies(values, is_weld, model, loop)) {
    return false;
  }
  if (loop.from.empty() || loop.to.empty()) return true;  // reported
  loop.name = loop_name(element);
  model.loops.push_back(std::move(loop));
  return true;
}

bool MjcfReader::is_to_world(const xml::Element& element) const {
  for (const char* end : {"body1", "body2", "site1", "site2"}) {
    if (fixed_.count(element.text(end)) > 0) return true;
  }
  return false;
}

/// Points of two bodies; the world counts as one where it is the base.
/// @returns false where the world cannot be named
bool MjcfReader::read_bodies(const xml::Values& values, bool is_weld, ForeignModel& model,
                             ForeignLoop& loop) {
  const std::string body1 = find_name(values, "body1", bodies_, "a body");
  const bool to_world = !values.has("body2");
  if (to_world && !model.fixed) return false;
  const std::string body2 =
      to_world ? model.base.name : find_name(values, "body2", bodies_, "a body");
  if (body1.empty() || body2.empty()) return true;
  const Pose relative = relative_rest_pose(body1, body2);
  if (is_weld) {
    loop.from = add_point(values, body1, weld_pose(values, relative), model);
    loop.to = body2;
    return true;
  }
  const Vector3 anchor = values.vector3("anchor", Vector3::Zero());
  if (!values.has("anchor")) values.error("anchor", "expected an anchor of 3 numbers, got nothing");
  loop.from = add_point(values, body1, {anchor, Matrix3::Identity()}, model);
  const Vector3 seen = relative.rotation.transpose() * (anchor - relative.position);
  loop.to = add_point(values, body2, {seen, Matrix3::Identity()}, model);
  return true;
}

/// Pose of one link in the frame of another one, all joints at zero.
Pose MjcfReader::relative_rest_pose(const std::string& from, const std::string& to) const {
  const Pose &a = rest_poses_.at(from), &b = rest_poses_.at(to);
  const Matrix3 back = a.rotation.transpose();
  return {back * (b.position - a.position), back * b.rotation};
}

/// What `relpose` gives, unless its quaternion is zero: then the pose at rest.
Pose MjcfReader::weld_pose(const xml::Values& values, const Pose& rest) {
  const auto numbers = values.numbers("relpose", 7, 7);
  if (!numbers || numbers->tail<4>().isZero(0.0)) return rest;
  const Eigen::Vector4d q = numbers->tail<4>().normalized();
  return {numbers->head<3>(), Eigen::Quaterniond(q(0), q(1), q(2), q(3)).toRotationMatrix()};
}

/// q_1 = a_0 + a_1 q_2; higher powers have no loop.
bool MjcfReader::read_joint_equality(const xml::Values& values, ForeignModel& model) {
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
  gear.follower = find_name(values, "joint1", joints_, "a joint");
  gear.followed = find_name(values, "joint2", joints_, "a joint");
  if (gear.follower.empty() || gear.followed.empty()) return true;  // reported
  gear.offset = coefficients(0);
  gear.ratio = coefficients(1);
  gear.name = loop_name(values.element());
  model.gears.push_back(std::move(gear));
  return true;
}

std::string MjcfReader::find_name(const xml::Values& values, const char* attribute,
                                  const std::map<std::string, std::string>& known,
                                  const std::string& what) {
  const std::string name = values.required_text(attribute);
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  if (!name.empty()) {
    values.error(attribute, "expected the name of " + what + ", got " + quote(name));
  }
  return "";
}

std::string MjcfReader::loop_name(const xml::Element& element) {
  std::string name = element.text("name");
  if (name.empty()) name = element.name + '_' + std::to_string(++unnamed_);
  return loop_names_.add(name, element.mark, "equality");
}

std::string MjcfReader::add_point(const xml::Values& values, const std::string& link,
                                  const Pose& pose, ForeignModel& model) {
  const bool is_origin =
      pose.position.isZero(0.0) && pose.rotation.isApprox(Matrix3::Identity(), 0.0);
  if (is_origin) return link;
  ForeignFrame frame;
  const xml::Element& element = values.element();
  const std::string stem = element.text("name").empty() ? element.name : element.text("name");
  std::string name = stem + "_at_" + link;
  if (const int count = ++points_[name]; count > 1) name += '_' + std::to_string(count);
  frame.name = link_names_.add(name, element.mark, "point");
  frame.mark = element.mark;
  frame.source = place_text(element.mark);
  frame.link = link;
  frame.origin = Placement::from_matrix(pose.position, pose.rotation);
  model.frames.push_back(frame);
  return frame.name;
}

}  // namespace spacedyn::loading::foreign
