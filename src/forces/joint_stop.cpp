#include "spacedyn/forces/joint_stop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forces/element_checks.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {

/// How far a joint is beyond a limit, how fast it goes on, and what pushes it back.
struct JointStop::Contact {
  double depth = 0.0, rate = 0.0, force = 0.0;
  double direction = 0.0;  // of the force
  bool is_damped = true;
};

JointStop::JointStop(std::string name, const Settings& settings)
    : ForceElement(std::move(name)), settings_(settings) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("joint stop '" + this->name() + "': " + what);
  };
  require(settings.lower < settings.upper, "the lower limit must lie below the upper one");
  require(settings.stiffness > 0.0 && std::isfinite(settings.stiffness),
          "the stiffness must be positive and finite");
  require(settings.damping >= 0.0 && std::isfinite(settings.damping),
          "the damping must be finite and not negative");
}

void JointStop::check(const Model& model) const {
  check_scalar_joint(*this, settings_.joint, model);
}

void JointStop::declare(Declarations& declared) const {
  declared.stop = {settings_.joint, settings_.lower, settings_.upper};
}

JointStop::Contact JointStop::contact(const EvaluationContext& context) const {
  const double q = context.state.q(settings_.joint - 1);
  const double qd = context.state.qd(settings_.joint - 1);
  Contact contact;
  if (q >= settings_.upper) {  // a step may begin on the limit itself
    contact = {q - settings_.upper, qd, 0.0, -1.0};
  } else if (q < settings_.lower) {
    contact = {settings_.lower - q, -qd, 0.0, 1.0};
  } else {
    return contact;
  }
  if (context.q_step_start != nullptr) {
    // a step that ends on the upper limit has reached it, one that ends on the lower one has not
    const double start = (*context.q_step_start)(settings_.joint - 1);
    contact.is_damped = start >= settings_.upper || start < settings_.lower;
  }
  const double damping = contact.is_damped ? settings_.damping : 0.0;
  const double force = settings_.stiffness * contact.depth + damping * contact.rate;
  contact.force = force < 0.0 ? 0.0 : force;  // lets NaN through
  return contact;
}

void JointStop::apply(const EvaluationContext& context, Loads& loads) const {
  const Contact now = contact(context);
  loads.tau(settings_.joint - 1) += now.direction * now.force;
}

bool JointStop::differentiate(const EvaluationContext& context,
                              LoadDerivatives& derivatives) const {
  const Contact now = contact(context);
  if (now.force == 0.0) return true;
  const Eigen::Index i = LoadDerivatives::joint(settings_.joint);
  derivatives.force_configuration(i, i) -= settings_.stiffness;
  if (now.is_damped) derivatives.force_velocity(i, i) -= settings_.damping;
  return true;
}

double JointStop::stored_energy(const EvaluationContext& context) const {
  const double depth = contact(context).depth;
  return 0.5 * settings_.stiffness * depth * depth;
}

EnergyRates JointStop::energy_rates(const EvaluationContext& context) const {
  const Contact now = contact(context);
  const double spring = settings_.stiffness * now.depth;
  return {spring * now.rate, (now.force - spring) * now.rate};
}

void JointStop::append_events(std::vector<ElementEvent>& events) const {
  const int i = settings_.joint - 1;
  for (const auto& [side, limit] :
       {std::pair{" lower", settings_.lower}, std::pair{" upper", settings_.upper}}) {
    if (std::isinf(limit)) continue;
    const double position = limit;
    const auto excess = [=](const EvaluationContext& now) { return now.state.q(i) - position; };
    const auto bound = [=](const EvaluationContext& now) { return smooth_bound(now.state.qd(i)); };
    events.push_back({name() + side, BoundedRoot(excess, bound)});
  }
}

}  // namespace spacedyn
