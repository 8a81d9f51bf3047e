/// @file
/// The model of a scenario, or those of its robots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loading/scenario/overrides.hpp"
#include "loading/scenario/scenario_reader.hpp"

namespace spacedyn::loading {

/// A model, and the file it came from if it has one of its own.
struct ScenarioModel {
  std::shared_ptr<const Model> model;
  std::string file;
  std::vector<ModalAppendage> modal_appendages;
};

/// Sets a value below a top-level key of a document.
/// @param first  keys of the path before this position lead to the document
void change_document(Document& document, const std::string& key, const ParsedOverride& change,
                     std::size_t first, ProblemList& problems);

/// Whether a `model:` is a file, be it with additions.
bool is_model_file(const Node& model);
/// Adds to the document of a file what a `model: {file: …}` does: `frames`, `loops`, `collision`.
/// @returns false where the additions have errors, which are reported
bool add_to_model(MapReader& additions, Document& document);
/// Schema of a model in a file of its own with additions.
std::string model_with_additions_schema();

/// @param file     whose folder relative paths start from
/// @param changes  those of the model file, the first of whose keys are @p first
ScenarioModel read_scenario_model(Session& session, const Value& value, const std::string& file,
                                  const std::vector<ParsedOverride>& changes, std::size_t first,
                                  ReadContext& context);

/// All of several robots, and the model that they make.
struct ScenarioRobots {
  std::vector<RobotStart> robots;
  ScenarioModel whole;  ///< without a model where one of them has errors
};
/// @param name  of the scenario
ScenarioRobots read_scenario_robots(Session& session, const Value& list, const std::string& name,
                                    const std::string& file,
                                    const std::vector<ParsedOverride>& changes,
                                    ReadContext& context);

}  // namespace spacedyn::loading
