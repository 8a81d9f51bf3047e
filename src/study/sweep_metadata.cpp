#include "study/sweep_file.hpp"

#include "coarse_clock.hpp"
#include "reporting/results/metadata.hpp"
#include "reporting/results/output_file.hpp"

namespace spacedyn {

SweepMetadata::SweepMetadata(std::string path, const Sweep& sweep, int threads, int processes)
    : path_(std::move(path)),
      sweep_(sweep),
      threads_(threads),
      processes_(processes),
      started_(utc_now()) {}

void SweepMetadata::begin() const {
  SweepProgress none;
  none.rows = sweep_.rows();
  write("running", none);
}

void SweepMetadata::end(const SweepOutcome& outcome) const {
  write(outcome.is_complete() ? "complete" : "interrupted", outcome.progress);
}

void SweepMetadata::write(const char* status, const SweepProgress& progress) const {
  const Json json{{"format", kSweepFormat},
                  {"sweep", sweep_.settings().name},
                  {"status", status},
                  {"rows", progress.rows},
                  {"done", progress.flown - progress.failed},
                  {"failed", progress.failed},
                  {"started", started_},
                  {"host", host_json()},
                  {"wall_seconds", progress.wall_seconds},
                  {"threads", threads_},
                  {"processes", processes_},
                  {"versions", versions_json()},
                  {"inputs", inputs_json(sweep_.sources(), sweep_.overrides())}};
  write_file_atomically(path_, to_text(json) + '\n');
}

}  // namespace spacedyn
