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
  if (!model.followers().empty()) {
    const Follower& first = model.followers().front();
    refuse("joint '" + model.joint(first.joint).name + "', which follows '" +
           model.joint(first.followed).name + "',");
  }
}

AlignedArray rows_of_tile(int count) {
  return aligned_array(static_cast<std::size_t>(count) * static_cast<std::size_t>(kTile));
}

}  // namespace

Engine::Engine(std::shared_ptr<const Model> model, const BatchOptions& options)
    : model_(std::move(model)),
      gravity_(options.gravity),
      constants_(*model_),
      set_(instruction_set()),
      kernels_(SPACEDYN_CHOOSE_KERNELS(batch_kernels, set_)),
      pool_(thread_count(options.threads)) {
  if (!gravity_.allFinite()) throw DomainError("gravity must be finite");
  check_drive_train(*model_);
  const int n = model_->joint_count();
  const auto work = static_cast<std::size_t>(constants_.work_rows() * kernels_.lanes);
  for (int worker = 0; worker < pool_.thread_count(); ++worker) {
    memory_.push_back({aligned_array(work), rows_of_tile(Rk4Rows::count(n)),
                       rows_of_tile(StateRows::count(n)), rows_of_tile(6 + n),
                       rows_of_tile(6 + n)});
  }
}

}  // namespace spacedyn::batch
