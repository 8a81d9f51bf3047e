/// @file
/// The types of force that scenario files know.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loading/scenario/scenario_context.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {

/// A type of force: its name, its reader, and the tables of its keys.
struct ForceType {
  const char* name;  ///< of `type`
  /// Reads all keys but `type` and `name`, and adds the element to the scenario if it is right.
  std::function<void(ScenarioContext& scenario, MapReader& map, const std::string& name)> read;
  /// Several where keys depend on others.
  std::vector<std::function<const MappingTable&()>> tables;
};

/// A type with one table.
/// @param add  makes an element of settings that are right, and adds it
template <auto make, typename Settings>
ForceType force_type(const char* name,
                     void (*add)(Reading& reading, const std::string& name, Settings& settings)) {
  const auto read = [=](ScenarioContext& scenario, MapReader& map, const std::string& element) {
    Settings settings;
    Reading reading{map, &scenario};
    if (once<make>().read(reading, settings)) add(reading, element, settings);
  };
  return {name, read, {once<make>}};
}

/// Adds an element that is made of its settings alone.
template <typename Element, typename Settings>
void add_element(Reading& reading, const std::string& name, Settings& settings) {
  reading.scenario->add_force(std::make_shared<Element>(name, settings));
}

/// All types, in the order of messages and docs.
const std::vector<const ForceType*>& force_types();

/// Schemas of the items of `forces`.
std::vector<Json> force_schemas();

/// Adds the lumps of the tethers of a scenario to its robots, at places between their ends.
void add_lumps(const Node& scenario, std::vector<RobotStart>& robots);

}  // namespace spacedyn::loading
