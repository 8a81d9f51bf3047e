#include <chrono>

#include "bindings.hpp"
#include "spacedyn/batch/batch_dynamics.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"

namespace spacedyn::python {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of one forward dynamics with memory that is kept, what Python's call does inside.
double forward_dynamics_seconds(const ModelHandle& model, const State& state, const Loads& loads,
                                int repetitions) {
  DynamicsMemory memory(*model);
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < repetitions; ++i) {
    if (forward_dynamics(state, loads, memory.workspace, memory.acceleration, memory.forces) !=
        DynamicsStatus::ok) {
      return 0.0;
    }
  }
  return seconds_since(start) / repetitions;
}

/// Seconds of one forward dynamics of a batch that lies in vector lanes already.
double batch_seconds(const ModelHandle& model, const State& state, int count, int threads,
                     int repetitions) {
  BatchDynamics batch(model.pointer(), {threads, Vector3::Zero()});
  BatchStates states(*model, count);
  for (int k = 0; k < count; ++k) states.set(k, state);
  const TiledVectors forces(model->velocity_size(), count);
  TiledVectors acceleration(model->velocity_size(), count);
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < repetitions; ++i) batch.forward_dynamics(states, forces, acceleration);
  return seconds_since(start) / repetitions;
}

/// Seconds of one forward dynamics of a batch that lies in rows, as Python's does.
double batch_rows_seconds(const ModelHandle& model, const State& state, int count, int threads,
                          int repetitions) {
  BatchDynamics batch(model.pointer(), {threads, Vector3::Zero()});
  const RowMatrixX states = state_row(state).transpose().replicate(count, 1);
  const RowMatrixX forces = RowMatrixX::Zero(count, model->joint_count());
  RowMatrixX acceleration = RowMatrixX::Zero(count, model->velocity_size());
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < repetitions; ++i) batch.forward_dynamics(states, forces, acceleration);
  return seconds_since(start) / repetitions;
}

}  // namespace

void bind_measures(py::module_& m) {
  m.def("_forward_dynamics_seconds", &forward_dynamics_seconds, py::arg("model"), py::arg("state"),
        py::arg("loads"), py::arg("repetitions"));
  m.def("_batch_seconds", &batch_seconds, py::arg("model"), py::arg("state"), py::arg("count"),
        py::arg("threads"), py::arg("repetitions"));
  m.def("_batch_rows_seconds", &batch_rows_seconds, py::arg("model"), py::arg("state"),
        py::arg("count"), py::arg("threads"), py::arg("repetitions"));
}

}  // namespace spacedyn::python
