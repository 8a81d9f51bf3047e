#include "loading/foreign/mjcf_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "loading/foreign/mjcf_attach.hpp"
#include "loading/foreign/urdf_reader.hpp"
#include "loading/yaml/node.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

// what of each section is named where it is left out; it changes the motion
const std::vector<std::string> kWarned = {"actuator", "equality", "tendon", "deformable"};
const std::string kEquality = "equality";
const std::vector<std::string> kUnnamed = {"option", "size",     "visual",  "statistic",
                                           "custom", "keyframe", "contact", "extension"};
const std::vector<std::string> kRead = {"compiler", "default", "asset", "worldbody"};

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
      assets_.colors[element.text("name")] = read_rgba(values);
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
                        "free; the base is the world, which is fixed",
                    "");
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

}  // namespace spacedyn::loading::foreign
