// Accelerations of chains of four-bars by the four assembly procedures, and by MuJoCo where it is
// installed: a table in Markdown, of the fastest of several repetitions.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include <spacedyn/constraints/assembly_divide.hpp>
#include <spacedyn/constraints/assembly_maximal.hpp>
#include <spacedyn/constraints/constrained_dynamics.hpp>
#include <spacedyn/constraints/loop_solver.hpp>
#include <spacedyn/model/model_builder.hpp>

#include "bench/loop_contender.hpp"

namespace {

using namespace spacedyn;

constexpr double kLength = 1.0;  // m
constexpr double kMass = 1.0;    // kg

LinkDescription rod(const std::string& name, const std::string& parent, const Vector3& origin) {
  LinkDescription link;
  link.name = name;
  link.parent = parent;
  link.mass = kMass;
  link.center_of_mass = {0.5 * kLength, 0.0, 0.0};
  const double I = kMass * kLength * kLength / 12.0;
  link.inertia = Vector3(0.01 * I, I, I).asDiagonal();
  link.joint.origin.position = origin;
  return link;
}

FrameDescription end_of(const std::string& name, const std::string& link, double x) {
  FrameDescription frame;
  frame.name = name;
  frame.link = link;
  frame.origin.position = {x, 0.0, 0.0};
  return frame;
}

LoopDescription pin(const std::string& n) {
  LoopDescription loop;
  loop.name = "pin" + n;
  loop.type = LoopType::revolute;
  loop.from = "end" + n;
  loop.to = "top" + n;
  return loop;
}

ModelDescription ground(const std::string& name) {
  ModelDescription robot;
  robot.name = name;
  robot.base.name = "ground";
  robot.base.fixed = true;
  return robot;
}

/// Columns on the ground, a beam from each to the next: IFToMM case A02.
Model row_of(int bars) {
  ModelDescription robot = ground("row");
  robot.links.push_back(rod("column0", "ground", Vector3::Zero()));
  for (int i = 1; i <= bars; ++i) {
    const std::string n = std::to_string(i), before = "column" + std::to_string(i - 1);
    robot.links.push_back(rod("column" + n, "ground", {i * kLength, 0.0, 0.0}));
    robot.links.push_back(rod("beam" + n, before, {kLength, 0.0, 0.0}));
    robot.frames.push_back(end_of("end" + n, "beam" + n, kLength));
    robot.frames.push_back(end_of("top" + n, "column" + n, kLength));
    robot.loops.push_back(pin(n));
  }
  return ModelBuilder(robot).build();
}

/// Each four-bar on the coupler of the one before.
Model ladder_of(int bars) {
  ModelDescription robot = ground("ladder");
  std::string parent = "ground";
  for (int i = 1; i <= bars; ++i) {
    const std::string n = std::to_string(i);
    const Vector3 foot(i == 1 ? 0.0 : 0.3, 0.0, 0.0);
    robot.links.push_back(rod("crank" + n, parent, foot));
    robot.links.push_back(rod("rocker" + n, parent, foot + Vector3(0.5, 0.0, 0.0)));
    robot.links.push_back(rod("coupler" + n, "crank" + n, {kLength, 0.0, 0.0}));
    robot.frames.push_back(end_of("end" + n, "coupler" + n, 0.5));
    robot.frames.push_back(end_of("top" + n, "rocker" + n, kLength));
    robot.loops.push_back(pin(n));
    parent = "coupler" + n;
  }
  return ModelBuilder(robot).build();
}

/// Cranks and rockers at one angle, couplers parallel to the ground, turning.
State moving(const Model& model) {
  State state(model);
  for (int i = 1; i <= model.joint_count(); ++i) {
    const char kind = model.joint(i).name[1];
    const bool follows = kind == 'e' || model.joint(i).name.compare(0, 7, "coupler") == 0;
    state.q(i - 1) = follows ? -1.1 : 1.1;
    state.qd(i - 1) = follows ? -1.0 : 1.0;
  }
  return state;
}

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
  const State state = moving(model);
  const Mobility mobility(model);
  Loads loads(model);
  loads.gravity = {0.0, -9.81, 0.0};
  LoopMotion motion(model);
  motion.compute(model, state);
  VectorX acceleration = VectorX::Zero(model.velocity_size()), forces = acceleration;
  TreeWorkspace tree(model, mobility);
  LoopWorkspace loops(model, mobility);
  VectorX multipliers = VectorX::Zero(loops.k.size());

  const double incremental = time_of([&] {
    update_motion(state, acceleration, tree);
    static_cast<void>(constrained_dynamics(motion, loads, {}, loops, tree, acceleration, forces));
  });
  std::string dense = "–", sparse = "–", halves = "–", peer = "–";
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
  if (bars <= 160) {
    const auto contender = bench::make_loop_contender(model, state);
    if (contender) peer = number(time_of([&] { contender->evaluate(); }));
  }
  std::printf("| %s of %d | %d | %s | %s | %s | %s (%d levels) | %s |\n", kind, bars,
              model.joint_count(), number(incremental).c_str(), dense.c_str(), sparse.c_str(),
              halves.c_str(), assembly.levels(), peer.c_str());
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::printf(
      "| four-bars | joints | incremental | spanning tree | maximal | divide and conquer, 1 / 2 "
      "threads | MuJoCo |\n|---|---|---|---|---|---|---|\n");
  for (const int bars : {2, 40, 160, 640, 2500}) measure("row", bars, row_of(bars));
  for (const int bars : {2, 40, 160, 640, 1666, 3333}) measure("ladder", bars, ladder_of(bars));
  return 0;
}
