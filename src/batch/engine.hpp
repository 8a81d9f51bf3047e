/// @file
/// What evaluates tiles: kernels, the robot as they see it, threads with memory of their own.
#pragma once

#include <memory>
#include <vector>

#include "batch/aligned.hpp"
#include "batch/kernels/kernel_table.hpp"
#include "batch/robot_constants.hpp"
#include "batch/worker_pool.hpp"
#include "spacedyn/batch/batch_dynamics.hpp"

namespace spacedyn::batch {

class Engine {
 public:
  /// Memory of a thread: of kernels, and tiles for states that come as rows.
  struct Memory {
    AlignedArray workspace, stages, state, input, output;
  };

  /// @throws DomainError as BatchDynamics
  Engine(std::shared_ptr<const Model> model, const BatchOptions& options);

  const Model& model() const { return *model_; }
  Robot robot() const { return constants_.robot(); }
  const double* gravity() const { return gravity_.data(); }
  InstructionSet set() const { return set_; }
  const KernelTable& kernels() const { return kernels_; }
  WorkerPool& pool() { return pool_; }
  const Memory& memory(int worker) const { return memory_[static_cast<std::size_t>(worker)]; }

 private:
  std::shared_ptr<const Model> model_;
  Vector3 gravity_;
  RobotConstants constants_;
  InstructionSet set_;
  const KernelTable& kernels_;
  std::vector<Memory> memory_;  // of each thread
  WorkerPool pool_;
};

}  // namespace spacedyn::batch
