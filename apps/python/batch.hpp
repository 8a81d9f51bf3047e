/// @file
/// Many states at once as rows of numpy arrays, on all cores.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "spacedyn/batch/batch_dynamics.hpp"

namespace spacedyn::python {

/// A state as a row: r_0 (3), quaternion w first (4), q (n), v_0 (3), ω_0 (3), q̇ (n).
int row_size(const Model& model);
void write_row(const State& state, double* row);
/// @throws DomainError if the quaternion is zero or a number is not finite
void read_row(const double* row, State& state);

/// Rows in, rows out. Each thread takes a range of states through vector lanes of its own, a few
/// hundred at a time, so that what is converted is still in the cache when it is used.
class Batch {
 public:
  /// @throws DomainError as BatchDynamics
  Batch(std::shared_ptr<const Model> model, int threads, const Vector3& gravity);
  ~Batch();
  const Model& model() const { return *model_; }
  int threads() const { return static_cast<int>(workers_.size()); }

  /// @param input     [F_b; τ] or u̇ of each state, or τ alone, where width is n
  /// @param output    6 + n for each state
  void forward_dynamics(long count, const double* states, const double* input, int width,
                        double* output);
  void inverse_dynamics(long count, const double* states, const double* acceleration,
                        double* output);
  /// States after each of some steps, the initial ones first: count × (steps + 1) rows.
  void rollout(long count, const double* initial, const double* controls, int width, long steps,
               double step, int substeps, double* output);

 private:
  class Worker;
  template <typename Function>
  void divide(long count, const Function& function);

  std::shared_ptr<const Model> model_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex mutex_;  // two Python threads may hold one object
};

}  // namespace spacedyn::python
