#include "scenario/checkpoint_keeper.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/scenario/scenario_run.hpp"

namespace spacedyn {
namespace {

constexpr std::chrono::seconds kTellingPause{1};

}  // namespace

CheckpointKeeper::CheckpointKeeper(const Scenario& scenario, const OutputDirectory& directory,
                                   const RunRecord& record, ResultWriter& writer, double interval)
    : scenario_(scenario),
      directory_(directory),
      writer_(writer),
      earlier_seconds_(record.wall_seconds),
      interval_(std::chrono::duration_cast<CoarseClock::duration>(
          std::chrono::duration<double>(interval))),
      start_(Clock::now()),
      next_(CoarseClock::now() + interval_),
      told_(record.events.size()) {
  file_.instruction_set = to_string(instruction_set());
  file_.sections = scenario.sections;
  file_.overrides = record.overrides;
  file_.started = record.started;
}

void CheckpointKeeper::keep(const Checkpoint& checkpoint, const RunWatches& watches) {
  if (file_.model.empty()) file_.model = write_model(*scenario_.setup.model);
  file_.wall_seconds = wall_seconds();
  file_.checkpoint = checkpoint;
  file_.peaks = watches.peaks();
  writer_.flush();
  sync_file(directory_.result());
  write_checkpoint(directory_.checkpoint(), file_);
  next_ = CoarseClock::now() + interval_;
}

void CheckpointKeeper::tell_events(const RunRecord& record) {
  if (record.events.size() == told_) return;
  const CoarseClock::time_point begin = CoarseClock::now();
  if (begin < next_telling_) return;
  write_metadata(directory_.metadata(), record);
  told_ = record.events.size();
  const CoarseClock::time_point end = CoarseClock::now();
  next_telling_ = end + std::max<CoarseClock::duration>(kTellingPause, 20 * (end - begin));
}

void CheckpointKeeper::forget() const {
  std::error_code ignored;
  std::filesystem::remove(directory_.checkpoint(), ignored);
}

double CheckpointKeeper::wall_seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

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
