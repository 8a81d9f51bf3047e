#include "spacedyn/forces/joint_spring.hpp"

#include <cmath>
#include <utility>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {

JointSpring::JointSpring(std::string name, Settings settings)
    : ForceElement(std::move(name)), settings_(std::move(settings)) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("spring of joint '" + this->name() + "': " + what);
  };
  require(std::isfinite(settings_.damping) && settings_.damping >= 0.0,
          "the damping must be finite and not negative");
  require(std::isfinite(settings_.rest_position), "the rest position must be finite");
}

void JointSpring::check(const Model& model) const {
  check_scalar_joint(*this, settings_.joint, model);
}

SpringLaw::Value JointSpring::spring(const EvaluationContext& context) const {
  return settings_.spring.at(context.state.q(settings_.joint - 1) - settings_.rest_position);
}

void JointSpring::apply(const EvaluationContext& context, Loads& loads) const {
  const int i = settings_.joint - 1;
  loads.tau(i) -= spring(context).force + settings_.damping * context.state.qd(i);
}

bool JointSpring::differentiate(const EvaluationContext& context,
                                LoadDerivatives& derivatives) const {
  const Eigen::Index i = LoadDerivatives::joint(settings_.joint);
  derivatives.force_configuration(i, i) -= spring(context).stiffness;
  derivatives.force_velocity(i, i) -= settings_.damping;
  return true;
}

double JointSpring::stored_energy(const EvaluationContext& context) const {
  return spring(context).energy;
}

EnergyRates JointSpring::energy_rates(const EvaluationContext& context) const {
  const double rate = context.state.qd(settings_.joint - 1);
  return {spring(context).force * rate, settings_.damping * rate * rate};
}

}  // namespace spacedyn
