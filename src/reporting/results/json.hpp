/// @file
/// Eigen and our own values as JSON. Private: no JSON type leaves the library.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

using Json = nlohmann::ordered_json;

Json json_list(ConstVectorRef vector);
Json json_rows(const MatrixX& matrix);  ///< row by row
Json json_of(const Momentum& momentum);
Json json_of(const Energy& energy);
Json json_of(const std::vector<EventRecord>& events);
Json json_of(const std::vector<SourceBudget>& sources);
Json json_of(const LoopSummary& loops);
Json json_of(const std::vector<ConnectionRecord>& connections);
/// Where the errors of the audit come from; an empty object without errors.
Json json_of(const std::optional<WorstInstant>& momentum,
             const std::optional<WorstInstant>& energy);
/// Energy at the start and at the end, and what came in between.
Json energy_json(const SimulationResult& result);
/// Parses a text of unknown origin; discarded if it is no JSON, nested more than 64 deep, or has
/// more than a million values.
Json parse_json(const std::string& text);
/// Indented text; bytes that are not UTF-8 (in file names, say) are replaced.
std::string to_text(const Json& json);

/// A list with an object for each contact; instants of one that never began are null.
Json json_of(const std::vector<ContactSummary>& contacts);

}  // namespace spacedyn
