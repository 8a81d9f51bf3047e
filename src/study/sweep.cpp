#include "spacedyn/study/sweep.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/Cholesky>
#include <boost/random/sobol.hpp>

#include "coarse_clock.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "reporting/results/metadata.hpp"
#include "reporting/results/output_file.hpp"
#include "sensing/philox.hpp"
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

namespace {

using random_numbers::Words;

/// What random numbers are for: no two uses share any.
enum class Use : std::uint32_t { value = 0x76616C75, order = 0x6F726465, seed = 0x73656564 };

Words random_words(std::uint64_t seed, std::uint64_t index, std::size_t component, Use use) {
  return random_numbers::philox(
      {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
       static_cast<std::uint32_t>(component), static_cast<std::uint32_t>(use)},
      static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

double random_number(std::uint64_t seed, std::uint64_t index, std::size_t component, Use use) {
  const Words words = random_words(seed, index, component, use);
  return random_numbers::uniform(words[0], words[1]);
}

/// The largest whole number that all readers of scenarios take for one.
constexpr std::uint64_t kSeedMask = (std::uint64_t{1} << 53U) - 1;

std::uint64_t seed_of_row(std::uint64_t seed, long row) {
  const Words words = random_words(seed, static_cast<std::uint64_t>(row), 0, Use::seed);
  return ((static_cast<std::uint64_t>(words[0]) << 32U) | words[1]) & kSeedMask;
}

/// The numbers 0 … count − 1 in random order [Fisher, Yates 1938].
std::vector<std::uint32_t> random_order(std::uint64_t seed, std::size_t parameter, long count) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size(); i > 1; --i) {
    const double u = random_number(seed, i, parameter, Use::order);
    const auto other = std::min(static_cast<std::size_t>(u * static_cast<double>(i)), i - 1);
    std::swap(order[i - 1], order[other]);
  }
  return order;
}

}  // namespace

struct SweepSampler::SobolPoints {
  explicit SobolPoints(std::size_t dimension) : engine(dimension) {}
  boost::random::sobol engine;
};

SweepSampler::SweepSampler(const SweepSettings& settings) : settings_(settings) {
  for (std::size_t i = 0; i < settings.parameters.size(); ++i) {
    const SweepParameter& parameter = settings.parameters[i];
    if (parameter.is_grid()) {
      points_ *= static_cast<long>(parameter.numbers.size());
    } else {
      distributions_.push_back(i);
    }
  }
  const std::size_t dimension = distributions_.size();
  if (settings.sampling == Sampling::latin_hypercube) {
    for (std::size_t i = 0; i < dimension; ++i) {
      permutations_.push_back(random_order(settings.seed, i, settings.runs));
    }
  } else if (settings.sampling == Sampling::sobol && dimension > 0) {
    sobol_ = std::make_unique<SobolPoints>(dimension);
  }
  if (!settings.correlated.empty()) factor_ = settings.correlation.llt().matrixL();
}

SweepSampler::~SweepSampler() = default;
SweepSampler::SweepSampler(SweepSampler&&) noexcept = default;

void SweepSampler::uniform_numbers(long row, std::vector<double>& numbers) const {
  const auto run = static_cast<std::size_t>(row % settings_.runs);
  numbers.resize(distributions_.size());
  if (sobol_) {
    boost::random::sobol engine = sobol_->engine;
    engine.seed(run);  // point 0 is the origin, which the engine leaves out
    for (double& number : numbers) number = static_cast<double>(engine() >> 11U) * 0x1p-53;
    return;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = random_number(settings_.seed, static_cast<std::uint64_t>(row), i, Use::value);
    if (permutations_.empty()) continue;
    numbers[i] = (permutations_[i][run] + numbers[i]) / static_cast<double>(settings_.runs);
  }
}

void SweepSampler::correlate(const std::vector<double>& uniform,
                             std::vector<double>& values) const {
  const SweepParameter standard{"", SweepParameter::Kind::normal, {0.0, 1.0}, {}, {}};
  const auto size = static_cast<Eigen::Index>(settings_.correlated.size());
  VectorX z(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t parameter = settings_.correlated[static_cast<std::size_t>(i)];
    const auto place = std::find(distributions_.begin(), distributions_.end(), parameter);
    z(i) = quantile(standard, uniform[static_cast<std::size_t>(place - distributions_.begin())]);
  }
  z = factor_ * z;
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t parameter = settings_.correlated[static_cast<std::size_t>(i)];
    const auto& numbers = settings_.parameters[parameter].numbers;
    values[parameter] = numbers[0] + numbers[1] * z(i);
  }
}

SweepDraw SweepSampler::draw(long row) const {
  const auto& parameters = settings_.parameters;
  SweepDraw draw;
  draw.parameters.resize(parameters.size());
  draw.seed = seed_of_row(settings_.seed, row);
  long point = row / settings_.runs;
  for (std::size_t i = parameters.size(); i-- > 0;) {
    if (!parameters[i].is_grid()) continue;
    const auto count = static_cast<long>(parameters[i].numbers.size());
    draw.parameters[i] = parameters[i].numbers[static_cast<std::size_t>(point % count)];
    point /= count;
  }
  std::vector<double> uniform;
  uniform_numbers(row, uniform);
  for (std::size_t i = 0; i < distributions_.size(); ++i) {
    const std::size_t parameter = distributions_[i];
    draw.parameters[parameter] = quantile(parameters[parameter], uniform[i]);
  }
  if (!settings_.correlated.empty()) correlate(uniform, draw.parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].key == "seed") {
      draw.seed = static_cast<std::uint64_t>(std::max(draw.parameters[i], 0.0));
    }
  }
  return draw;
}

}  // namespace spacedyn
