// Every quantity on every robot by every library, and batches of states. With Google Benchmark's
// random interleaving the libraries take turns, so that a busy machine disturbs all alike.
#include <cstdio>
#include <thread>

#include <benchmark/benchmark.h>

#include "bench/batch_bench.hpp"
#include "bench/contender.hpp"
#include "spacedyn/inertia/regressor.hpp"

namespace {

using namespace spacedyn::bench;

struct Named {
  Quantity quantity;
  const char* name;
};
constexpr Named kQuantities[] = {{Quantity::forward_dynamics, "forward_dynamics"},
                                 {Quantity::inverse_dynamics, "inverse_dynamics"},
                                 {Quantity::inertia_matrix, "inertia_matrix"},
                                 {Quantity::frame_jacobian, "frame_jacobian"},
                                 {Quantity::one_frame, "one_frame"},
                                 {Quantity::all_jacobians, "all_jacobians"},
                                 {Quantity::generalized_jacobian, "generalized_jacobian"},
                                 {Quantity::derivatives, "derivatives"},
                                 {Quantity::rk4_steps, "rk4_steps"}};

void run(benchmark::State& state, Contender& contender, Quantity quantity, int states) {
  int k = 0;
  for (auto _ : state) {
    contender.evaluate(quantity, k);
    if (++k == states) k = 0;
  }
  // what the figures are for: one evaluation, or one step
  state.counters["items"] = quantity == Quantity::rk4_steps ? kRk4Steps : 1;
}

/// Workloads and contenders, alive for as long as benchmarks run.
struct Contest {
  explicit Contest(Workload robot) : work(std::move(robot)) {}
  Workload work;
  std::vector<std::unique_ptr<Contender>> contenders;
};

void add_quantities(Contest& contest) {
  for (const Named& named : kQuantities) {
    for (const std::unique_ptr<Contender>& contender : contest.contenders) {
      if (!contender->offers(named.quantity)) continue;
      const std::string name = contest.work.name + "/" + named.name + "/" + contender->name();
      benchmark::RegisterBenchmark(name.c_str(), [&, named](benchmark::State& state) {
        run(state, *contender, named.quantity, contest.work.state_count());
      });
    }
  }
}

/// Chains of 1 to 10,000 joints: the single state and the batch.
std::vector<std::unique_ptr<Contest>> add_chains() {
  std::vector<std::unique_ptr<Contest>> chains;
  for (const int n : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}) {
    chains.push_back(std::make_unique<Contest>(chain(n)));
    Contest& contest = *chains.back();
    contest.contenders.push_back(make_spacedyn(contest.work));
    Contender& ours = *contest.contenders.front();
    const std::string name = contest.work.name + "/forward_dynamics/spacedyn";
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
      run(state, ours, Quantity::forward_dynamics, contest.work.state_count());
    });
    add_batches(contest.work, {BatchQuantity::forward_dynamics}, {1});
  }
  return chains;
}

/// The regressor of inverse dynamics from the bare state, with 12 joints in a chain.
void add_regressor() {
  benchmark::RegisterBenchmark("chain_12/regressor/spacedyn", [](benchmark::State& state) {
    using namespace spacedyn;
    const Workload work = chain(12);
    const Model& model = work.model;
    const Vector3 gravity(0.0, 0.0, -9.81);
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    LinkAccelerations accelerations(model);
    MatrixX Y(model.velocity_size(), kInertialParameters * model.body_count());
    std::size_t k = 0;
    for (auto _ : state) {
      compute_link_frames(model, work.states[k], frames);
      compute_link_velocities(model, work.states[k], frames, velocities);
      compute_link_accelerations(model, work.states[k], frames, velocities, work.acceleration[k],
                                 accelerations);
      inverse_dynamics_regressor(model, frames, velocities, accelerations, gravity, Y);
      k = (k + 1) % work.states.size();
    }
    state.counters["items"] = 1;
  });
}

/// What memory allows: as many bytes as the longest chain's workspace, updated in place.
void add_memory() {
  benchmark::RegisterBenchmark("memory/update_20_MB", [](benchmark::State& state) {
    std::vector<double> values(10000 * 2048 / sizeof(double), 1.0);
    for (auto _ : state) {
      for (double& value : values) value += 1.0;
      benchmark::DoNotOptimize(values.data());
      benchmark::ClobberMemory();
    }
    state.counters["items"] = 1;
  });
}

}  // namespace

int main(int argument_count, char** arguments) {
  benchmark::Initialize(&argument_count, arguments);
  std::vector<std::unique_ptr<Contest>> contests;
  for (const char letter : {'A', 'B', 'C', 'D', 'E'}) {
    contests.push_back(std::make_unique<Contest>(robot(letter)));
    Contest& contest = *contests.back();
    contest.contenders = make_contenders(contest.work);
    const std::vector<std::string> lines = disagreements(contest.work, contest.contenders);
    for (const std::string& line : lines) std::fprintf(stderr, "%s\n", line.c_str());
    if (!lines.empty()) return 1;
    add_quantities(contest);
    add_matrices(contest.work);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    add_batches(contest.work,
                {BatchQuantity::forward_dynamics, BatchQuantity::inverse_dynamics,
                 BatchQuantity::rk4_steps},
                cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1});
  }
  const auto chains = add_chains();
  add_regressor();
  add_memory();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
