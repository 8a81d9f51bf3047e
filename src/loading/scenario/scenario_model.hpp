/// @file
/// A scenario from its document with changes of single values, and its model or those of its
/// robots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loading/scenario/scenario_context.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {

/// A value to be set, and where.
struct ParsedOverride {
  std::vector<std::string> path;  ///< keys, list positions and names below `scenario:`
  NodePtr value;
  Mark mark;
};

/// Splits the key paths and composes the values; what is wrong is reported, named as typed.
std::vector<ParsedOverride> parse_overrides(const std::vector<Override>& overrides,
                                            Session& session);

/// A tree with a value set; shares everything else with the old one, which does not change.
/// @param first  keys of the path before this position lead to the root
/// @param path   key path of the root, for messages
NodePtr apply_override(const NodePtr& root, const ParsedOverride& change, std::size_t first,
                       const std::string& path, ProblemList& problems);

/// A document whose method of integration overrides have changed, without those keys of its file
/// that belong to another kind of method; a note tells of each. Keys of overrides stay.
/// @param before, after  the document without and with the overrides
NodePtr leave_out_misfits(const NodePtr& before, const NodePtr& after, ProblemList& problems);

/// Why a key of `integrator` does not fit a method; empty if it does.
std::string method_misfit(const std::string& key, IntegrationMethod method);

/// A model, and the file it came from if it has one of its own.
struct ScenarioModel {
  std::shared_ptr<const Model> model;
  std::string file;
  std::vector<ModalAppendage> modal_appendages;
  std::vector<Value> motion_loops;  ///< that the scenario holds
  NodePtr document;                 ///< which these stand in
};

/// Sets a value below a top-level key of a document.
/// @param first  keys of the path before this position lead to the document
void change_document(Document& document, const std::string& key, const ParsedOverride& change,
                     std::size_t first, ProblemList& problems);

/// Whether a `model:` is a file, be it with additions.
bool is_model_file(const Node& model);
/// Where a `model:` stands, and the overrides of the file that it names.
struct ModelOrigin {
  const std::string& file;  ///< whose folder relative paths start from
  std::vector<ParsedOverride> changes;
  std::size_t first = 1;  ///< of the keys of changes, those before lead to the model
};

/// A link of a model with all that it carries, as a model of its own: the link is its base where it
/// floats on a joint of type `free`; else the base stays. Null where there is no such link.
NodePtr part_of_model(const NodePtr& model, const Value& body, ProblemList& problems);

ScenarioModel read_scenario_model(const Value& value, const ModelOrigin& origin,
                                  ReadContext& context);

/// All of several robots, and the model that they make.
struct ScenarioRobots {
  std::vector<RobotStart> robots;
  ScenarioModel whole;  ///< without a model where one of them has errors
};
/// @param origin  with the changes of all robots
ScenarioRobots read_scenario_robots(const Value& list, const Node& scenario,
                                    const ModelOrigin& origin, ReadContext& context);

/// Reads a document and the model it names, in a session whose findings the caller may look at.
/// @param original  the same scenario without overrides, if it has been read: a model that no
///                  override touches is taken from it, and warnings about costs are left out
/// @throws ParseError, OverrideError
Scenario read_scenario(Session& session, Document document, const std::vector<Override>& overrides,
                       const Scenario* original = nullptr);

/// The path of the text among several that has a top-level key. @throws IoError if there is none
std::string find_file(const std::map<std::string, std::string>& texts, const std::string& key);

}  // namespace spacedyn::loading
