// From the bare state to constrained accelerations, by this library, Simbody and MuJoCo in turns.
#include "bench/loops/peer_table.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <spacedyn/constraints/constrained_dynamics.hpp>
#include <spacedyn/dynamics/tree_motion.hpp>

#include "bench/loops/loop_peer.hpp"
#include "bench/loops/mechanisms.hpp"

namespace spacedyn::bench {
namespace {

/// Ours, which allocates nothing.
class Own {
 public:
  explicit Own(Mechanism its)
      : its_(std::move(its)),
        loads_(its_.loads),
        tree_(its_.model),
        loops_(its_.model, Mobility(its_.model)),
        acceleration_(VectorX::Zero(its_.model.velocity_size())),
        forces_(acceleration_) {}
  void evaluate() {
    update_motion(its_.state, acceleration_, tree_);
    if (constrained_dynamics(its_.state, loads_, {}, loops_, tree_, acceleration_, forces_) !=
        DynamicsStatus::ok) {
      throw std::runtime_error("constrained_dynamics() failed");
    }
  }
  const VectorX& acceleration() const { return acceleration_; }

 private:
  Mechanism its_;
  Loads loads_;
  TreeWorkspace tree_;
  LoopWorkspace loops_;
  VectorX acceleration_, forces_;
};

struct Entry {
  std::string library, variant;
  std::function<void()> evaluate;
  double best = std::numeric_limits<double>::infinity();  // µs
  int repetitions = 1;
};

double microseconds(const Entry& entry, int repetitions) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < repetitions; ++i) entry.evaluate();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / repetitions;
}

/// In turns, so that what else the machine does meets all alike; the best of some batches of 1 ms.
void measure(std::vector<Entry>& entries) {
  for (Entry& entry : entries) {
    entry.evaluate();
    entry.repetitions = std::max(1, static_cast<int>(1000.0 / microseconds(entry, 3)));
  }
  for (int round = 0; round < 120; ++round) {
    for (Entry& entry : entries) {
      entry.best = std::min(entry.best, microseconds(entry, entry.repetitions));
    }
  }
}

/// Relative difference of a peer's accelerations from ours.
[[maybe_unused]] double difference(LoopPeer& peer, const Mechanism& its) {
  Own own(its);
  own.evaluate();
  peer.place(its.state, its.loads);
  peer.evaluate();
  return (peer.acceleration() - own.acceleration()).norm() / own.acceleration().norm();
}

[[maybe_unused]] Mechanism at_rest(Mechanism its) {
  its.state.v_0.setZero();
  its.state.omega_0.setZero();
  its.state.qd.setZero();
  return its;
}

std::string format(const char* form, double value) {
  std::array<char, 32> text{};
  static_cast<void>(std::snprintf(text.data(), text.size(), form, value));
  return text.data();
}
std::string number(double microseconds) {
  return format(microseconds < 100.0 ? "%.1f" : "%.0f", microseconds);
}

using Entries = std::vector<Entry>;

template <typename Evaluated>
void add(const std::string& library, const std::string& variant, Evaluated its, Entries& entries) {
  Entry entry;
  entry.library = library;
  entry.variant = variant;
  entry.evaluate = [shared = std::shared_ptr(std::move(its))] { shared->evaluate(); };
  entries.push_back(std::move(entry));
}

#ifdef SPACEDYN_LOOPS_SIMBODY
void add_simbody(const Mechanism& its, PinRows pins, const char* variant, Entries& entries) {
  auto peer = make_simbody_loops(its.model, pins);
  const double found = difference(*peer, its);
  if (!(found < 1e-8)) throw std::runtime_error("Simbody differs by " + format("%.1e", found));
  add("Simbody", variant, std::move(peer), entries);
}
#endif

#ifdef SPACEDYN_LOOPS_MUJOCO
/// Where its loops yield more than this, its solver has ended too early.
constexpr double kMostCompliance = 5e-3;

void add_mujoco(const Mechanism& its, const char* solver, const char* jacobian, Entries& entries) {
  MujocoSettings settings;
  settings.solver = solver;
  settings.jacobian = jacobian;
  settings.pins = PinRows::point;
  auto peer = make_mujoco_loops(its.model, settings);
  // at rest, because it leaves out J̇ u
  const double found = difference(*peer, at_rest(its));
  const std::string variant = std::string(solver) + ", " + jacobian + ", " + format("%.0e", found);
  if (!(found < kMostCompliance)) {
    std::fprintf(stderr, "left out: MuJoCo (%s)\n", variant.c_str());
    return;
  }
  peer->place(its.state, its.loads);
  add("MuJoCo", variant, std::move(peer), entries);
}
#endif

const Entry* fastest(const std::vector<Entry>& entries, const std::string& library) {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    if (entry.library == library && (best == nullptr || entry.best < best->best)) best = &entry;
  }
  return best;
}

/// @param points  the same mechanism with pins that are points, if it is plane
void print_row(const char* name, const Mechanism& its, const Mechanism* points) {
  Entries entries;
  add("spacedyn", "", std::make_unique<Own>(its), entries);
  if (points != nullptr) add("spacedyn", "points", std::make_unique<Own>(*points), entries);
#ifdef SPACEDYN_LOOPS_SIMBODY
  add_simbody(its, PinRows::point, points != nullptr ? "points" : "", entries);
  if (points != nullptr) add_simbody(its, PinRows::plane, "points in planes", entries);
#endif
#ifdef SPACEDYN_LOOPS_MUJOCO
  for (const char* solver : {"Newton", "CG", "PGS"}) {
    for (const char* jacobian : {"dense", "sparse"}) add_mujoco(its, solver, jacobian, entries);
  }
#endif
  measure(entries);

  std::printf("| %s | %d |", name, its.model.joint_count());
  double least = std::numeric_limits<double>::infinity();
  for (const char* library : {"spacedyn", "Simbody", "MuJoCo"}) {
    const Entry* best = fastest(entries, library);
    if (best == nullptr) {
      std::printf(" – |");
      continue;
    }
    if (best->library != "spacedyn") least = std::min(least, best->best);
    std::printf(" %s%s |", number(best->best).c_str(),
                best->variant.empty() ? "" : (" (" + best->variant + ")").c_str());
  }
  std::printf(" %.1f |\n", least / fastest(entries, "spacedyn")->best);
  std::fflush(stdout);
  for (const Entry& entry : entries) {
    std::fprintf(stderr, "  %s (%s): %s\n", entry.library.c_str(), entry.variant.c_str(),
                 number(entry.best).c_str());
  }
}

}  // namespace

void print_peer_table() {
  std::printf(
      "| mechanism | joints | spacedyn | Simbody | MuJoCo | fastest of them / spacedyn |\n"
      "|---|---|---|---|---|---|\n");
  print_row("dual-arm grasp, 6 rows", dual_arm_grasp(), nullptr);
  print_row("Stewart platform, 15 rows", stewart_platform(), nullptr);
  for (const bool fixed : {true, false}) {
    const Mechanism points = moving_row(40, fixed, LoopType::spherical);
    print_row(fixed ? "40 four-bars on the ground" : "40 four-bars on a free base",
              moving_row(40, fixed), &points);
  }
}

}  // namespace spacedyn::bench
