/// @file
/// What evaluates tiles: kernels, the robot as they see it, threads with memory of their own.
#pragma once

#include <oneapi/tbb/task_arena.h>

#include <oneapi/tbb/partitioner.h>

#include <oneapi/tbb/parallel_for.h>

#include <oneapi/tbb/blocked_range.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "batch/aligned.hpp"
#include "batch/kernels/kernel_table.hpp"
#include "batch/kernels/robot.hpp"
#include "batch/single_states.hpp"
#include "spacedyn/batch/batch_dynamics.hpp"
#include "spacedyn/model/model.hpp"
#include "threads.hpp"

namespace spacedyn::batch {

/// A frame of the kernels in a link frame of the Model: turned about z, then moved along it.
struct Placement {
  double angle = 0.0, slide = 0.0;

  Vector3 point(const Vector3& in_link) const;
};

/// Links depth first, frames placed as Link describes. Immutable; threads may share it.
class RobotConstants {
 public:
  explicit RobotConstants(const Model& model);

  Robot robot() const {
    return {static_cast<int>(links_.size()) - 1, branches_, fixed_base_, links_.data()};
  }
  FramePoint point(const Frame& frame, BatchJacobian kind) const;
  /// Rows of workspace that a block of lanes needs.
  int work_rows() const {
    return static_cast<int>(links_.size()) * WorkRows::count + branches_ * BranchRows::count;
  }

 private:
  std::vector<Link> links_;
  std::vector<int> entry_;  // of each body
  std::vector<Placement> placements_;
  Vector3 base_center_;
  int branches_ = 0;
  bool fixed_base_;
};

/// Runs a function for each index of a range; the calling thread takes part.
///
/// A thread begins with the indices that it had in the last run, so that what it has in its cache
/// is there again; then it helps the others.
class WorkerPool {
 public:
  explicit WorkerPool(int threads) : arena_(threads) { allow_threads(); }

  int thread_count() const { return arena_.max_concurrency(); }

  /// Returns when all indices 0 … count − 1 are done, each by one thread.
  /// @param function  of (worker, index); must not throw; the worker, 0 … thread_count() − 1, says
  ///                  which thread it is, for memory of its own
  template <typename Function>
  void run(int count, const Function& function) {
    if (thread_count() == 1) {
      for (int index = 0; index < count; ++index) function(0, index);
      return;
    }
    // small enough to end together, large enough not to be noticed
    const int portion = std::max(1, count / (16 * thread_count()));
    begins_.give();
    arena_.execute([&] {
      const auto run_portion = [&](const oneapi::tbb::blocked_range<int>& indices) {
        begins_.take();
        const int worker = oneapi::tbb::this_task_arena::current_thread_index();
        for (int i = indices.begin(); i < indices.end(); ++i) function(worker, i);
        ends_.give();
      };
      oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<int>(0, count, portion), run_portion,
                                last_portions_);
    });
    ends_.take();
  }

 private:
  oneapi::tbb::task_arena arena_;
  oneapi::tbb::affinity_partitioner last_portions_;
  Handover begins_, ends_;
};

class Engine {
 public:
  /// Memory of a thread: of kernels, and tiles for states that come as rows.
  struct Memory {
    AlignedArray workspace, stages, state, input, output;
    /// Where they were asked for: bodies for all of them; H, H⁻¹, J or a pose of a tile.
    AlignedArray bodies, matrix, inverse, frame;
    std::unique_ptr<SingleStates> single;  ///< where lanes do not know the robot, or what was asked
  };

  /// @throws DomainError as BatchDynamics
  Engine(std::shared_ptr<const Model> model, const BatchOptions& options);

  const Model& model() const { return *model_; }
  const double* gravity() const { return gravity_.data(); }
  int state_rows() const { return state_rows_; }
  InstructionSet set() const { return set_; }
  /// Whether the kernels know all joints of the robot.
  bool has_lanes() const { return constants_.has_value(); }
  /// @pre has_lanes()
  const RobotConstants& constants() const { return *constants_; }
  const KernelTable& kernels() const { return kernels_; }
  WorkerPool& pool() { return pool_; }
  const Memory& memory(int worker) const { return memory_[static_cast<std::size_t>(worker)]; }

  /// @name Memory of all threads that few callers need; allocates when called first
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks
  /// @{
  void prepare_matrices();
  void prepare_inverses();
  void prepare_frames();
  void prepare_singles();
  void prepare_derivatives();
  /// @}

  /// @name One tile, in the memory of a thread
  /// @{
  /// @returns whether every number is finite and every quaternion one, as far as that is cheap
  bool read_states(const ConstRows& rows, double* state) const;
  void forward_dynamics(int worker, const double* state, const double* forces,
                        double* acceleration);
  void inverse_dynamics(int worker, const double* state, const double* acceleration,
                        double* forces);
  void rk4(int worker, const Rk4Task& task, const double* forces, double* state);
  /// H or H⁻¹ in the memory of the thread, (6 + n)² rows. After prepare_matrices() or
  /// prepare_inverses().
  const double* inertia_matrix(int worker, const double* state);
  const double* inverse_inertia(int worker, const double* state);
  /// J, 6 n rows, or a pose, 12 rows. After prepare_frames(). @pre has_lanes()
  const double* frame_jacobian(int worker, const FramePoint& point, const double* state);
  const double* frame_pose(int worker, const FramePoint& point, const double* state);
  /// @}

 private:
  void prepare_bodies();

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
