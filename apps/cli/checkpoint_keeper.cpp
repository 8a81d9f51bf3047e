#include "checkpoint_keeper.hpp"

#include <filesystem>
#include <set>

#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::cli {

CheckpointKeeper::CheckpointKeeper(const Scenario& scenario, std::string path,
                                   const RunRecord& record, ResultWriter& writer, double interval)
    : scenario_(scenario),
      path_(std::move(path)),
      writer_(writer),
      earlier_seconds_(record.wall_seconds),
      interval_(
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval))),
      start_(Clock::now()),
      next_(start_ + interval_) {
  file_.instruction_set = to_string(instruction_set());
  file_.sections = scenario.sections;
  file_.overrides = record.overrides;
  file_.started = record.started;
}

void CheckpointKeeper::keep(const Checkpoint& checkpoint, const RateWatches& watches) {
  if (file_.model.empty()) file_.model = write_model(*scenario_.setup.model);
  file_.wall_seconds = wall_seconds();
  file_.checkpoint = checkpoint;
  file_.modal_rates = watches.modal.greatest();
  file_.joint_rates = watches.joints.greatest();
  writer_.flush();
  write_checkpoint(path_, file_);
  has_kept_ = true;
  next_ = Clock::now() + interval_;
}

void CheckpointKeeper::forget() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

double CheckpointKeeper::wall_seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - start_).count();
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

}  // namespace spacedyn::cli
