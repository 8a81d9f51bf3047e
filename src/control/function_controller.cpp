#include "spacedyn/control/function_controller.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

FunctionController::FunctionController(std::string name, int joint_count, Law law,
                                       double sample_period, Memory memory)
    : Controller(std::move(name)),
      joint_count_(joint_count),
      law_(std::move(law)),
      sample_period_(sample_period),
      memory_(std::move(memory)) {
  if (!law_) throw DomainError("'" + this->name() + "' has no law");
  if (!(sample_period_ >= 0.0) || std::isinf(sample_period_)) {
    throw DomainError(owner_prefix(*this) + "sample_period must be finite and not negative");
  }
  if (memory_.size == 0 && !memory_.update) return;
  if (memory_.size <= 0 || !memory_.update) {
    throw DomainError(owner_prefix(*this) + "memory needs a positive size and an update");
  }
  if (sample_period_ == 0.0)
    throw DomainError(owner_prefix(*this) + "memory needs a sample_period");
  // derivatives are asked for without what it remembers
  law_ = [own = std::move(law_), none = VectorX(VectorX::Zero(memory_.size))](
             const EvaluationContext& now, VectorRef tau) {
    if (now.auxiliary.size() > 0) return own(now, tau);
    own({now.time, now.model, now.state, now.frames, now.velocities, none, now.q_step_start,
         now.acceleration, now.mobility, now.events},
        tau);
  };
}

FunctionController::FunctionController(std::string name, std::vector<int> joints, Law law,
                                       double sample_period, Memory memory)
    : FunctionController(std::move(name), static_cast<int>(joints.size()), std::move(law),
                         sample_period, std::move(memory)) {
  joints_ = std::move(joints);
  if (joints_.empty()) throw DomainError(owner_prefix(*this) + "it drives no joint");
  for (const int joint : joints_) {
    if (std::count(joints_.begin(), joints_.end(), joint) == 1) continue;
    throw DomainError(owner_prefix(*this) + "joint " + std::to_string(joint) +
                      " is controlled twice");
  }
}

void FunctionController::apply(const EvaluationContext&, ConstVectorRef command,
                               Loads& loads) const {
  if (joints_.empty()) loads.tau += command;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    loads.tau(joints_[i] - 1) += command(static_cast<Eigen::Index>(i));
  }
}

void FunctionController::check(const Model& model) const {
  for (const int joint : joints_) check_scalar_joint(*this, joint, model);
  if (!joints_.empty()) return;
  check_same_size(owner_prefix(*this) + "the command", joint_count_, model.joint_count());
}

ExternalController::ExternalController(std::string name, Settings settings)
    : JointController(std::move(name)), settings_(std::move(settings)) {
  if (settings_.joints.empty()) throw DomainError(owner_prefix(*this) + "it drives no joint");
  check_drives();
  check_positive(owner_prefix(*this) + "sample_period", settings_.sample_period);
}

void ExternalController::declare(Declarations& declared) const {
  JointController::declare(declared);
  declared.awaits_commands = true;
}

void ExternalController::command(const EvaluationContext& context, VectorRef command) const {
  command = context.auxiliary.head(command.size());
  limit(context.model, command);
}

}  // namespace spacedyn
