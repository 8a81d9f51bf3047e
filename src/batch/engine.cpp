#include "batch/engine.hpp"

#include <cmath>
#include <string>

#include "dynamics/tree/kernel_choice.hpp"
#include "spacedyn/error.hpp"
#include "threads.hpp"

namespace spacedyn::batch {
namespace {

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
  if (model.has_loops()) refuse("loop '" + model.loops()[0].name + "'");
}

AlignedArray rows_of_tile(int count) {
  return aligned_array(static_cast<std::size_t>(count) * static_cast<std::size_t>(kTile));
}

}  // namespace

Engine::Engine(std::shared_ptr<const Model> model, const BatchOptions& options)
    : model_(std::move(model)),
      gravity_(options.gravity),
      set_(instruction_set()),
      kernels_(SPACEDYN_CHOOSE_KERNELS(batch_kernels, set_)),
      state_rows_(BatchStates(*model_, 0).rows().components()),
      pool_(thread_count(options.threads)) {
  if (!gravity_.allFinite()) throw DomainError("gravity must be finite");
  check_drive_train(*model_);
  const bool is_single = SingleStates::are_needed(*model_);
  if (!is_single) constants_.emplace(*model_);
  const int n = model_->joint_count();
  const auto work = is_single ? std::size_t{0}
                              : static_cast<std::size_t>(constants_->work_rows() * kernels_.lanes);
  for (int worker = 0; worker < pool_.thread_count(); ++worker) {
    memory_.push_back({aligned_array(work), rows_of_tile(is_single ? 0 : Rk4Rows::count(n)),
                       rows_of_tile(state_rows_), rows_of_tile(6 + n), rows_of_tile(6 + n),
                       is_single ? std::make_unique<SingleStates>(*model_, gravity_) : nullptr});
  }
}

bool Engine::read_states(const ConstRows& rows, double* state) const {
  if (!kernels_.read_states(rows, model_->joint_count(), state)) return false;
  for (int k = 0; k < kTile; ++k) {
    begin_charts(model_->spherical_joints(), model_->joint_count(), state + k);
  }
  return true;
}

void Engine::forward_dynamics(int worker, const double* state, const double* forces,
                              double* acceleration) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  if (memory.single) return memory.single->forward_dynamics(state, forces, acceleration);
  kernels_.forward_dynamics(constants_->robot(), gravity_.data(), state, forces,
                            memory.workspace.get(), acceleration);
}

void Engine::inverse_dynamics(int worker, const double* state, const double* acceleration,
                              double* forces) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  if (memory.single) return memory.single->inverse_dynamics(state, acceleration, forces);
  kernels_.inverse_dynamics(constants_->robot(), gravity_.data(), state, acceleration,
                            memory.workspace.get(), forces);
}

void Engine::rk4(int worker, const Rk4Task& task, const double* forces, double* state) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  if (memory.single) return memory.single->rk4(task, forces, state);
  kernels_.rk4(constants_->robot(), task, forces, memory.workspace.get(), memory.stages.get(),
               state);
}

}  // namespace spacedyn::batch
