#include "spacedyn/scenario/resumption.hpp"

#include <algorithm>
#include <set>

#include "reporting/results/run_facts.hpp"

namespace spacedyn {

std::vector<Override> merge_overrides(std::vector<Override> earlier,
                                      const std::vector<Override>& later) {
  for (const Override& change : later) {
    const auto same = std::find_if(earlier.begin(), earlier.end(), [&](const Override& other) {
      return other.first == change.first;
    });
    if (same == earlier.end()) {
      earlier.push_back(change);
    } else {
      same->second = change.second;
    }
  }
  return earlier;
}

std::string find_difference(const CheckpointFile& file, const Scenario& scenario) {
  std::set<std::string> keys;
  for (const auto& [key, text] : file.sections) keys.insert(key);
  for (const auto& [key, text] : scenario.sections) keys.insert(key);
  const auto text_of = [](const std::map<std::string, std::string>& sections,
                          const std::string& key) {
    const auto found = sections.find(key);
    return found == sections.end() ? std::string() : found->second;
  };
  for (const std::string& key : keys) {
    if (key == "integrator" || key == "checks") continue;
    if (text_of(file.sections, key) != text_of(scenario.sections, key)) return key;
  }
  return file.model == write_model(*scenario.setup.model) ? "" : "model";
}

std::string find_difference(const RunFacts& facts, const Scenario& scenario) {
  const std::map<std::string, std::string> earlier(facts.sources.begin(), facts.sources.end());
  for (const auto& [path, text] : scenario.sources) {
    const auto found = earlier.find(path);
    if (found == earlier.end() || found->second != text) return path;
  }
  return "";
}

RunFacts facts_of_run(const OutputDirectory& directory) {
  ResultTable table;
  read_run_facts(read_whole_file(directory.metadata()), directory.metadata(), table);
  return table.facts;
}

}  // namespace spacedyn
