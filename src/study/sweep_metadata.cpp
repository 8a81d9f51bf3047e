#include "study/sweep_metadata.hpp"

#include "reporting/results/json.hpp"
#include "reporting/results/output_file.hpp"
#include "scenario/utc_time.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "study/sweep_format.hpp"

namespace spacedyn {

SweepMetadata::SweepMetadata(std::string path, const Sweep& sweep, int threads)
    : path_(std::move(path)), sweep_(sweep), threads_(threads), started_(utc_now()) {}

void SweepMetadata::begin() const {
  SweepProgress none;
  none.rows = sweep_.rows();
  write("running", none);
}

void SweepMetadata::end(const SweepOutcome& outcome) const {
  write(outcome.is_complete() ? "complete" : "interrupted", outcome.progress);
}

void SweepMetadata::write(const char* status, const SweepProgress& progress) const {
  Json files = Json::array(), overrides = Json::array();
  for (const auto& [path, text] : sweep_.sources()) {
    files.push_back({{"path", path}, {"text", text}});
  }
  for (const auto& [key, value] : sweep_.overrides()) {
    overrides.push_back({{"key", key}, {"value", value}});
  }
  const BuildInfo& build = build_info();
  const Json json{{"format", kSweepFormat},
                  {"sweep", sweep_.settings().name},
                  {"status", status},
                  {"rows", progress.rows},
                  {"done", progress.flown - progress.failed},
                  {"failed", progress.failed},
                  {"started", started_},
                  {"wall_seconds", progress.wall_seconds},
                  {"threads", threads_},
                  {"versions",
                   {{"spacedyn", build.spacedyn},
                    {"git", build.git},
                    {"build_type", build.build_type},
                    {"compiler", build.compiler}}},
                  {"inputs", {{"files", files}, {"overrides", overrides}}}};
  write_file_atomically(path_, to_text(json) + '\n');
}

}  // namespace spacedyn
