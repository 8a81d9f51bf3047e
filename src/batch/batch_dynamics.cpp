#include "spacedyn/batch/batch_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "batch/pd_references.hpp"
#include "batch/row_dynamics.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Steps between two meetings of the threads: references are tabulated for so many.
constexpr int kStepsAtOnce = 64;

void check_vectors(const char* what, const TiledVectors& vectors, const BatchStates& states) {
  const int components = 6 + states.joint_count();
  if (vectors.components() == components && vectors.count() == states.count()) return;
  throw DimensionError(std::string(what) + " must be " + std::to_string(states.count()) +
                       " vectors of " + std::to_string(components) + " components, got " +
                       std::to_string(vectors.count()) + " of " +
                       std::to_string(vectors.components()));
}

void check_run(const BatchRun& run) {
  if (!(run.step > 0.0) || std::isinf(run.step) || !std::isfinite(run.start)) {
    throw DomainError("the step of a batch must be positive and its start finite");
  }
  if (run.steps < 0) {
    throw DomainError("steps must not be negative, got " + std::to_string(run.steps));
  }
}

}  // namespace

class BatchDynamics::Implementation {
 public:
  Implementation(std::shared_ptr<const Model> model, const BatchOptions& options)
      : engine_(std::move(model), options), references_(engine_.model(), kStepsAtOnce) {}

  batch::Engine& engine() { return engine_; }

  void forward(const BatchStates& states, const TiledVectors& forces, TiledVectors& acceleration) {
    check(states);
    check_vectors("forces", forces, states);
    check_vectors("acceleration", acceleration, states);
    engine_.pool().run(states.rows().tile_count(), [&](int worker, int t) {
      engine_.forward_dynamics(worker, states.rows().tile(t), forces.tile(t), acceleration.tile(t));
    });
  }

  void inverse(const BatchStates& states, const TiledVectors& acceleration, TiledVectors& forces) {
    check(states);
    check_vectors("acceleration", acceleration, states);
    check_vectors("forces", forces, states);
    engine_.pool().run(states.rows().tile_count(), [&](int worker, int t) {
      engine_.inverse_dynamics(worker, states.rows().tile(t), acceleration.tile(t), forces.tile(t));
    });
  }

  int integrate(BatchStates& states, const TiledVectors& forces, const BatchRun& run) {
    check(states);
    check_vectors("forces", forces, states);
    check_run(run);
    references_.use(run.control.get());
    for (int done = 0; done < run.steps; done += kStepsAtOnce) {
      const int steps = std::min(kStepsAtOnce, run.steps - done);
      references_.fill(run.start + done * run.step, run.step, steps, run.latest);
      const batch::Rk4Task task{engine_.gravity(), run.step, steps, references_.task()};
      engine_.pool().run(states.rows().tile_count(), [&](int worker, int t) {
        engine_.rk4(worker, task, forces.tile(t), states.rows().tile(t));
      });
    }
    int lost = 0;
    for (int k = 0; k < states.count(); ++k) lost += states.is_finite(k) ? 0 : 1;
    return lost;
  }

 private:
  void check(const BatchStates& states) const {
    const Model& model = engine_.model();
    if (states.joint_count() != model.joint_count()) {
      throw DimensionError("the states have " + std::to_string(states.joint_count()) +
                           " joints, the model '" + model.name() + "' has " +
                           std::to_string(model.joint_count()));
    }
    if (states.rows().components() == engine_.state_rows()) return;
    throw DimensionError("the states are of another model than '" + model.name() +
                         "', with other spherical joints");
  }

  batch::Engine engine_;
  batch::PdReferences references_;
};

BatchDynamics::BatchDynamics(std::shared_ptr<const Model> model, const BatchOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(model), options)) {}
BatchDynamics::~BatchDynamics() = default;
BatchDynamics::BatchDynamics(BatchDynamics&&) noexcept = default;
BatchDynamics& BatchDynamics::operator=(BatchDynamics&&) noexcept = default;

const Model& BatchDynamics::model() const { return implementation_->engine().model(); }
int BatchDynamics::thread_count() const { return implementation_->engine().pool().thread_count(); }
InstructionSet BatchDynamics::instruction_set() const { return implementation_->engine().set(); }

void BatchDynamics::forward_dynamics(const BatchStates& states, const TiledVectors& forces,
                                     TiledVectors& acceleration) {
  implementation_->forward(states, forces, acceleration);
}
void BatchDynamics::inverse_dynamics(const BatchStates& states, const TiledVectors& acceleration,
                                     TiledVectors& forces) {
  implementation_->inverse(states, acceleration, forces);
}
int BatchDynamics::integrate(BatchStates& states, const TiledVectors& forces, const BatchRun& run) {
  return implementation_->integrate(states, forces, run);
}

void BatchDynamics::forward_dynamics(const ConstRowsRef& states, const ConstRowsRef& forces,
                                     RowsRef acceleration) {
  batch::forward_dynamics(implementation_->engine(), states, forces, acceleration);
}
void BatchDynamics::inverse_dynamics(const ConstRowsRef& states, const ConstRowsRef& acceleration,
                                     RowsRef forces) {
  batch::inverse_dynamics(implementation_->engine(), states, acceleration, forces);
}
void BatchDynamics::inertia_matrix(const ConstRowsRef& states, RowsRef H) {
  batch::inertia_matrix(implementation_->engine(), states, H);
}
void BatchDynamics::inverse_inertia(const ConstRowsRef& states, RowsRef H_inverse) {
  batch::inverse_inertia(implementation_->engine(), states, H_inverse);
}
void BatchDynamics::forward_dynamics_derivatives(const ConstRowsRef& states,
                                                 const ConstRowsRef& forces,
                                                 BatchDerivatives derivatives) {
  batch::forward_dynamics_derivatives(implementation_->engine(), states, forces, derivatives);
}
void BatchDynamics::frame_poses(const ConstRowsRef& states, const Frame& frame, RowsRef position,
                                RowsRef orientation) {
  batch::frame_poses(implementation_->engine(), states, frame, position, orientation);
}
void BatchDynamics::frame_jacobians(const ConstRowsRef& states, const Frame& frame,
                                    BatchJacobian kind, RowsRef J) {
  batch::frame_jacobians(implementation_->engine(), states, frame, kind, J);
}
void BatchDynamics::rollout(const ConstRowsRef& initial, const ConstRowsRef& controls,
                            const BatchRollout& run, RowsRef states) {
  batch::rollout(implementation_->engine(), initial, controls, run, states);
}

}  // namespace spacedyn
