#include <algorithm>
#include <filesystem>

#include "loading/keys/geometry.hpp"
#include "loading/model/model_assembly.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading {
namespace {

/// The base of an included model as a link that its include places.
void prefix_shapes(const std::string& prefix, BodyDescription& body) {
  for (CollisionShape& shape : body.collisions) shape.name = prefix + shape.name;
}

LinkDescription as_link(const BaseDescription& base, const std::string& prefix,
                        const LinkDescription& placed) {
  LinkDescription link;
  static_cast<BodyDescription&>(link) = base;
  link.name = prefix + base.name;
  link.parent = placed.parent;
  link.joint = placed.joint;
  prefix_shapes(prefix, link);
  return link;
}

/// The name of a file, and the joint on which its base is placed.
struct IncludeKeys {
  std::string file, prefix;
  LinkDescription placed;
  Notes notes;
};

Mapping<IncludeKeys> include_keys() {
  using namespace kind;
  Mapping<IncludeKeys> keys("Another model file as a part of this one");
  keys.require("file", &IncludeKeys::file, text("", "a model file"));
  keys.allow("prefix", &IncludeKeys::prefix, text("Put before all names of the part"));
  keys.require(
      "parent", [](IncludeKeys & include) -> auto& { return include.placed.parent; },
      text("Link that carries the base of the part"));
  keys.allow(
      "origin", [](IncludeKeys & include) -> auto& { return include.placed.joint.origin; }, pose());
  return keys.keep_notes();
}

}  // namespace

extern const SchemaDefinition kIncludeDefinition{"include", schema_of<include_keys>};

bool refuse_unknown_format(const Value& file, const std::string& name, ProblemList& problems) {
  const std::string extension = std::filesystem::path(name).extension().string();
  const std::string_view hint = hint_of_other_name("format", extension);
  if (hint.empty()) return false;
  problems.error(file, "expected a model in YAML, URDF, MJCF or .def, got " + quote(name),
                 std::string(hint));
  return true;
}

void add_included(const ReadModel& part, const std::string& prefix, const LinkDescription& placed,
                  const Value& include, ReadModel& whole) {
  whole.names_are_complete = whole.names_are_complete && part.names_are_complete;
  for (const std::string& name : part.lost_names) whole.lost_names.push_back(prefix + name);
  whole.placed_links.push_back(whole.description.links.size());
  whole.description.links.push_back(as_link(part.description.base, prefix, placed));
  whole.links.push_back({part.base, include});
  for (LinkDescription link : part.description.links) {
    link.name = prefix + link.name;
    link.parent = prefix + link.parent;
    prefix_shapes(prefix, link);
    if (!link.joint.name.empty()) link.joint.name = prefix + link.joint.name;
    if (link.joint.mimic) link.joint.mimic->joint = prefix + link.joint.mimic->joint;
    whole.description.links.push_back(std::move(link));
  }
  whole.links.insert(whole.links.end(), part.links.begin(), part.links.end());
  for (FrameDescription frame : part.description.frames) {
    frame.name = prefix + frame.name;
    frame.link = prefix + frame.link;
    whole.description.frames.push_back(std::move(frame));
  }
  whole.frames.insert(whole.frames.end(), part.frames.begin(), part.frames.end());
  for (JointCouplingDescription coupling : part.description.couplings) {
    coupling.name = prefix + coupling.name;
    for (std::string& joint : coupling.joints) joint = prefix + joint;
    whole.description.couplings.push_back(std::move(coupling));
  }
  for (TransmissionDescription drive : part.description.transmissions) {
    drive.name = prefix + drive.name;
    drive.motor = prefix + drive.motor;
    drive.joint = prefix + drive.joint;
    whole.description.transmissions.push_back(std::move(drive));
  }
  for (LoopDescription loop : part.description.loops) {
    loop.name = prefix + loop.name;
    for (std::string* point : {&loop.from, &loop.to}) {
      if (!point->empty()) *point = prefix + *point;
    }
    for (std::string& joint : loop.joints) joint = prefix + joint;
    whole.description.loops.push_back(std::move(loop));
  }
  whole.loops.insert(whole.loops.end(), part.loops.begin(), part.loops.end());
  whole.couplings.insert(whole.couplings.end(), part.couplings.begin(), part.couplings.end());
  whole.transmissions.insert(whole.transmissions.end(), part.transmissions.begin(),
                             part.transmissions.end());
  for (const ModalAppendageNote& note : part.modal_appendages) {
    whole.modal_appendages.push_back({prefix + note.name, note.first_frequency});
  }
  for (auto [name, beam] : part.beams) {
    beam.name = prefix + name;
    whole.beams.emplace(beam.name, std::move(beam));
  }
}

void ModelReader::read_include(const Value& value, ReadContext& context, ReadModel& result) {
  IncludeKeys include;
  once<include_keys>().read_whole(value, context, include);
  const std::string& prefix = include.prefix;
  LinkDescription& placed = include.placed;
  placed.joint.type = JointType::fixed;
  placed.joint.notes = std::move(include.notes);
  const Value file = descend(value, "file");
  const ReadModel* part = include.file.empty() ? nullptr : open_include(file, include.file);
  if (part == nullptr || part->base.node == nullptr) {
    result.names_are_complete = false;
    return;
  }
  if (result.description.links.size() + part->description.links.size() >= kMaxIncludedLinks) {
    context.problems.error(file, "expected at most " + std::to_string(kMaxIncludedLinks) +
                                     " links through includes, got more");
    // files that include this one must not multiply what is too much already
    result.description.links.clear();
    result.description.frames.clear();
    result.links.clear();
    result.frames.clear();
    result.couplings.clear();
    result.transmissions.clear();
    result.description.couplings.clear();
    result.description.transmissions.clear();
    result.loops.clear();
    result.description.loops.clear();
    result.placed_links.clear();
    result.placed_frames.clear();
    result.names_are_complete = false;
    return;
  }
  refuse_motion_loops(*part, context.problems);
  add_included(*part, prefix, placed, value, result);
}

const ReadModel* ModelReader::open_include(const Value& file, const std::string& name) {
  ProblemList& problems = session_.problems();
  if (refuse_unknown_format(file, name, problems)) return nullptr;
  const Source& includer = *open_files_.back();
  const std::string path =
      resolve_path(includer.is_override() ? "" : folder_of(includer.name()), name);
  const std::string key = canonical_path(path);
  const auto is_open = [&](const Source* source) { return canonical_path(source->name()) == key; };
  if (std::any_of(open_files_.begin(), open_files_.end(), is_open)) {
    problems.error(file, "expected a model file that does not include itself, got " + quote(name));
    return nullptr;
  }
  if (open_files_.size() > kMaxIncludeDepth) {
    problems.error(file, "expected at most " + std::to_string(kMaxIncludeDepth) +
                             " files that include one another, got more");
    return nullptr;
  }
  // files that include a file twice that includes a file twice … are read once each
  if (const auto known = parts_.find(key); known != parts_.end()) return &known->second;
  try {
    const Document& document = session_.open(path);
    return document.root ? &parts_.emplace(key, read_document(document)).first->second : nullptr;
  } catch (const IoError& error) {
    problems.error(file,
                   std::string("expected a model file that can be read, got ") + error.what());
    return nullptr;
  }
}

}  // namespace spacedyn::loading
