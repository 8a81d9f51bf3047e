#include "batch/row_dynamics.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::batch {
namespace {

using Index = Eigen::Index;

void check_size(const char* what, const ConstRowsRef& rows, Index count, Index size) {
  if (rows.rows() == count && rows.cols() == size) return;
  throw DimensionError(std::string(what) + ": expected " + std::to_string(count) + " rows of " +
                       std::to_string(size) + " numbers, got " + std::to_string(rows.rows()) +
                       " of " + std::to_string(rows.cols()));
}

/// [F_b; τ] or τ alone, for each state and step.
Index input_width(const char* what, const ConstRowsRef& rows, Index count, Index steps, Index n) {
  for (const Index width : {n, 6 + n}) {
    if (rows.rows() == count && rows.cols() == steps * width) return width;
  }
  throw DimensionError(std::string(what) + ": expected " + std::to_string(count) + " rows of n = " +
                       std::to_string(n) + " joint torques or 6 + n = " + std::to_string(6 + n) +
                       " forces" + (steps == 1 ? "" : " for each step") + ", got " +
                       std::to_string(rows.rows()) + " of " + std::to_string(rows.cols()));
}

/// The rows of a tile, from some column on.
ConstRows some_rows(const ConstRowsRef& rows, int tile, Index column = 0) {
  const Index first = static_cast<Index>(tile) * kTile;
  return {rows.data() + first * rows.outerStride() + column, rows.outerStride(),
          static_cast<int>(std::min<Index>(kTile, rows.rows() - first))};
}
Rows some_rows(RowsRef& rows, int tile, Index column = 0) {
  const Index first = static_cast<Index>(tile) * kTile;
  return {rows.data() + first * rows.outerStride() + column, rows.outerStride(),
          static_cast<int>(std::min<Index>(kTile, rows.rows() - first))};
}

/// What is wrong with one of some rows, and which it is.
struct Flaw {
  Index row;
  std::string text;
};
Flaw first_flaw(const ConstRowsRef& states, Index first, Index last) {
  for (Index k = first; k < last; ++k) {
    std::string text = row_flaw(states.row(k).data(), states.cols());
    if (!text.empty()) return {k, std::move(text)};
  }
  return {last, ""};
}

/// Calls evaluate(worker, tile) for the tiles of all states, which it has read into the memory of
/// the worker.
/// @throws DomainError naming the first row that is no state; the other tiles are evaluated first
template <typename Evaluate>
void each_tile(Engine& engine, const char* what, const ConstRowsRef& states,
               const Evaluate& evaluate) {
  const int tiles = static_cast<int>((states.rows() + kTile - 1) / kTile);
  std::atomic<int> flawed{tiles};
  engine.pool().run(tiles, [&](int worker, int t) {
    const ConstRows rows = some_rows(states, t);
    if (!engine.read_states(rows, engine.memory(worker).state.get())) {
      // the kernel also doubts numbers that are merely huge
      const Index first = static_cast<Index>(t) * kTile, last = first + rows.count;
      if (first_flaw(states, first, last).row < last) {
        int before = flawed;
        while (t < before && !flawed.compare_exchange_weak(before, t)) {
        }
        return;
      }
    }
    evaluate(worker, t);
  });
  if (flawed == tiles) return;
  const Flaw flaw = first_flaw(states, static_cast<Index>(flawed) * kTile, states.rows());
  throw DomainError(std::string(what) + ": row " + std::to_string(flaw.row) + " " + flaw.text);
}

/// Calls evaluate(memory, state, row) for each state, which is a lane of a tile there.
/// @throws as each_tile()
template <typename Evaluate>
void each_state(Engine& engine, const ConstRowsRef& states, const Evaluate& evaluate) {
  check_size("states", states, states.rows(), state_row_size(engine.model()));
  each_tile(engine, "states", states, [&](int worker, int t) {
    const Engine::Memory& memory = engine.memory(worker);
    const Index first = static_cast<Index>(t) * kTile;
    const Index last = std::min<Index>(first + kTile, states.rows());
    for (Index row = first; row < last; ++row) {
      evaluate(memory, memory.state.get() + (row - first), row);
    }
  });
}

Index matrix_size(const Engine& engine) {
  const Index size = engine.model().velocity_size();
  return size * size;
}

/// A matrix of each state from compute(worker, state), the rows of a tile.
template <typename Compute>
void each_matrix(Engine& engine, const ConstRowsRef& states, RowsRef& matrices,
                 const Compute& compute) {
  check_size("states", states, states.rows(), state_row_size(engine.model()));
  each_tile(engine, "states", states, [&](int worker, int t) {
    const double* const tile = compute(worker, engine.memory(worker).state.get());
    engine.kernels().write_vectors(tile, static_cast<int>(matrices.cols()), some_rows(matrices, t));
  });
}

/// The states of a tile as rows.
void write_states(const double* tile, int n, const Rows& rows) {
  for (int lane = 0; lane < rows.count; ++lane) {
    using Strided = Eigen::Map<const VectorX, 0, Eigen::InnerStride<kTile>>;
    const auto part = [&](int first, int size) {
      return Strided(tile + first * kTile + lane, size);
    };
    Matrix3 A;
    A.reshaped() = part(StateRows::A_0, 9);
    const Quaternion x = quaternion_from_matrix(A);
    Eigen::Map<VectorX>(rows.first + lane * rows.distance, 13 + 2 * n) << part(StateRows::r_0, 3),
        x.w(), x.vec(), part(StateRows::q, n), part(StateRows::v_0, 6), part(StateRows::q + n, n);
  }
}

void check_rollout(const BatchRollout& run) {
  if (!(run.step > 0.0) || !std::isfinite(run.step)) {
    throw DomainError("step: expected a positive number of seconds, got " +
                      std::to_string(run.step));
  }
  if (run.steps < 0) {
    throw DomainError("steps: expected 0 or more, got " + std::to_string(run.steps));
  }
  if (run.substeps < 1) {
    throw DomainError("substeps: expected at least 1, got " + std::to_string(run.substeps));
  }
}

}  // namespace

void forward_dynamics(Engine& engine, const ConstRowsRef& states, const ConstRowsRef& forces,
                      RowsRef acceleration) {
  const int n = engine.model().joint_count();
  const Index count = states.rows();
  check_size("states", states, count, state_row_size(engine.model()));
  const auto width = static_cast<int>(input_width("forces", forces, count, 1, n));
  check_size("acceleration", acceleration, count, 6 + n);
  const KernelTable& kernels = engine.kernels();
  each_tile(engine, "states", states, [&](int worker, int t) {
    const Engine::Memory& memory = engine.memory(worker);
    kernels.read_vectors(some_rows(forces, t), width, 6 + n, memory.input.get());
    engine.forward_dynamics(worker, memory.state.get(), memory.input.get(), memory.output.get());
    kernels.write_vectors(memory.output.get(), 6 + n, some_rows(acceleration, t));
  });
}

void inverse_dynamics(Engine& engine, const ConstRowsRef& states, const ConstRowsRef& acceleration,
                      RowsRef forces) {
  const int n = engine.model().joint_count();
  const Index count = states.rows();
  check_size("states", states, count, state_row_size(engine.model()));
  check_size("acceleration", acceleration, count, 6 + n);
  check_size("forces", forces, count, 6 + n);
  const KernelTable& kernels = engine.kernels();
  each_tile(engine, "states", states, [&](int worker, int t) {
    const Engine::Memory& memory = engine.memory(worker);
    kernels.read_vectors(some_rows(acceleration, t), 6 + n, 6 + n, memory.input.get());
    engine.inverse_dynamics(worker, memory.state.get(), memory.input.get(), memory.output.get());
    kernels.write_vectors(memory.output.get(), 6 + n, some_rows(forces, t));
  });
}

void inertia_matrix(Engine& engine, const ConstRowsRef& states, RowsRef H) {
  check_size("H", H, states.rows(), matrix_size(engine));
  engine.prepare_matrices();
  each_matrix(engine, states, H, [&](int worker, const double* state) {
    return engine.inertia_matrix(worker, state);
  });
}

void inverse_inertia(Engine& engine, const ConstRowsRef& states, RowsRef H_inverse) {
  check_size("H_inverse", H_inverse, states.rows(), matrix_size(engine));
  engine.prepare_inverses();
  each_matrix(engine, states, H_inverse, [&](int worker, const double* state) {
    return engine.inverse_inertia(worker, state);
  });
}

void forward_dynamics_derivatives(Engine& engine, const ConstRowsRef& states,
                                  const ConstRowsRef& forces, BatchDerivatives derivatives) {
  const int n = engine.model().joint_count();
  const Index count = states.rows(), size = 6 + n;
  const auto width = static_cast<int>(input_width("forces", forces, count, 1, n));
  check_size("acceleration", derivatives.acceleration, count, size);
  check_size("configuration", derivatives.configuration, count, size * size);
  check_size("velocity", derivatives.velocity, count, size * size);
  check_size("force", derivatives.force, count, size * size);
  engine.prepare_derivatives();
  each_state(engine, states, [&](const Engine::Memory& memory, const double* state, Index row) {
    const int lane = static_cast<int>(row % kTile);
    if (lane == 0) {
      engine.kernels().read_vectors(some_rows(forces, static_cast<int>(row / kTile)), width, 6 + n,
                                    memory.input.get());
    }
    const ForwardDynamicsDerivatives& own =
        memory.single->derivatives(state, memory.input.get() + lane);
    derivatives.acceleration.row(row) = own.acceleration.transpose();
    derivatives.configuration.row(row) = own.configuration.reshaped().transpose();
    derivatives.velocity.row(row) = own.velocity.reshaped().transpose();
    derivatives.force.row(row) = own.force.reshaped().transpose();
  });
}

void frame_poses(Engine& engine, const ConstRowsRef& states, const Frame& frame, RowsRef position,
                 RowsRef orientation) {
  check_size("position", position, states.rows(), 3);
  check_size("orientation", orientation, states.rows(), 9);
  if (engine.has_lanes()) {
    engine.prepare_frames();
    const FramePoint point = engine.constants().point(frame, BatchJacobian::of_joints);
    check_size("states", states, states.rows(), state_row_size(engine.model()));
    return each_tile(engine, "states", states, [&](int worker, int t) {
      const double* const tile =
          engine.frame_pose(worker, point, engine.memory(worker).state.get());
      engine.kernels().write_vectors(tile, 3, some_rows(position, t));
      engine.kernels().write_vectors(tile + 3 * kTile, 9, some_rows(orientation, t));
    });
  }
  engine.prepare_singles();
  each_state(engine, states, [&](const Engine::Memory& memory, const double* lane, Index row) {
    const State& state = memory.single->take(lane);
    TreeWorkspace& workspace = memory.single->workspace();
    update_path_poses(state, frame.body, workspace);
    const FramePose pose = frame_pose(state, workspace, frame);
    position.row(row) = pose.position.transpose();
    orientation.row(row) = pose.orientation.reshaped().transpose();
  });
}

void frame_jacobians(Engine& engine, const ConstRowsRef& states, const Frame& frame,
                     BatchJacobian kind, RowsRef J) {
  const Index n = engine.model().joint_count();
  check_size("J", J, states.rows(), 6 * n);
  if (engine.has_lanes()) {
    engine.prepare_frames();
    const FramePoint point = engine.constants().point(frame, kind);
    return each_matrix(engine, states, J, [&](int worker, const double* state) {
      return engine.frame_jacobian(worker, point, state);
    });
  }
  engine.prepare_singles();
  each_state(engine, states, [&](const Engine::Memory& memory, const double* lane, Index row) {
    const State& state = memory.single->take(lane);
    TreeWorkspace& workspace = memory.single->workspace();
    Eigen::Map<Matrix6X> matrix(J.row(row).data(), 6, n);
    if (kind == BatchJacobian::of_joints) {
      update_path_poses(state, frame.body, workspace);
      frame_jacobian(workspace, frame, matrix);
    } else {
      update_poses(state, workspace);
      if (generalized_jacobian(workspace, frame, matrix) != InertiaStatus::ok) {
        matrix.setConstant(std::numeric_limits<double>::quiet_NaN());
      }
    }
  });
}

void rollout(Engine& engine, const ConstRowsRef& initial, const ConstRowsRef& controls,
             const BatchRollout& run, RowsRef states) {
  check_rollout(run);
  const int n = engine.model().joint_count();
  const Index count = initial.rows(), size = state_row_size(engine.model());
  check_size("initial", initial, count, size);
  const auto width = static_cast<int>(input_width("controls", controls, count, run.steps, n));
  check_size("states", states, count, (run.steps + 1) * size);
  const KernelTable& kernels = engine.kernels();
  const Rk4Task task{engine.gravity(), run.step / run.substeps, run.substeps, PdTask{}};
  each_tile(engine, "initial", initial, [&](int worker, int t) {
    const Engine::Memory& memory = engine.memory(worker);
    double* state = memory.state.get();
    write_states(state, n, some_rows(states, t));
    for (int step = 0; step < run.steps; ++step) {
      const Index at = static_cast<Index>(step) * width;
      kernels.read_vectors(some_rows(controls, t, at), width, 6 + n, memory.input.get());
      engine.rk4(worker, task, memory.input.get(), state);
      write_states(state, n, some_rows(states, t, (step + 1) * size));
    }
  });
}

}  // namespace spacedyn::batch
