#include "loading/foreign/mjcf_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "loading/foreign/mjcf_equality.hpp"
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

class MjcfReader {
 public:
  MjcfReader(const xml::Element& root, std::vector<MjcfCompiler> compilers, MeshFiles& meshes,
             ProblemList& problems)
      : root_(root), in_(std::move(compilers), meshes, problems), bodies_(in_) {}

  /// The model, its base the only body that moves in the world, if it has a free joint, or a fixed
  /// one named `world`.
  ForeignModel read();

 private:
  void check_world(const MjcfContent& world);
  void read_settings();
  void read_asset(const xml::Element& asset);
  void note_sections();
  void add_ignored(const xml::Element& element, const std::string& what);
  void report_ignored();
  void add_world(const MjcfContent& world, ForeignModel& model);
  void note_fixed(const xml::Element& element);
  void read_equalities(ForeignModel& model);
  void scale_masses(ForeignModel& model);

  const xml::Element& root_;
  MjcfReading in_;
  MjcfBodies bodies_;
  /// Places and names of what is ignored, by what it is.
  std::map<std::string, std::pair<Mark, std::vector<std::string>>> ignored_;
};

ForeignModel MjcfReader::read() {
  ForeignModel model;
  model.name = fit_name(root_.text("model"));
  if (model.name.empty()) model.name = "MuJoCo model";
  model.mark = root_.mark;
  model.source = "MJCF, " + place_text(root_.mark);
  read_settings();
  note_sections();
  MjcfContent world;
  for (const xml::Element& section : root_.children) {
    if (section.name == "worldbody")
      bodies_.collect(section, {}, section.text("childclass"), world);
  }
  check_world(world);
  if (world.bodies.empty() && !in_.problems.has_errors()) {
    in_.problems.error(root_.mark, "", "expected a <body> in <worldbody>, got none");
  }
  if (in_.problems.has_errors()) return model;
  add_world(world, model);
  read_equalities(model);
  scale_masses(model);
  report_ignored();
  in_.meshes.report();
  return model;
}

/// The world neither moves nor has a mass.
void MjcfReader::check_world(const MjcfContent& world) {
  std::vector<const xml::Element*> wrong;
  for (const MjcfContent::Placed& joint : world.joints) wrong.push_back(&joint.element);
  if (world.free_joint) wrong.push_back(&*world.free_joint);
  if (world.inertial != nullptr) wrong.push_back(world.inertial);
  for (const xml::Element* element : wrong) {
    in_.problems.error(element->mark, "worldbody",
                       "expected <" + element->name + "> in a <body>, got one of the world");
  }
}

void MjcfReader::read_settings() {
  for (const xml::Element& section : root_.children) {
    if (section.name == "default") in_.defaults.read(section);
  }
  for (const xml::Element& section : root_.children) {
    if (section.name == "asset") read_asset(section);
  }
}

void MjcfReader::read_asset(const xml::Element& asset) {
  for (const xml::Element& given : asset.children) {
    if (given.name == "material") {
      const xml::Element element = in_.defaults.apply(given, "");
      const xml::Values values(element, "material", in_.problems);
      in_.assets.colors[element.text("name")] = values.color("rgba");
    }
    if (given.name != "mesh") continue;
    const xml::Element element = in_.defaults.apply(given, "");
    const xml::Values values(element, "mesh", in_.problems);
    MjcfMesh mesh;
    mesh.file = in_.compiler_of(element).mesh_path(element.text("file"));
    mesh.scale = values.vector3("scale", Vector3::Ones());
    mesh.reference.position = values.vector3("refpos", Vector3::Zero());
    if (values.has("refquat")) mesh.reference.rotation = read_quaternion(values, "refquat");
    mesh.inertia = read_mesh_inertia(values, in_.compiler_of(element));
    const std::string name = element.text("name");
    if (mesh.file.empty()) {
      values.warning("", "a mesh without a file is left out: " + quote(name));
    }
    in_.assets.meshes[name.empty() ? std::filesystem::path(mesh.file).stem().string() : name] =
        mesh;
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
      in_.problems.warning(section.mark, "",
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
    in_.problems.add(
        moves ? Severity::warning : Severity::note, found.first, "", message,
        what == kEquality ? "loops are connect, weld and joint with a line, between bodies" : "");
  }
}

/// A body with a free joint is the base where nothing else moves in the world; else the world is,
/// in which several bodies may float.
void MjcfReader::add_world(const MjcfContent& world, ForeignModel& model) {
  const MjcfContent::Body* base = nullptr;
  int moving = 0, floating = 0;
  for (const MjcfContent::Body& body : world.bodies) {
    MjcfContent content;
    const std::string inner = body.element->text("childclass");
    bodies_.collect(*body.element, {}, inner.empty() ? body.surrounding_class : inner, content);
    moving += is_static(*body.element) ? 0 : 1;
    if (!content.free_joint) continue;
    ++floating;
    base = &body;
  }
  if (base == nullptr || moving > 1) {
    model.fixed = true;
    model.base.name = in_.link_names.add(kWorld, root_.mark, "body");
    in_.bodies[kWorld] = model.base.name;
    model.base.mark = model.base.inertia_mark = root_.mark;
    bodies_.add_shapes(world, "worldbody", model.base);
    bodies_.add_sites(world, model.base.name, model);
    if (floating == 0) {
      in_.problems.warning(root_.mark, "",
                           "no body has a free joint: the base is the world, which is fixed",
                           "add <freejoint/> to the body that is to float");
    } else {
      in_.problems.add(
          Severity::note, root_.mark, "",
          "of " + std::to_string(moving) +
              " bodies that move in the world, those that float stand on joints of type "
              "free",
          "'body' beside 'file' of a scenario's model takes one of them as a robot");
    }
    for (const MjcfContent::Body& body : world.bodies) bodies_.read(body, model.base.name, model);
    return;
  }
  for (const MjcfContent::Body& body : world.bodies) {
    if (&body == base) continue;
    add_ignored(*body.element, "bodies fixed in the world");
    note_fixed(*body.element);
  }
  in_.fixed.insert(kWorld);
  for (const MjcfContent::Placed& site : world.sites) note_fixed(site.element);
  if (!world.geoms.empty()) add_ignored(world.geoms.front().element, "geoms of the world");
  bodies_.read(*base, "", model);
}

/// Keeps the names of a body that is fixed in the world, and of those it carries.
void MjcfReader::note_fixed(const xml::Element& element) {
  const bool is_named = element.name == "body" || element.name == "site";
  if (is_named && !element.text("name").empty()) in_.fixed.insert(element.text("name"));
  for (const xml::Element& child : element.children) note_fixed(child);
}

void MjcfReader::read_equalities(ForeignModel& model) {
  MjcfEqualities equalities(in_, model);
  for (const xml::Element& section : root_.children) {
    if (section.name != kEquality) continue;
    for (const xml::Element& child : section.children) {
      const xml::Element element = in_.defaults.apply(child, "");
      const bool is_active = element.text("active") != "false";
      if (!is_active || !equalities.read(element)) add_ignored(child, kEquality);
    }
  }
}

void MjcfReader::scale_masses(ForeignModel& model) {
  const double wanted = in_.compilers.front().total_mass;
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

}  // namespace

std::optional<ForeignModel> read_mjcf(xml::Element root, const Source& source, MeshFiles& meshes,
                                      const Surroundings& around) {
  if (!expand_includes(root, source, around)) return std::nullopt;
  std::vector<MjcfCompiler> compilers{read_compiler(root, around.problems)};
  if (!expand_attachments(root, source.name(), around, compilers)) return std::nullopt;
  if (!expand_replicates(root, around.problems)) return std::nullopt;
  return MjcfReader(root, std::move(compilers), meshes, around.problems).read();
}

}  // namespace spacedyn::loading::foreign
