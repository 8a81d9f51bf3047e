/// @file
/// What a sweep consists of. Private.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/study/sweep.hpp"
#include "study/collector.hpp"
#include "study/pending_rows.hpp"
#include "study/sampler.hpp"

namespace spacedyn {

class Sweep::Implementation {
 public:
  SweepSettings settings;
  std::vector<Override> overrides;
  std::map<std::string, std::string> sources;
  std::vector<Diagnostic> warnings;
  std::unique_ptr<const loading::ScenarioFamily> family;
  CollectPlan plan;
  std::unique_ptr<const SweepSampler> sampler;  // of the settings above
  RowBundle bundle;
};

/// Reads the file of a sweep and finds its keys in the scenario.
/// @param session  that opens files, or texts of them
/// @param texts    of the scenario's files; null: they are read from the disk
/// @throws as Sweep::load()
std::unique_ptr<Sweep::Implementation> read_sweep(loading::Session& session,
                                                  loading::Document document,
                                                  const std::vector<Override>& overrides,
                                                  const std::map<std::string, std::string>* texts);

}  // namespace spacedyn
