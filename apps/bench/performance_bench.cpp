// Every quantity on every robot by every library; libraries take turns in random order.
#include <cstdio>

#include <benchmark/benchmark.h>

#include "bench/contender.hpp"

namespace {

using namespace spacedyn::bench;

struct Named {
  Quantity quantity;
  const char* name;
};
constexpr Named kQuantities[] = {{Quantity::forward_dynamics, "forward_dynamics"},
                                 {Quantity::inverse_dynamics, "inverse_dynamics"},
                                 {Quantity::inertia_matrix, "inertia_matrix"},
                                 {Quantity::endpoint_jacobian, "endpoint_jacobian"},
                                 {Quantity::all_jacobians, "all_jacobians"},
                                 {Quantity::generalized_jacobian, "generalized_jacobian"},
                                 {Quantity::rk4_step, "rk4_step"}};

void run(benchmark::State& state, Contender& contender, Quantity quantity, int states) {
  int k = 0;
  for (auto _ : state) {
    contender.evaluate(quantity, k);
    if (++k == states) k = 0;
  }
}

void register_all(const Workload& work, std::vector<std::unique_ptr<Contender>>& contenders) {
  for (const Named& named : kQuantities) {
    for (const std::unique_ptr<Contender>& contender : contenders) {
      if (!contender->offers(named.quantity)) continue;
      const std::string name = work.name + "/" + named.name + "/" + contender->name();
      benchmark::RegisterBenchmark(name.c_str(), [&, named](benchmark::State& state) {
        run(state, *contender, named.quantity, work.state_count());
      });
    }
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  benchmark::Initialize(&argument_count, arguments);
  std::vector<Workload> works;
  for (const char letter : {'A', 'B', 'C', 'D', 'E'}) works.push_back(robot(letter));
  std::vector<std::vector<std::unique_ptr<Contender>>> contenders;
  for (const Workload& work : works) {
    contenders.push_back(make_contenders(work));
    for (const std::string& line : disagreements(work, contenders.back())) {
      std::fprintf(stderr, "%s\n", line.c_str());
      return 1;
    }
  }
  for (std::size_t i = 0; i < works.size(); ++i) register_all(works[i], contenders[i]);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
