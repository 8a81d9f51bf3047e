/// @file
/// Dynamics of many states of one Model at once: vector lanes within a core, threads on top.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/batch/batch_states.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

struct BatchOptions {
  int threads = 1;                    ///< 0: one per core
  Vector3 gravity = Vector3::Zero();  ///< m/s²
};

/// One integration of a batch.
struct BatchRun {
  double start = 0.0;  ///< s, time at which references are evaluated first
  double step = 0.0;   ///< s, positive
  int steps = 1;
  /// Added to the joints' own springs and dampers, which always act; may be empty. Its sample
  /// period must be 0.
  std::shared_ptr<const JointPd> control;
};

/// Forward and inverse dynamics and rk4 integration of many states at once.
///
/// The articulated-body algorithm and recursive Newton–Euler with one state per lane of a vector
/// register; instruction_set() decides which when this object is constructed. A result depends on
/// the state and the instruction set alone: it has the same bits wherever the state stands in a
/// batch, however many there are and however many threads share the work. Between instruction sets,
/// and against forward_dynamics(), results differ by rounding, 20 eps cond(H). External wrenches
/// act on the base only. Where H is not positive definite the result of that state is NaN.
///
/// All memory is allocated when constructed. With one thread, calls neither lock nor allocate.
/// An object serves one caller at a time.
class SPACEDYN_EXPORT BatchDynamics {
 public:
  /// @throws DomainError if threads are negative, gravity is not finite, or the model has geared
  /// rotors, friction, couplings or transmissions
  explicit BatchDynamics(std::shared_ptr<const Model> model, const BatchOptions& options = {});
  ~BatchDynamics();
  BatchDynamics(BatchDynamics&&) noexcept;
  BatchDynamics& operator=(BatchDynamics&&) noexcept;

  const Model& model() const;
  int thread_count() const;
  InstructionSet instruction_set() const;

  /// u̇ of every state from [F_b; τ], as forward_dynamics() has it. O(n) each.
  /// @param forces, acceleration  6 + n components each
  /// @throws DimensionError if sizes or counts differ
  void forward_dynamics(const BatchStates& states, const TiledVectors& forces,
                        TiledVectors& acceleration);

  /// [F_0; N_0; τ] of every state for given u̇, as inverse_dynamics() has it. O(n) each.
  /// @throws DimensionError if sizes or counts differ
  void inverse_dynamics(const BatchStates& states, const TiledVectors& acceleration,
                        TiledVectors& forces);

  /// Moves every state by steps of the classical Runge–Kutta method: the method and the chart of
  /// IntegrationMethod::rk4. [F_b; τ] are held constant. Steps do not land on discontinuities of
  /// the reference. A state becomes NaN if its base turns by more than 1 rad in one step.
  /// @return number of states that are no longer finite
  /// @throws DimensionError if sizes or counts differ; DomainError if the step is not positive, the
  /// steps are negative, or the control is sampled or does not fit the model
  int integrate(BatchStates& states, const TiledVectors& forces, const BatchRun& run);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace spacedyn
