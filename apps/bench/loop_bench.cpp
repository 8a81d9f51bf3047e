// Two tables in Markdown, of the fastest of several repetitions: chains of four-bars by the four
// assembly procedures, and other libraries on the same loops. `procedures` or `peers` prints one.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include <spacedyn/constraints/constrained_dynamics.hpp>
#include <textbook/assembly_divide.hpp>
#include <textbook/assembly_maximal.hpp>
#include <textbook/loop_solver.hpp>

#include "bench/loops/mechanisms.hpp"
#include "bench/loops/peer_table.hpp"

namespace {

using namespace spacedyn;

/// Microseconds, the least of some repetitions.
double time_of(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  work();
  double best = std::numeric_limits<double>::infinity(), sum = 0.0;
  for (int i = 0; i < 5 || (sum < 2e5 && i < 500); ++i) {
    const Clock::time_point begin = Clock::now();
    work();
    const double t = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    best = std::min(best, t);
    sum += t;
  }
  return best;
}

std::string number(double microseconds) {
  char text[32];
  std::snprintf(text, sizeof text, microseconds < 100.0 ? "%.1f" : "%.0f", microseconds);
  return text;
}

/// One row of the table.
void measure(const char* kind, int bars, const Model& model) {
  const State state = bench::parallel_motion(model);
  const Mobility mobility(model);
  Loads loads(model);
  loads.gravity = {0.0, -9.81, 0.0};
  LoopMotion motion(model);
  motion.compute(model, state);
  VectorX acceleration = VectorX::Zero(model.velocity_size()), forces = acceleration;
  TreeWorkspace tree(model, mobility);
  LoopWorkspace loops(model, mobility);
  VectorX multipliers = VectorX::Zero(loops.multipliers.size());

  const double incremental = time_of([&] {
    update_motion(state, acceleration, tree);
    static_cast<void>(constrained_dynamics(state, loads, {}, loops, tree, acceleration, forces));
  });
  std::string dense = "–", sparse = "–", halves = "–";
  if (bars <= 80) {
    LoopSolver solver(model, mobility);
    dense = number(time_of([&] { static_cast<void>(solver.update(motion.state, motion.frames)); }));
  }
  if (bars <= 640) {
    MaximalAssembly assembly(model, mobility, model.loops());
    sparse = number(time_of(
        [&] { static_cast<void>(assembly.solve(motion, loads, acceleration, multipliers)); }));
  }
  DivideAndConquerAssembly assembly(model, mobility, model.loops());
  halves = number(time_of([&] {
             static_cast<void>(assembly.solve(motion, loads, acceleration, multipliers, 1));
           })) +
           " / " + number(time_of([&] {
             static_cast<void>(assembly.solve(motion, loads, acceleration, multipliers, 2));
           }));
  std::printf("| %s of %d | %d | %s | %s | %s | %s (%d levels) |\n", kind, bars,
              model.joint_count(), number(incremental).c_str(), dense.c_str(), sparse.c_str(),
              halves.c_str(), assembly.levels());
  std::fflush(stdout);
}

void measure_procedures() {
  std::printf(
      "| four-bars | joints | incremental | spanning tree | maximal | divide and conquer, 1 / 2 "
      "threads |\n|---|---|---|---|---|---|\n");
  for (const int bars : {2, 40, 160, 640, 2500}) {
    measure("row", bars, bench::row_of_four_bars(bars));
  }
  for (const int bars : {2, 40, 160, 640, 1666, 3333}) {
    measure("ladder", bars, bench::ladder_of_four_bars(bars));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "";
  if (which != "peers") measure_procedures();
  if (which != "procedures") bench::print_peer_table();
  return 0;
}
