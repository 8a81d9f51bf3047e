#include "spacedyn/study/sweep.hpp"

#include <algorithm>

#include "coarse_clock.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "reporting/results/metadata.hpp"
#include "reporting/results/output_file.hpp"
#include "study/sweep_file.hpp"
#include "study/sweep_implementation.hpp"

namespace spacedyn {

using loading::Session;

Sweep::Sweep(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Sweep::~Sweep() = default;
Sweep::Sweep(Sweep&&) noexcept = default;
Sweep& Sweep::operator=(Sweep&&) noexcept = default;

Sweep Sweep::load(const std::string& path, const std::vector<Override>& overrides) {
  Session session;
  return Sweep(read_sweep(session, session.open(path), overrides, nullptr));
}

Sweep Sweep::reload(const std::map<std::string, std::string>& sources,
                    const std::vector<Override>& overrides) {
  Session session(sources);
  const std::string path = loading::find_file(sources, "sweep");
  return Sweep(read_sweep(session, session.open(path), overrides, &sources));
}

const SweepSettings& Sweep::settings() const { return implementation_->settings; }
const std::vector<Override>& Sweep::overrides() const { return implementation_->overrides; }
const std::map<std::string, std::string>& Sweep::sources() const {
  return implementation_->sources;
}
const std::vector<Diagnostic>& Sweep::warnings() const { return implementation_->warnings; }
const Scenario& Sweep::scenario() const { return implementation_->family->original(); }

long Sweep::rows() const { return implementation_->sampler->rows(); }

SweepDraw Sweep::draw(long row) const { return implementation_->sampler->draw(row); }

std::vector<Override> Sweep::overrides_of(const SweepDraw& draw) const {
  std::vector<Override> overrides;
  const auto& parameters = settings().parameters;
  bool has_seed = scenario().setup.sensors.empty();  // else there is nothing that it is for
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    overrides.emplace_back(parameters[i].key, loading::format_number(draw.parameters[i]));
    has_seed = has_seed || parameters[i].key == "seed";
  }
  const long most = settings().limits.max_steps;
  const bool is_own = std::any_of(parameters.begin(), parameters.end(), [](const auto& each) {
    return each.key == "integrator.max_steps";
  });
  if (!is_own && most < scenario().setup.integrator.max_steps) {
    overrides.emplace_back("integrator.max_steps", std::to_string(most));
  }
  if (!has_seed) overrides.emplace_back("seed", std::to_string(draw.seed));
  return overrides;
}

Scenario Sweep::scenario_of(long row) const {
  return reload_scenario(sources(), overrides_of(draw(row)));
}

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
