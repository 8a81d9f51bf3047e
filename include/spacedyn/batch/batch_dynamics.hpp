/// @file
/// Dynamics of many states of one Model at once: vector lanes within a core, threads on top.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "spacedyn/batch/batch_states.hpp"
#include "spacedyn/batch/state_rows.hpp"
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
  /// Added to the joints' own springs and dampers, which always act; may be empty. It must have
  /// neither a sample period nor an integral.
  std::shared_ptr<const JointPd> control;
  /// References are evaluated at no later time, s: just before a discontinuity, where a run ends.
  double latest = std::numeric_limits<double>::infinity();
};

/// Flights under given forces, each of which is held for a step.
struct BatchRollout {
  double step = 0.0;  ///< s, positive
  int steps = 1;
  int substeps = 1;  ///< of rk4 in each step
};

/// Where ForwardDynamicsDerivatives of many states go: a row for each, matrices column by
/// column.
struct BatchDerivatives {
  RowsRef acceleration;   ///< u̇, (count, 6 + n)
  RowsRef configuration;  ///< ∂u̇/∂x, (count, (6 + n)²)
  RowsRef velocity;       ///< ∂u̇/∂u, (count, (6 + n)²)
  RowsRef force;          ///< ∂u̇/∂[F_b; τ], (count, (6 + n)²)
};

/// Jacobians of a frame, 6×n.
enum class BatchJacobian {
  of_joints,   ///< J_m of (16), see frame_jacobian()
  generalized  ///< J*, see generalized_jacobian()
};

/// Forward and inverse dynamics, the inertia matrix and its inverse, derivatives and rk4
/// integration of many states at once.
///
/// The articulated-body algorithm and recursive Newton–Euler with one state per lane of a vector
/// register; instruction_set() decides which when this object is constructed. A result depends on
/// the state and the instruction set alone: it has the same bits wherever the state stands in a
/// batch, however many there are and however many threads share the work. Between instruction sets,
/// and against forward_dynamics(), results differ by rounding, 20 eps cond(H). External wrenches
/// act on the base only. Where H is not positive definite the result of that state is NaN.
///
/// Robots with spherical joints or joints that follow others have no lanes: each thread evaluates
/// one of their states after another, with the bits of forward_dynamics(). What a state says of
/// joints that follow is not read; forces on them act on those that they follow, where
/// inverse_dynamics() also puts what they need.
///
/// All memory but that of matrices, which the first call that needs it allocates, is allocated when
/// constructed. With one thread, calls neither lock nor allocate.
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

  /// @name States as rows of state_rows.hpp, (count, 13 + 2n)
  /// The same results in rows that the caller holds; rows become tiles of lanes and tiles rows in
  /// the thread that evaluates them. What is written must not overlap what is read.
  /// @{

  /// u̇ of every state from [F_b; τ] or, with n columns, from τ.
  /// @param states        (count, 13 + 2n)
  /// @param forces        (count, 6 + n) or (count, n)
  /// @param acceleration  out: (count, 6 + n)
  /// @throws DimensionError if sizes or counts differ; DomainError naming the first row that is not
  /// finite or has no attitude, see state_from_row()
  void forward_dynamics(const ConstRowsRef& states, const ConstRowsRef& forces,
                        RowsRef acceleration);

  /// [F_0; N_0; τ] of every state for given u̇, (count, 6 + n) both. @throws as forward_dynamics()
  void inverse_dynamics(const ConstRowsRef& states, const ConstRowsRef& acceleration,
                        RowsRef forces);

  /// H of every state, as composite_rigid_body() has it, exactly symmetric. O(n · depth) each.
  /// @param H  out: (count, (6 + n)²), matrices one column after another
  /// @throws as forward_dynamics(); DimensionError for more links than Topology::kMaxDenseLinks
  void inertia_matrix(const ConstRowsRef& states, RowsRef H);

  /// H⁻¹ of the free coordinates of every state, as inverse_inertia() has it, without forming H and
  /// exactly symmetric; rows and columns of a fixed base are zero. NaN where H is not positive
  /// definite. O(n²) each.
  /// @param H_inverse  out: (count, (6 + n)²), matrices one column after another
  /// @throws as inertia_matrix()
  void inverse_inertia(const ConstRowsRef& states, RowsRef H_inverse);

  /// u̇ and its derivatives, by the kernels of single states, with their bits: one state of a thread
  /// after another, O(n²) each. NaN where H is not positive definite.
  /// @param forces  (count, 6 + n) or (count, n)
  /// @throws as inertia_matrix(); DomainError for models with joints that follow others
  void forward_dynamics_derivatives(const ConstRowsRef& states, const ConstRowsRef& forces,
                                    BatchDerivatives derivatives);

  /// @name A frame in every state
  /// @throws as forward_dynamics() @pre the frame is on a body of the model
  /// @{
  /// @param position     out: (count, 3), m, inertial
  /// @param orientation  out: (count, 9), frame axes to inertial components, column by column
  void frame_poses(const ConstRowsRef& states, const Frame& frame, RowsRef position,
                   RowsRef orientation);
  /// J* is NaN where H_b is singular.
  /// @param J  out: (count, 6 n), rows (linear, angular) of each matrix, column by column
  void frame_jacobians(const ConstRowsRef& states, const Frame& frame, BatchJacobian kind,
                       RowsRef J);
  /// @}

  /// States after each step, the initial ones first, as integrate() computes them. Those that are
  /// lost become NaN.
  /// @param initial   (count, 13 + 2n)
  /// @param controls  [F_b; τ] or τ, step after step: (count, steps (6 + n)) or (count, steps n)
  /// @param states    out: (count, (steps + 1)(13 + 2n)); quaternions have unit length and w ≥ 0
  /// @throws DimensionError as forward_dynamics(); DomainError also if the step is not positive,
  /// the steps are negative or there is no substep
  void rollout(const ConstRowsRef& initial, const ConstRowsRef& controls, const BatchRollout& run,
               RowsRef states);
  /// @}

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace spacedyn
