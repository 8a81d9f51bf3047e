/// @file
/// What evaluates tiles: kernels, the robot as they see it, threads with memory of their own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "batch/aligned.hpp"
#include "batch/kernels/kernel_table.hpp"
#include "batch/robot_constants.hpp"
#include "batch/single_states.hpp"
#include "batch/worker_pool.hpp"
#include "spacedyn/batch/batch_dynamics.hpp"

namespace spacedyn::batch {

class Engine {
 public:
  /// Memory of a thread: of kernels, and tiles for states that come as rows.
  struct Memory {
    AlignedArray workspace, stages, state, input, output;
    std::unique_ptr<SingleStates> single;  ///< null where lanes know the robot
  };

  /// @throws DomainError as BatchDynamics
  Engine(std::shared_ptr<const Model> model, const BatchOptions& options);

  const Model& model() const { return *model_; }
  const double* gravity() const { return gravity_.data(); }
  int state_rows() const { return state_rows_; }
  InstructionSet set() const { return set_; }
  const KernelTable& kernels() const { return kernels_; }
  WorkerPool& pool() { return pool_; }
  const Memory& memory(int worker) const { return memory_[static_cast<std::size_t>(worker)]; }

  /// @name One tile, in the memory of a thread
  /// @{
  /// @returns whether every number is finite and every quaternion one, as far as that is cheap
  bool read_states(const ConstRows& rows, double* state) const;
  void forward_dynamics(int worker, const double* state, const double* forces,
                        double* acceleration);
  void inverse_dynamics(int worker, const double* state, const double* acceleration,
                        double* forces);
  void rk4(int worker, const Rk4Task& task, const double* forces, double* state);
  /// @}

 private:
  std::shared_ptr<const Model> model_;
  Vector3 gravity_;
  std::optional<RobotConstants> constants_;  // of robots that lanes know
  InstructionSet set_;
  const KernelTable& kernels_;
  int state_rows_;
  std::vector<Memory> memory_;  // of each thread
  WorkerPool pool_;
};

}  // namespace spacedyn::batch
