#include "scenario/checkpoint_keeper.hpp"

#include <filesystem>

#include "reporting/results/output_file.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {

CheckpointKeeper::CheckpointKeeper(const Scenario& scenario, const OutputDirectory& directory,
                                   const RunRecord& record, ResultWriter& writer, double interval)
    : scenario_(scenario),
      directory_(directory),
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

void CheckpointKeeper::keep(const Checkpoint& checkpoint, const RunWatches& watches) {
  if (file_.model.empty()) file_.model = write_model(*scenario_.setup.model);
  file_.wall_seconds = wall_seconds();
  file_.checkpoint = checkpoint;
  file_.peaks = watches.peaks();
  writer_.flush();
  sync_file(directory_.result());
  write_checkpoint(directory_.checkpoint(), file_);
  next_ = Clock::now() + interval_;
}

void CheckpointKeeper::forget() const {
  std::error_code ignored;
  std::filesystem::remove(directory_.checkpoint(), ignored);
}

double CheckpointKeeper::wall_seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

}  // namespace spacedyn
