
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "loading/foreign/mjcf_reader.hpp"
#include "loading/keys/session.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

constexpr std::size_t kDeepestModel = 16;
constexpr std::size_t kMostAttached = 200000;

using Elements = std::vector<xml::Element>;

// what names or refers to something of the same model
const std::set<std::string> kNames = {
    "name",    "class",   "childclass", "main",     "mesh",       "material",      "hfield",
    "texture", "body",    "body1",      "body2",    "joint",      "joint1",        "joint2",
    "site",    "site1",   "site2",      "tendon",   "tendon1",    "tendon2",       "geom",
    "geom1",   "geom2",   "cranksite",  "actuator", "slidersite", "jointinparent", "refsite",
    "target",  "objname", "refname",    "instance"};

bool is_reference(const std::string& attribute, const std::string& kind) {
  return attribute == kind || attribute == kind + '1' || attribute == kind + '2';
}

std::string kind_of(const std::string& element) {
  return element == "freejoint" ? std::string("joint") : element;
}

void add_prefix(const std::string& prefix, xml::Element& element) {
  for (xml::Attribute& attribute : element.attributes) {
    const bool is_world = attribute.value == kWorld && is_reference(attribute.name, "body");
    if (kNames.count(attribute.name) > 0 && !is_world) attribute.value.insert(0, prefix);
  }
  for (xml::Element& child : element.children) add_prefix(prefix, child);
}

std::size_t count_of(const xml::Element& element) {
  std::size_t count = 1;
  for (const xml::Element& child : element.children) count += count_of(child);
  return count;
}

void set_model(xml::Element& element, std::size_t model) {
  element.model = model;
  for (xml::Element& child : element.children) set_model(child, model);
}

xml::Element frame_at(const Mark& mark) {
  xml::Element frame;
  frame.name = "frame";
  frame.mark = mark;
  return frame;
}

/// A body or a frame of a model.
struct Part {
  const xml::Element* element = nullptr;
  std::vector<const xml::Element*> frames;  ///< around it, up to the body that carries it
  std::string outer_class;                  ///< of defaults, around it
};

bool find_part(const xml::Element& around, const std::string& kind, const std::string& name,
               const std::vector<const xml::Element*>& frames, const std::string& outer_class,
               Part& part) {
  for (const xml::Element& child : around.children) {
    if (child.name != "body" && child.name != "frame") continue;
    if (child.name == kind && child.text("name") == name) {
      part = {&child, frames, outer_class};
      return true;
    }
    std::vector<const xml::Element*> inner;
    if (child.name == "frame") {
      inner = frames;
      inner.push_back(&child);
    }
    const std::string own = child.text("childclass");
    if (find_part(child, kind, name, inner, own.empty() ? outer_class : own, part)) return true;
  }
  return false;
}

void collect_names_of(const std::string& kind, const xml::Element& around,
                      std::vector<std::string>& names) {
  for (const xml::Element& child : around.children) {
    if (child.name == kind && !child.text("name").empty()) names.push_back(child.text("name"));
    collect_names_of(kind, child, names);
  }
}

/// Names of a part by what they are of: `body`, `joint`, `site`, `geom`.
using KnownNames = std::map<std::string, std::set<std::string>>;

void collect_names(const xml::Element& element, KnownNames& known) {
  const std::string name = element.text("name");
  if (!name.empty()) known[kind_of(element.name)].insert(name);
  for (const xml::Element& child : element.children) collect_names(child, known);
}

/// Whether all bodies, joints, sites and geoms that an element refers to are known.
bool survives(const xml::Element& element, const KnownNames& known) {
  for (const xml::Attribute& attribute : element.attributes) {
    for (const char* kind : {"body", "joint", "site", "geom"}) {
      if (!is_reference(attribute.name, kind) || attribute.value == kWorld) continue;
      const auto found = known.find(kind);
      if (found == known.end() || found->second.count(attribute.value) == 0) return false;
    }
  }
  return std::all_of(element.children.begin(), element.children.end(),
                     [&](const xml::Element& child) { return survives(child, known); });
}

/// A file as it is opened, and as seen from the folder of the outermost one.
struct ModelFile {
  std::string path, from_root;

  ModelFile beside(const std::string& name) const {
    return {resolve_path(folder_of(path), name), resolve_path(folder_of(from_root), name)};
  }
};

class Attacher {
 public:
  Attacher(const Surroundings& around, std::vector<MjcfCompiler>& compilers)
      : around_(around), compilers_(compilers) {}

  bool expand(xml::Element& root, const ModelFile& file) {
    open_.push_back(canonical_path(file.path));
    Models models{file, {}, {}};
    bool done = find_models(root, models);
    for (std::size_t i = 0; done && i < root.children.size(); ++i) {
      if (root.children[i].name == "worldbody") done = expand_inside(root.children[i], models);
    }
    std::move(models.sections.begin(), models.sections.end(), std::back_inserter(root.children));
    open_.pop_back();
    return done && xml::check_nesting(root, problems());
  }

 private:
  /// The models that one may attach, and what they bring besides bodies.
  struct Models {
    ModelFile of;
    std::map<std::string, ModelFile> files;  ///< by name
    Elements sections;
  };
  ProblemList& problems() const { return around_.problems; }

  bool find_models(const xml::Element& root, Models& models) {
    for (const xml::Element& section : root.children) {
      if (section.name != "asset") continue;
      for (const xml::Element& model : section.children) {
        if (model.name != "model") continue;
        const xml::Values values(model, "model " + quote(model.text("name")), problems());
        const std::string given = values.required_text("file");
        if (given.empty()) return false;
        const ModelFile file = models.of.beside(with_slashes(given));
        std::string name = model.text("name");
        if (name.empty()) {
          const xml::Element* root_of_model = load(values, file);
          if (root_of_model == nullptr) return false;
          name = root_of_model->text("model");
        }
        models.files[name] = file;
      }
    }
    return true;
  }

  bool expand_inside(xml::Element& element, Models& models) {
    Elements children;
    for (xml::Element& child : element.children) {
      if (child.name == "attach") {
        if (!attach(child, models, children)) return false;
      } else {
        if (!expand_inside(child, models)) return false;
        children.push_back(std::move(child));
      }
    }
    element.children = std::move(children);
    return true;
  }

  bool attach(const xml::Element& element, Models& models, Elements& into) {
    const xml::Values values(element, "attach", problems());
    values.check_spelling({"model", "body", "frame", "prefix"});
    const std::size_t errors = problems().error_count();
    const std::string name = element.text("model");
    if (name.empty()) {
      values.error("model",
                   "expected the name of a <model> of <asset>, got nothing: parts of the "
                   "same file are not attached here",
                   "<replicate> makes copies, and MuJoCo's mj_saveLastXML() spells them out");
    }
    if (!values.has("prefix")) {
      values.error("", "expected a prefix for the names of what is attached, got nothing");
    }
    if (values.has("body") && values.has("frame")) {
      values.error("frame", "expected a body or a frame, got both");
    }
    if (problems().error_count() > errors) return false;
    const auto file = models.files.find(name);
    if (file == models.files.end()) {
      std::vector<std::string> known;
      for (const auto& each : models.files) known.push_back(each.first);
      values.error("model", "expected the name of a <model> of <asset>, got " + quote(name) +
                                did_you_mean(name, known));
      return false;
    }
    const xml::Element* root = load(values, file->second);
    return root != nullptr && copy(values, *root, models, into);
  }

  /// A model of a file, once however often it is attached; null where it cannot be read.
  const xml::Element* load(const xml::Values& values, const ModelFile& file) {
    const std::string key = canonical_path(file.path);
    const auto known = loaded_.find(key);
    if (known != loaded_.end()) return &known->second;
    if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
      values.error("", "expected a model that does not attach itself, got " + quote(file.path));
      return nullptr;
    }
    if (open_.size() >= kDeepestModel) {
      values.error("", "expected at most " + std::to_string(kDeepestModel) +
                           " models in one another, got more");
      return nullptr;
    }
    try {
      const Source& source = around_.open(file.path);
      auto root = xml::parse(source, problems());
      if (!root) return nullptr;
      if (root->name != "mujoco") {
        problems().error(root->mark, "", "expected <mujoco>, got " + quote(root->name));
        return nullptr;
      }
      if (!expand_includes(*root, source, around_)) return nullptr;
      MjcfCompiler compiler = read_compiler(*root, problems());
      compiler.folder = folder_of(file.from_root);
      set_model(*root, compilers_.size());
      compilers_.push_back(compiler);
      if (!expand(*root, file)) return nullptr;
      if (!expand_replicates(*root, problems())) return nullptr;
      return &loaded_.emplace(key, std::move(*root)).first->second;
    } catch (const IoError& error) {
      values.error("", std::string("expected a model that can be read, got ") + error.what());
      return nullptr;
    }
  }

  bool copy(const xml::Values& values, const xml::Element& root, Models& models, Elements& into) {
    const xml::Element& element = values.element();
    xml::Element frame = frame_at(element.mark);
    const std::string kind = values.has("frame") ? "frame" : "body";
    const std::string name = element.text(kind);
    std::string outer_class = "main";
    if (name.empty() || (kind == "body" && name == kWorld)) {
      for (const xml::Element& section : root.children) {
        if (section.name != "worldbody") continue;
        if (!section.text("childclass").empty()) outer_class = section.text("childclass");
        frame.children.insert(frame.children.end(), section.children.begin(),
                              section.children.end());
      }
    } else {
      Part part;
      std::vector<std::string> known;
      for (const xml::Element& section : root.children) {
        if (section.name != "worldbody" || part.element != nullptr) continue;
        const std::string own = section.text("childclass");
        find_part(section, kind, name, {}, own.empty() ? "main" : own, part);
        collect_names_of(kind, section, known);
      }
      if (part.element == nullptr) {
        values.error(kind, "expected a " + kind + " of model " + quote(element.text("model")) +
                               ", got " + quote(name) + did_you_mean(name, known));
        return false;
      }
      outer_class = part.outer_class;
      frame.children.push_back(within(part));
    }
    KnownNames known;
    collect_names(frame, known);
    frame.attributes.push_back({"childclass", outer_class, element.mark});
    const std::string prefix = element.text("prefix");
    add_prefix(prefix, frame);
    const std::size_t first = models.sections.size();
    add_sections(root, known, prefix, models.sections);
    count_ += count_of(frame);
    for (std::size_t i = first; i < models.sections.size(); ++i) {
      count_ += count_of(models.sections[i]);
    }
    if (count_ > kMostAttached) {
      values.error("", "expected attached models of at most " + std::to_string(kMostAttached) +
                           " elements, got more");
      return false;
    }
    into.push_back(std::move(frame));
    return true;
  }

  static xml::Element within(const Part& part) {
    xml::Element inner = *part.element;
    for (auto frame = part.frames.rbegin(); frame != part.frames.rend(); ++frame) {
      xml::Element outer = **frame;
      outer.children.clear();
      outer.children.push_back(std::move(inner));
      inner = std::move(outer);
    }
    return inner;
  }

  /// Defaults and assets, all of them, and what refers to nothing but the part.
  static void add_sections(const xml::Element& root, const KnownNames& known,
                           const std::string& prefix, Elements& sections) {
    static const std::set<std::string> kReferring = {"equality", "actuator", "tendon", "sensor"};
    xml::Element main = frame_at(root.mark);
    main.name = "default";
    main.model = root.model;
    main.attributes.push_back({"main", "main", root.mark});
    add_prefix(prefix, main);
    sections.push_back(std::move(main));
    for (const xml::Element& section : root.children) {
      const bool refers = kReferring.count(section.name) > 0;
      if (!refers && section.name != "default" && section.name != "asset") continue;
      xml::Element copy = section;
      if (refers) {
        const auto goes = [&](const xml::Element& child) { return !survives(child, known); };
        copy.children.erase(std::remove_if(copy.children.begin(), copy.children.end(), goes),
                            copy.children.end());
      }
      if (section.name == "default" && section.find("main") == nullptr) {
        copy.attributes.push_back({"main", "main", section.mark});
      }
      for (xml::Element& child : copy.children) {
        const bool takes_defaults = section.name != "default" && child.find("class") == nullptr;
        if (takes_defaults) child.attributes.push_back({"class", "main", child.mark});
      }
      for (xml::Element& mesh : copy.children) {
        if (section.name != "asset" || mesh.name != "mesh" || mesh.find("name") != nullptr)
          continue;
        const std::string stem = std::filesystem::path(mesh.text("file")).stem().string();
        mesh.attributes.push_back({"name", stem, mesh.mark});
      }
      add_prefix(prefix, copy);
      sections.push_back(std::move(copy));
    }
  }

  const Surroundings& around_;
  std::vector<MjcfCompiler>& compilers_;
  std::vector<std::string> open_;
  std::map<std::string, xml::Element> loaded_;  ///< by canonical path
  std::size_t count_ = 0;
};

}  // namespace

MjcfCompiler read_compiler(const xml::Element& root, ProblemList& problems) {
  MjcfCompiler compiler;
  for (const xml::Element& section : root.children) {
    if (section.name == "compiler") compiler.read(section, problems);
  }
  return compiler;
}

bool expand_attachments(xml::Element& root, const std::string& file, const Surroundings& around,
                        std::vector<MjcfCompiler>& compilers) {
  return Attacher(around, compilers).expand(root, {file, ""});
}

}  // namespace spacedyn::loading::foreign
