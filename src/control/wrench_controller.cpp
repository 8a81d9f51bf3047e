#include "spacedyn/control/wrench_controller.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
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
