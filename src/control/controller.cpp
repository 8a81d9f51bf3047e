#include "spacedyn/control/controller.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_controller.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/control/wrench_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

void Controller::declare(Declarations& declared) const {
  if (valves() == nullptr) return;
  for (const Thruster& thruster : valves()->thrusters()) {
    declared.tanks.push_back(thruster.drive.tank);
  }
}

void Controller::append_discontinuities(std::vector<double>& times) const {
  if (sample_period() == 0.0) Element::append_discontinuities(times);
}

void Controller::append_event_discontinuities(const EventTimes& events,
                                              std::vector<double>& times) const {
  if (sample_period() == 0.0) Element::append_event_discontinuities(events, times);
}

bool Controller::differentiate(const EvaluationContext&, ConstVectorRef, CommandMode,
                               LoadDerivatives&) const {
  return false;
}

void Controller::state_rate(const EvaluationContext& context, ConstVectorRef, VectorRef zd) const {
  auxiliary_rate(context, zd);
}

void Controller::advance(const EvaluationContext&, VectorRef) const {}

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

void JointController::check_size(const char* what, Eigen::Index size) const {
  check_same_size(owner_prefix(*this) + what, size, command_size());
}

void JointController::check_gain(const char* what, const VectorX& gain) const {
  check_size(what, gain.size());
  check_finite(owner_prefix(*this) + what, gain);
  if (gain.size() == 0 || gain.minCoeff() >= 0.0) return;
  throw DomainError(owner_prefix(*this) + what + " must not be negative");
}

void JointController::check_limit(const char* what, const VectorX& limit) const {
  check_size(what, limit.size());
  for (Eigen::Index i = 0; i < limit.size(); ++i) {
    if (limit(i) > 0.0) continue;
    throw DomainError(owner_prefix(*this) + what + " " + std::to_string(i + 1) +
                      " must be positive");
  }
}

void JointController::check_tracking() const {
  const JointTracking& own = tracking();
  if (!own.reference) throw DomainError("'" + name() + "' has no reference");
  check_gain("stiffness", own.stiffness);
  check_gain("damping", own.damping);
  check_size("the reference", own.reference->size());
  check_drives();
}

void JointController::check_drives() const {
  const JointTracking& own = tracking();
  if (own.effort_limit.size() > 0) check_limit("effort_limit", own.effort_limit);
  for (const int joint : own.joints) {
    if (std::count(own.joints.begin(), own.joints.end(), joint) == 1) continue;
    throw DomainError(owner_prefix(*this) + "joint " + std::to_string(joint) +
                      " is controlled twice");
  }
  if (own.sample_period >= 0.0 && std::isfinite(own.sample_period)) return;
  throw DomainError(owner_prefix(*this) + "sample_period must be finite and not negative");
}

void JointController::check(const Model& model) const {
  for (const int joint : tracking().joints) check_own_joint(*this, joint, model);
}

double JointController::effort_limit(const Model& model, Eigen::Index i) const {
  const JointTracking& own = tracking();
  if (own.effort_limit.size() > 0) return own.effort_limit(i);
  return model.joint(own.joints[static_cast<std::size_t>(i)]).effort_limit;
}

void JointController::limit(const Model& model, VectorRef command) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const double most = effort_limit(model, i);
    command(i) = std::clamp(command(i), -most, most);
  }
}

void JointController::apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    loads.tau(tracking().joints[static_cast<std::size_t>(i)] - 1) += command(i);
  }
}

namespace {

bool is_gain_value(double value) { return std::isfinite(value) && value >= 0.0; }

void check_axis_gain(const std::string& owner, const char* name, const Vector3& gain) {
  if (gain.allFinite() && gain.minCoeff() >= 0.0) return;
  throw DomainError(owner + name + " must be finite and not negative");
}

}  // namespace

void AxisGains::check(const std::string& owner) const {
  check_axis_gain(owner, "stiffness", stiffness);
  check_axis_gain(owner, "damping", damping);
  if (stiffness.isZero(0.0) && damping.isZero(0.0)) {
    throw DomainError(owner + "it has no gain that is not zero");
  }
  if (is_gain_value(dead_band)) return;
  throw DomainError(owner + "dead_band must be finite and not negative");
}

Vector3 AxisGains::feedback(const Vector3& error, const Vector3& rate) const {
  Vector3 counted = error;
  if (dead_band > 0.0) counted -= Vector3(error.cwiseMax(-dead_band).cwiseMin(dead_band));
  return stiffness.cwiseProduct(counted) + damping.cwiseProduct(rate);
}

WrenchController::WrenchController(std::string name, std::shared_ptr<const Allocation> allocation,
                                   double sample_period)
    : Controller(std::move(name)),
      allocation_(std::move(allocation)),
      sample_period_(sample_period) {
  const std::string owner = owner_prefix(*this);
  if (!allocation_) throw DomainError(owner + "it has no actuators");
  if (!is_gain_value(sample_period)) {
    throw DomainError(owner + "sample_period must be finite and not negative");
  }
  if (valves() != nullptr && valves()->modulation().acts()) {
    sample_period_ = valves()->modulation().period;
  }
}

int WrenchController::auxiliary_size() const { return valves() == nullptr ? 0 : valves()->size(); }

void WrenchController::state_rate(const EvaluationContext&, ConstVectorRef command,
                                  VectorRef zd) const {
  valves()->flow(command, zd);
}

void WrenchController::check(const Model& model) const {
  allocation_->check(owner_prefix(*this), model);
}

void WrenchController::command(const EvaluationContext& context, VectorRef command) const {
  allocation_->allocate(context, demand(context), command);
}

void WrenchController::apply(const EvaluationContext& context, ConstVectorRef command,
                             Loads& loads) const {
  allocation_->apply(context, command, loads);
}

void WrenchController::declare(Declarations& declared) const {
  Controller::declare(declared);
  allocation_->append_outputs(name(), declared.actuators);
}

}  // namespace spacedyn
