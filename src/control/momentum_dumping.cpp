#include "spacedyn/control/momentum_dumping.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

void check_dumped_wheels(const std::string& owner, const Model& model,
                         const std::vector<int>& joints) {
  if (joints.empty()) throw DomainError(owner + "it has no wheels");
  for (const int joint : joints) {
    if (joint < 1 || joint > model.joint_count() || model.wheel(joint) == nullptr) {
      throw DomainError(owner + "joint " + std::to_string(joint) + " has no reaction wheel");
    }
    if (std::count(joints.begin(), joints.end(), joint) > 1) {
      throw DomainError(owner + '\'' + model.joint(joint).name + "' is named twice");
    }
  }
}

}  // namespace

MomentumDumping::MomentumDumping(std::string name, const Model& model, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  if (!settings_.thrusters.empty() && !settings_.torquers.empty()) {
    throw DomainError(owner_prefix(*this) + "it has thrusters and torquers");
  }
  if (settings_.torquers.empty()) {
    auto nozzles = std::make_unique<ThrusterAllocation>(owner_prefix(*this), settings_.thrusters,
                                                        settings_.modulation);
    nozzles->connect(model);
    nozzles_ = std::move(nozzles);
  } else {
    torquers_ = std::make_unique<TorquerAllocation>(owner_prefix(*this), settings_.torquers);
  }
  if (!std::isfinite(settings_.gain) || settings_.gain <= 0.0) {
    throw DomainError(owner_prefix(*this) + "the gain must be finite and positive");
  }
  check_dumped_wheels(owner_prefix(*this), model, settings_.wheels);
}

void MomentumDumping::check(const Model& model) const {
  check_dumped_wheels(owner_prefix(*this), model, settings_.wheels);
}

void MomentumDumping::command(const EvaluationContext& context, VectorRef command) const {
  Vector3 momentum = Vector3::Zero();
  for (const int joint : settings_.wheels) {
    momentum += context.model.wheel(joint)->spin_inertia * context.state.qd(joint - 1) *
                context.frames.k[static_cast<std::size_t>(joint)];
  }
  const Vector3 torque = -settings_.gain * momentum;
  if (torquers_) return torquers_->allocate(context, torque, command);
  nozzles_->allocate(context, torque, command);
}

void MomentumDumping::apply(const EvaluationContext& context, ConstVectorRef command,
                            Loads& loads) const {
  if (torquers_) return torquers_->apply(context, command, loads);
  nozzles_->apply(context, command, loads);
}

void MomentumDumping::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  if (!nozzles_) return;
  command(context, zd);
  nozzles_->flow(zd, zd);
}

}  // namespace spacedyn
