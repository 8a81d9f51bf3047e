#include "bench/batch_bench.hpp"

#include <algorithm>
#include <memory>

#include <benchmark/benchmark.h>

#include "bench/contender.hpp"
#include "spacedyn/batch/batch_dynamics.hpp"
#include "spacedyn/dynamics/derivatives.hpp"

namespace spacedyn::bench {
namespace {

/// A batch of the states of a workload, over and over.
struct Batch {
  Batch(const Workload& work, int threads)
      // a few hundred kilobytes of states whatever the robot
      : count(std::max(8 * threads, 8192 / work.model.velocity_size() / 16 * 16)),
        dynamics(std::make_shared<const Model>(work.model), {threads, Vector3::Zero()}),
        start(work.model, count),
        states(start),
        forces(work.model.velocity_size(), count),
        acceleration(forces) {
    for (int k = 0; k < count; ++k) {
      const auto index = static_cast<std::size_t>(k % work.state_count());
      start.set(k, work.states[index]);
      VectorX force = VectorX::Zero(work.model.velocity_size());
      force.tail(work.model.joint_count()) = work.tau[index];
      forces.set(k, force);
      acceleration.set(k, work.acceleration[index]);
    }
    states = start;
  }

  int count;
  BatchDynamics dynamics;
  BatchStates start, states;
  TiledVectors forces, acceleration;
};

void evaluate(Batch& batch, BatchQuantity quantity) {
  switch (quantity) {
    case BatchQuantity::forward_dynamics:
      return batch.dynamics.forward_dynamics(batch.states, batch.forces, batch.acceleration);
    case BatchQuantity::inverse_dynamics:
      return batch.dynamics.inverse_dynamics(batch.states, batch.acceleration, batch.forces);
    case BatchQuantity::rk4_steps:
      batch.states = batch.start;
      batch.dynamics.integrate(batch.states, batch.forces, {0.0, kRk4Step, kRk4Steps, nullptr});
  }
}

const char* name_of(BatchQuantity quantity) {
  switch (quantity) {
    case BatchQuantity::forward_dynamics:
      return "forward_dynamics";
    case BatchQuantity::inverse_dynamics:
      return "inverse_dynamics";
    case BatchQuantity::rk4_steps:
      break;
  }
  return "rk4_steps";
}

}  // namespace

void add_batches(const Workload& work, const std::vector<BatchQuantity>& quantities,
                 const std::vector<int>& threads) {
  for (const BatchQuantity quantity : quantities) {
    for (const int number : threads) {
      const std::string name =
          work.name + "/batch_" + name_of(quantity) + "/" + std::to_string(number);
      const auto batch = std::make_shared<Batch>(work, number);
      benchmark::RegisterBenchmark(name.c_str(),
                                   [batch, quantity](benchmark::State& state) {
                                     for (auto _ : state) evaluate(*batch, quantity);
                                     const int steps =
                                         quantity == BatchQuantity::rk4_steps ? kRk4Steps : 1;
                                     state.counters["items"] = batch->count * steps;
                                   })
          ->MeasureProcessCPUTime()
          ->UseRealTime();
    }
  }
}

void add_matrices(const Workload& work) {
  const Model& model = work.model;
  const int size = model.velocity_size();
  const auto register_one = [&](const std::string& name, int items, auto evaluate) {
    benchmark::RegisterBenchmark(name.c_str(), [evaluate, items](benchmark::State& state) mutable {
      for (auto _ : state) evaluate();
      state.counters["items"] = items;
    });
  };
  const int count = work.state_count();
  RowMatrixX rows(count, state_row_size(model));
  for (int k = 0; k < count; ++k) {
    rows.row(k) = state_row(work.states[static_cast<std::size_t>(k)]).transpose();
  }
  const auto dynamics = std::make_shared<BatchDynamics>(std::make_shared<const Model>(model));
  const auto inverses = std::make_shared<RowMatrixX>(count, size * size);
  register_one(work.name + "/batch_inverse_inertia/1", count,
               [=] { dynamics->inverse_inertia(rows, *inverses); });
  const auto matrices = std::make_shared<RowMatrixX>(count, size * size);
  register_one(work.name + "/batch_inertia_matrix/1", count,
               [=] { dynamics->inertia_matrix(rows, *matrices); });
  const auto J = std::make_shared<RowMatrixX>(count, 6 * model.joint_count());
  register_one(work.name + "/batch_generalized_jacobian/1", count, [=, &work] {
    dynamics->frame_jacobians(rows, work.tool, BatchJacobian::generalized, *J);
  });
  register_one(work.name + "/batch_frame_jacobian/1", count, [=, &work] {
    dynamics->frame_jacobians(rows, work.tool, BatchJacobian::of_joints, *J);
  });
  const auto workspace = std::make_shared<DerivativesWorkspace>(model);
  const auto inverse = std::make_shared<MatrixX>(size, size);
  register_one(work.name + "/inverse_inertia/spacedyn", 1,
               [=, &work, mobility = Mobility(model), k = std::size_t{0}]() mutable {
                 k = (k + 1) % work.states.size();
                 static_cast<void>(inverse_inertia(work.states[k], mobility, *workspace, *inverse));
               });
}

}  // namespace spacedyn::bench
