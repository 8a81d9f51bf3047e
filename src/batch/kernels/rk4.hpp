/// @file
/// The classical Runge–Kutta method of order 4 on lanes, with the joints' own springs and dampers
/// and joint PD control.
#pragma once

#include "batch/kernels/attitude.hpp"
#include "batch/kernels/forward_dynamics.hpp"
#include "batch/kernels/rk4_task.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// τ = given − K (q − q_rest) − D q̇ + clamp(K_P (q_ref − q) + K_D (q̇_ref − q̇)); F_b = given.
/// @param instant  0, 1, 2, … of the references: two per step
template <typename Lane>
inline void joint_forces(batch::Robot robot, const batch::PdTask& pd, int instant,
                         const double* stage, const double* given, double* forces) {
  using S = batch::StateRows;
  const int n = robot.links;
  const double* q = stage + S::q * batch::kTile;
  const double* qd = q + n * batch::kTile;
  const bool controlled = pd.stiffness != nullptr;
  const double* position = controlled ? pd.references + instant * 2L * n : nullptr;
  for (int j = 0; j < 6; ++j) set_row(forces, j, row<Lane>(given, j));
  for (int i = 1; i <= n; ++i) {
    const batch::Link& link = robot.link[i];
    const int j = link.joint;
    Lane tau = row<Lane>(given, 6 + j) - link.stiffness * (row<Lane>(q, j) - link.rest_position) -
               link.damping * row<Lane>(qd, j);
    if (controlled) {
      const Lane wanted = pd.stiffness[j] * (position[j] - row<Lane>(q, j)) +
                          pd.damping[j] * (position[n + j] - row<Lane>(qd, j));
      const Lane limit = broadcast<Lane>(pd.limit[j]);
      const Lane below = select(wanted > limit, limit, wanted);  // lets NaN through
      tau += select(below < -limit, Lane(-limit), below);
    }
    set_row(forces, 6 + j, tau);
  }
}

/// The rates of a stage besides u̇: of r_0, θ and q, in that order, are v_0, this, and q̇.
template <typename Lane>
SPACEDYN_INLINE void stage_chart_rate(const double* stage, Lane* rate) {
  using S = batch::StateRows;
  Lane theta[3], omega[3];
  for (int j = 0; j < 3; ++j) {
    theta[j] = row<Lane>(stage, S::theta + j);
    omega[j] = row<Lane>(stage, S::omega_0 + j);
  }
  chart_rate(ChartFunctions<Lane>(squared_norm(theta)), theta, omega, rate);
}

/// A_0 of a stage from its θ; NaN outside the chart.
template <typename Lane>
inline void place_base(const double* reference, double* stage) {
  using S = batch::StateRows;
  Lane theta[3], A_ref[9], A[9];
  for (int j = 0; j < 3; ++j) theta[j] = row<Lane>(stage, S::theta + j);
  for (int j = 0; j < 9; ++j) A_ref[j] = row<Lane>(reference, S::A_ref + j);
  const Lane z = squared_norm(theta);
  attitude(ChartFunctions<Lane>(z), theta, A_ref, A);
  const Lane nothing = z * __builtin_nan("");
  const auto outside = z > kChartLimit * kChartLimit;
  for (int j = 0; j < 9; ++j) set_row(stage, S::A_0 + j, select(outside, nothing, A[j]));
}

/// What stage k of 0…3 adds to the weighted sum of rates, and how far the next state lies.
template <int kStage>
struct Weights {
  static constexpr bool first = kStage == 0, last = kStage == 3;
  static constexpr double weight = first || last ? 1.0 : 2.0;
  static constexpr double way = last ? 1.0 / 6.0 : kStage == 2 ? 1.0 : 0.5;  ///< in steps
  static constexpr int instant = (kStage + 1) / 2;                           ///< in half steps
};

/// With the rates k of a stage, sum += weight k and next = start + way k.
template <typename Lane, typename Weights>
class StageUpdate {
 public:
  double *sum, *next;
  const double* start;
  double way;

  /// @param index  of the component in `sum`; @param state  its row in a state
  SPACEDYN_INLINE void apply(int index, int state, const Lane& rate) const {
    Lane total = Weights::weight * rate;
    if constexpr (!Weights::first) total += row<Lane>(sum, index);
    if constexpr (Weights::last) {
      set_row(next, state, row<Lane>(start, state) + way * total);
    } else {
      set_row(next, state, row<Lane>(start, state) + way * rate);
      set_row(sum, index, total);
    }
  }
};

/// next of all rows; `stage` and `next` may be the same memory.
template <typename Lane, typename Update>
inline void advance(batch::Robot robot, const double* stage, const double* acceleration,
                    const Update& update) {
  using S = batch::StateRows;
  const int n = robot.links;
  Lane rate[3], velocity[3];
  stage_chart_rate<Lane>(stage, rate);
  for (int j = 0; j < 3; ++j) velocity[j] = row<Lane>(stage, S::v_0 + j);
  for (int j = 0; j < 3; ++j) {
    update.apply(j, S::r_0 + j, velocity[j]);
    update.apply(3 + j, S::theta + j, rate[j]);
    update.apply(6 + j, S::v_0 + j, row<Lane>(acceleration, j));
    update.apply(9 + j, S::omega_0 + j, row<Lane>(acceleration, 3 + j));
  }
  for (int j = 0; j < n; ++j) {
    update.apply(12 + j, S::q + j, row<Lane>(stage, S::q + n + j));
    update.apply(12 + n + j, S::q + n + j, row<Lane>(acceleration, 6 + j));
  }
}

/// Where one block of lanes integrates.
struct Rk4Memory {
  double *workspace, *stage, *forces, *acceleration, *sum;

  Rk4Memory(int n, double* lanes, double* rows)
      : workspace(lanes),
        stage(rows),
        forces(rows + batch::Rk4Rows::forces(n) * batch::kTile),
        acceleration(rows + batch::Rk4Rows::acceleration(n) * batch::kTile),
        sum(rows + batch::Rk4Rows::sum(n) * batch::kTile) {}
};

/// Stage kStage of a step: rates at its state, and the next state.
template <typename Lane, int kStage>
inline void take_stage(batch::Robot robot, const batch::Rk4Task& task, int step,
                       const double* given, const Rk4Memory& memory, double* state) {
  using W = Weights<kStage>;
  const double* const stage = W::first ? state : memory.stage;
  double* const next = W::last ? state : memory.stage;
  joint_forces<Lane>(robot, task.pd, 2 * step + W::instant, stage, given, memory.forces);
  forward_dynamics<Lane>(robot, task.gravity, stage, memory.forces, memory.workspace,
                         memory.acceleration);
  advance<Lane>(robot, stage, memory.acceleration,
                StageUpdate<Lane, W>{memory.sum, next, state, W::way * task.step});
  place_base<Lane>(state, next);
}

/// `steps` steps of one block of lanes, in place. Allocates nothing.
/// @param given  [F_b; τ] held constant, 6 + n rows
/// @param lanes  Robot's workspace rows of this lane width
/// @param rows   Rk4Rows::count rows of a tile
template <typename Lane>
inline void rk4(batch::Robot robot, const batch::Rk4Task& task, const double* given, double* lanes,
                double* rows, double* state) {
  const Rk4Memory memory(robot.links, lanes, rows);
  for (int step = 0; step < task.steps; ++step) {
    take_stage<Lane, 0>(robot, task, step, given, memory, state);
    take_stage<Lane, 1>(robot, task, step, given, memory, state);
    take_stage<Lane, 2>(robot, task, step, given, memory, state);
    take_stage<Lane, 3>(robot, task, step, given, memory, state);
    recentre<Lane>(state);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
