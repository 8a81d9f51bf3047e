#include "loading/model/model_assembly.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loading/foreign/mesh_files.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/constraints/loop_review.hpp"
#include "spacedyn/inertia/regularity.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::loading {
namespace {

/// Position and remaining path of `links.3.mass`; nothing if the path starts otherwise.
struct ElementPath {
  std::size_t position;
  std::string rest;
};

std::optional<ElementPath> split_element(const std::string& path, const std::string& list) {
  if (path.compare(0, list.size() + 1, list + '.') != 0) return std::nullopt;
  const std::string tail = path.substr(list.size() + 1);
  const std::size_t dot = std::min(tail.find('.'), tail.size());
  return ElementPath{std::stoul(tail.substr(0, dot)),
                     dot < tail.size() ? tail.substr(dot + 1) : ""};
}

/// An included base is placed by its include, everything else of it stands in its own file.
Value locate_link(const ElementPlace& place, const std::string& rest) {
  const std::string joint = "joint.";
  if (place.is_wheel) {
    if (rest == "parent") return descend(place.element, "body");
    const bool is_joint = rest.compare(0, joint.size(), joint) == 0;
    return descend(place.element, is_joint ? rest.substr(joint.size()) : rest);
  }
  if (!place.include) return descend(place.element, rest);
  if (rest == "parent") return descend(*place.include, rest);
  if (rest.compare(0, joint.size(), joint) == 0) {
    return descend(*place.include, rest.substr(joint.size()));
  }
  return descend(place.element, rest);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), std::string::npos, end) == 0;
}

/// Whether a problem only follows from another one that is reported already.
bool is_consequence(const Problem& problem, const Value& value, const ReadModel& read,
                    const ProblemList& problems) {
  const Source* source = value.node->mark.source;
  const bool is_element = split_element(problem.path, "couplings") ||
                          split_element(problem.path, "transmissions") ||
                          split_element(problem.path, "loops");
  const bool is_reference = ends_with(problem.path, ".parent") || ends_with(problem.path, ".link");
  if (is_reference && read.may_have_lost(value.node->text)) return true;
  if (is_element && !(read.names_are_complete && read.lost_names.empty())) return true;
  if (problems.has_error_near(source, value.path)) return true;
  // a link whose name is wrong cannot be followed to the base
  const std::string parent = ".parent";
  if (ends_with(problem.path, parent)) {
    const std::string link = problem.path.substr(0, problem.path.size() - parent.size());
    const Value name = locate(read, link + ".name");
    if (problems.has_error_near(name.node->mark.source, name.path)) return true;
  }
  // a joint takes the name of its link, so one repetition would be reported twice
  const std::string joint_name = ".joint.name";
  if (!ends_with(problem.path, joint_name)) return false;
  const std::string link = problem.path.substr(0, problem.path.size() - joint_name.size());
  const Value name = locate(read, link + ".name");
  return problems.has_error_near(name.node->mark.source, name.path);
}

/// In a foreign file, whose reader never saw our key paths: `link 'arm'`.
std::string foreign_path(const std::string& builder_path, const ReadModel& read) {
  const auto link = split_element(builder_path, "links");
  const auto frame = split_element(builder_path, "frames");
  if (frame) return "frame " + quote(read.description.frames.at(frame->position).name);
  if (!link) return builder_path.empty() ? "" : "link " + quote(read.description.base.name);
  const LinkDescription& description = read.description.links.at(link->position);
  if (link->rest.compare(0, 5, "joint") != 0) return "link " + quote(description.name);
  return "joint " + quote(description.joint.name);
}

void report(const Problem& problem, const ReadModel& read, ProblemList& problems) {
  const Value value = locate(read, problem.path);
  const Source* source = value.node->mark.source;
  if (source != nullptr && foreign::format_of(source->name(), source->text())) {
    problems.add(problem.severity, value.node->mark, foreign_path(problem.path, read),
                 problem.message, problem.hint);
    return;
  }
  if (problem.severity == Severity::error && is_consequence(problem, value, read, problems)) return;
  problems.add(problem.severity, value.node->mark, value.path, problem.message, problem.hint);
}

/// A configuration without the symmetries of zero.
State somewhere(const Model& model) {
  State state(model);
  for (int i = 0; i < model.joint_count(); ++i) state.q(i) = 0.37 + 0.11 * (i % 7);
  return state;
}

/// Loops from which on joints at zero are tried first: a search for so many is dense.
constexpr std::size_t kManyLoops = 20;

/// Whether joints can be where all loops are closed; near some configuration or other.
LoopAssembly assembled(const Model& model) {
  if (model.loops().size() >= kManyLoops) {
    const State zero(model);
    const LoopResidual open = position_residual(model, zero);
    if (open.is_closed()) return {zero, open, {}, true};
  }
  return assemble_loops(model, somewhere(model), {}, false);
}

/// The model without couplings of joints, which no position may satisfy.
Model without_couplings(const Model& model) {
  ModelDescription description = model.description();
  auto& loops = description.loops;
  loops.erase(std::remove_if(
                  loops.begin(), loops.end(),
                  [](const LoopDescription& loop) { return !loop_traits(loop.type).joins_points; }),
              loops.end());
  return ModelBuilder(description).build();
}

/// Where a loop stands: a gear by which a joint follows another belongs to that joint.
std::string path_of(const Model& model, std::size_t loop) {
  const Loop& given = model.loops()[loop];
  if (!given.is_mimic) return "loops." + std::to_string(loop);
  const std::vector<LinkDescription>& links = model.description().links;
  const std::string& link = model.body(given.joints.back()).name;
  const auto own = std::find_if(links.begin(), links.end(),
                                [&](const LinkDescription& each) { return each.name == link; });
  return "links." + std::to_string(own - links.begin()) + ".joint.mimic";
}

void report_open_loop(const Model& model, const LoopResidual& residual, const ReadModel& read,
                      ProblemList& problems) {
  for (std::size_t i = 0; i < model.loops().size(); ++i) {
    if (model.loops()[i].name != residual.loop) continue;
    report({Severity::warning, path_of(model, i),
            fmt::format("expected loops that can be closed, found no positions of the joints at "
                        "which '{}' is open by less than {:.3g} {}",
                        residual.loop, residual.value, residual.is_angle ? "rad" : "m"),
            "check its points, and lengths between them"},
           read, problems);
  }
}

/// Reports loops that do nothing, that couple what cannot move, or that cannot be closed.
void check_loops(const Model& model, const ReadModel& read, ProblemList& problems) {
  const LoopAssembly points = assembled(without_couplings(model));
  if (!points.assembled) return report_open_loop(model, points.position, read, problems);
  for (const LoopFinding& finding : review_loops(model, points.state)) {
    const std::string path = path_of(model, static_cast<std::size_t>(finding.loop));
    const std::string& name = model.loops()[static_cast<std::size_t>(finding.loop)].name;
    if (finding.kind == LoopFinding::Kind::joints_are_held) {
      report({Severity::error, path,
              "expected joints that other loops let move, got '" + name +
                  "' between joints that they hold already",
              "leave it out"},
             read, problems);
    } else {
      report({Severity::warning, path,
              "'" + name + "' does nothing: it follows from the loops before it", "leave it out"},
             read, problems);
    }
  }
  const bool has_couplings =
      std::any_of(model.loops().begin(), model.loops().end(),
                  [](const Loop& loop) { return !loop_traits(loop.type).joins_points; });
  if (problems.has_errors() || !has_couplings) return;
  const LoopAssembly whole = assembled(model);
  if (!whole.assembled) report_open_loop(model, whole.position, read, problems);
}

}  // namespace

Value descend(Value value, const std::string& rest) {
  const std::string path = rest.empty() ? value.path : join_path(value.path, rest);
  for (std::size_t begin = 0; begin < rest.size();) {
    const std::size_t end = std::min(rest.find('.', begin), rest.size());
    const std::string key = rest.substr(begin, end - begin);
    begin = end + 1;
    const Node* next = nullptr;
    if (value.node->is_mapping()) {
      if (const Entry* entry = value.node->find(key)) next = entry->value.get();
    } else if (value.node->is_sequence() &&
               key.find_first_not_of("0123456789") == std::string::npos) {
      const std::size_t position = std::stoul(key);
      if (position < value.node->items.size()) next = value.node->items[position].get();
    }
    if (next == nullptr) break;
    value.node = next;
  }
  value.path = path;
  return value;
}

bool accept_part(const std::vector<Problem>& found, const Value& value, std::size_t errors_before,
                 ProblemList& problems, ReadModel& result) {
  if (problems.error_count() == errors_before) {
    for (const Problem& problem : found) {
      const Value place = descend(value, problem.path.substr(sizeof("part.") - 1));
      problems.add(problem.severity, place.node->mark, place.path, problem.message, problem.hint);
    }
  }
  if (problems.error_count() == errors_before) return true;
  const std::string name = value.node->text_at("name");
  if (name.empty()) result.names_are_complete = false;
  if (!name.empty()) result.lost_names.push_back(name);
  return false;
}

bool ReadModel::may_have_lost(const std::string& name) const {
  // segments of beams, rotors and tanks have names that begin with that of the whole
  return !names_are_complete ||
         std::any_of(lost_names.begin(), lost_names.end(), [&](const std::string& lost) {
           return name.compare(0, lost.size(), lost) == 0;
         });
}

Value locate(const ReadModel& read, const std::string& builder_path) {
  if (const auto link = split_element(builder_path, "links")) {
    return locate_link(read.links.at(link->position), link->rest);
  }
  if (const auto frame = split_element(builder_path, "frames")) {
    return descend(read.frames.at(frame->position).element, frame->rest);
  }
  if (const auto coupling = split_element(builder_path, "couplings")) {
    return descend(read.couplings.at(coupling->position).element, coupling->rest);
  }
  if (const auto drive = split_element(builder_path, "transmissions")) {
    return descend(read.transmissions.at(drive->position).element, drive->rest);
  }
  if (const auto loop = split_element(builder_path, "loops")) {
    return descend(read.loops.at(loop->position).element, loop->rest);
  }
  return descend(read.model, builder_path);
}

std::shared_ptr<const Model> assemble_model(const ReadModel& read, ProblemList& problems) {
  if (read.model.node == nullptr || !read.model.node->is_mapping()) return nullptr;
  const ModelBuilder builder(read.description);
  for (const Problem& problem : builder.validate()) report(problem, read, problems);
  if (problems.has_errors()) return nullptr;
  auto model = std::make_shared<const Model>(builder.build());
  if (model->has_loops()) check_loops(*model, read, problems);
  return problems.has_errors() ? nullptr : model;
}

std::vector<std::string> joints_without_inertia(const Model& model) {
  const auto count = static_cast<std::size_t>(model.body_count());
  std::vector<bool> has_inertia(count, false);
  std::vector<std::string> names;
  for (int i = model.joint_count(); i > 0; --i) {
    const Body& body = model.body(i);
    const auto link = static_cast<std::size_t>(i);
    const bool moves_some = has_inertia[link] || body.mass != 0.0 || !body.inertia_L.isZero(0.0);
    const auto lower = static_cast<std::size_t>(model.topology().connection(i));
    has_inertia[lower] = has_inertia[lower] || moves_some;
    if (!moves_some && model.joint(i).armature == 0.0) names.push_back(model.joint(i).name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::string joints_move(const std::vector<std::string>& joints) {
  constexpr std::size_t kMost = 8;
  if (joints.size() == 1) return "joint " + quote(joints.front()) + " moves";
  std::string list;
  for (std::size_t i = 0; i < std::min(joints.size(), kMost); ++i) {
    list += (i > 0 ? ", " : "") + quote(joints[i]);
  }
  if (joints.size() > kMost) list += fmt::format(" and {} more", joints.size() - kMost);
  return "the joints " + list + " move";
}

void check_regularity(const Model& model, const ReadModel& read, ProblemList& problems) {
  const bool base_free = !model.has_fixed_base();
  const std::vector<std::string> idle = joints_without_inertia(model);
  const bool is_kinematic = model.joint_count() > 0 &&
                            idle.size() == static_cast<std::size_t>(model.joint_count()) &&
                            (!base_free || model.body(0).mass > 0.0);
  if (is_kinematic) {
    problems.add(Severity::warning, read.model.node->mark, read.model.path,
                 joints_move(idle) + " nothing that has mass: the model serves kinematics alone",
                 "dynamics need mass and inertia of its links");
    return;
  }
  const auto at_zero = find_singularity(model, State(model), base_free);
  if (!at_zero) return;
  const auto elsewhere = find_singularity(model, somewhere(model), base_free);
  const std::string& culprit = elsewhere ? *elsewhere : *at_zero;
  const std::string message = "expected a positive definite inertia matrix H, got one in which " +
                              culprit + " moves without resistance" +
                              (elsewhere ? "" : " where all joint positions are zero");
  problems.add(elsewhere ? Severity::error : Severity::warning, read.model.node->mark,
               read.model.path, message, "give mass or inertia to what moves there");
}

}  // namespace spacedyn::loading
