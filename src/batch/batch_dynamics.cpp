#include "spacedyn/batch/batch_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "batch/aligned.hpp"
#include "batch/kernels/kernel_table.hpp"
#include "batch/pd_references.hpp"
#include "batch/robot_constants.hpp"
#include "batch/worker_pool.hpp"
#include "dynamics/tree/kernel_choice.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Steps between two meetings of the threads: references are tabulated for so many.
constexpr int kStepsAtOnce = 64;

int thread_count(int wanted) {
  if (wanted < 0) throw DomainError("threads must not be negative, got " + std::to_string(wanted));
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

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

/// The lanes know joint springs and dampers, no other part of a drive train.
void check_drive_train(const Model& model) {
  const auto refuse = [&](const std::string& what) {
    throw DomainError("batches cannot take model '" + model.name() + "': " + what +
                      " is not supported in them");
  };
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.armature != 0.0) refuse("the geared rotor of joint '" + joint.name + "'");
    if (joint.friction.is_present()) refuse("the friction of joint '" + joint.name + "'");
    const WheelDrive* wheel = model.wheel(i);
    if (wheel == nullptr) continue;
    const bool is_limited =
        std::isfinite(wheel->torque_limit) || std::isfinite(wheel->momentum_limit);
    if (is_limited || wheel->viscous + wheel->coulomb > 0.0) {
      refuse("the limits and the friction of reaction wheel '" + joint.name + "'");
    }
  }
  if (!model.couplings().empty()) refuse("coupling '" + model.couplings()[0].name + "'");
  if (!model.transmissions().empty())
    refuse("transmission '" + model.transmissions()[0].name + "'");
  if (!model.loops().empty()) refuse("loop '" + model.loops()[0].name + "'");
}

}  // namespace

class BatchDynamics::Implementation {
 public:
  Implementation(std::shared_ptr<const Model> model, const BatchOptions& options)
      : model_(std::move(model)),
        gravity_(options.gravity),
        constants_(*model_),
        set_(spacedyn::instruction_set()),
        kernels_(SPACEDYN_CHOOSE_KERNELS(batch_kernels, set_)),
        references_(*model_, kStepsAtOnce),
        pool_(spacedyn::thread_count(options.threads)) {
    if (!gravity_.allFinite()) throw DomainError("gravity must be finite");
    check_drive_train(*model_);
    const auto work = static_cast<std::size_t>(constants_.work_rows() * kernels_.lanes);
    const auto rows =
        static_cast<std::size_t>(batch::Rk4Rows::count(model_->joint_count()) * batch::kTile);
    for (int worker = 0; worker < pool_.thread_count(); ++worker) {
      memory_.push_back({batch::aligned_array(work), batch::aligned_array(rows)});
    }
  }

  const Model& model() const { return *model_; }
  int thread_count() const { return pool_.thread_count(); }
  InstructionSet set() const { return set_; }

  void forward(const BatchStates& states, const TiledVectors& forces, TiledVectors& acceleration) {
    check(states);
    check_vectors("forces", forces, states);
    check_vectors("acceleration", acceleration, states);
    pool_.run(states.rows().tile_count(), [&](int worker, int t) {
      kernels_.forward_dynamics(constants_.robot(), gravity_.data(), states.rows().tile(t),
                                forces.tile(t), work(worker), acceleration.tile(t));
    });
  }

  void inverse(const BatchStates& states, const TiledVectors& acceleration, TiledVectors& forces) {
    check(states);
    check_vectors("acceleration", acceleration, states);
    check_vectors("forces", forces, states);
    pool_.run(states.rows().tile_count(), [&](int worker, int t) {
      kernels_.inverse_dynamics(constants_.robot(), gravity_.data(), states.rows().tile(t),
                                acceleration.tile(t), work(worker), forces.tile(t));
    });
  }

  int integrate(BatchStates& states, const TiledVectors& forces, const BatchRun& run) {
    check(states);
    check_vectors("forces", forces, states);
    check_run(run);
    references_.use(run.control.get());
    for (int done = 0; done < run.steps; done += kStepsAtOnce) {
      const int steps = std::min(kStepsAtOnce, run.steps - done);
      references_.fill(run.start + done * run.step, run.step, steps);
      const batch::Rk4Task task{gravity_.data(), run.step, steps, references_.task()};
      pool_.run(states.rows().tile_count(), [&](int worker, int t) {
        kernels_.rk4(constants_.robot(), task, forces.tile(t), work(worker),
                     memory_[static_cast<std::size_t>(worker)].rows.get(), states.rows().tile(t));
      });
    }
    int lost = 0;
    for (int k = 0; k < states.count(); ++k) lost += states.is_finite(k) ? 0 : 1;
    return lost;
  }

 private:
  struct Memory {
    batch::AlignedArray workspace, rows;
  };

  double* work(int worker) { return memory_[static_cast<std::size_t>(worker)].workspace.get(); }
  void check(const BatchStates& states) const {
    if (states.joint_count() == model_->joint_count()) return;
    throw DimensionError("the states have " + std::to_string(states.joint_count()) +
                         " joints, the model '" + model_->name() + "' has " +
                         std::to_string(model_->joint_count()));
  }

  std::shared_ptr<const Model> model_;
  Vector3 gravity_;
  batch::RobotConstants constants_;
  InstructionSet set_;
  const batch::KernelTable& kernels_;
  batch::PdReferences references_;
  std::vector<Memory> memory_;  // of each thread
  batch::WorkerPool pool_;
};

BatchDynamics::BatchDynamics(std::shared_ptr<const Model> model, const BatchOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(model), options)) {}
BatchDynamics::~BatchDynamics() = default;
BatchDynamics::BatchDynamics(BatchDynamics&&) noexcept = default;
BatchDynamics& BatchDynamics::operator=(BatchDynamics&&) noexcept = default;

const Model& BatchDynamics::model() const { return implementation_->model(); }
int BatchDynamics::thread_count() const { return implementation_->thread_count(); }
InstructionSet BatchDynamics::instruction_set() const { return implementation_->set(); }

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

}  // namespace spacedyn
