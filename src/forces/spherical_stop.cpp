#include "spacedyn/forces/spherical_stop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/element_checks.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {

/// How far the joint is beyond its angle, how fast it goes on, and the torque that turns it back.
struct SphericalStop::Contact {
  Vector3 theta = Vector3::Zero(), axis = Vector3::UnitX(), omega = Vector3::Zero();
  double depth = 0.0, rate = 0.0, torque = 0.0;
  bool is_damped = true;
};

SphericalStop::SphericalStop(std::string name, const Settings& settings)
    : ForceElement(std::move(name)), settings_(settings) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("spherical stop '" + this->name() + "': " + what);
  };
  require(settings.angle > 0.0 && settings.angle < kPi, "the angle must lie between 0 and π");
  require(settings.stiffness > 0.0 && std::isfinite(settings.stiffness),
          "the stiffness must be positive and finite");
  require(settings.damping >= 0.0 && std::isfinite(settings.damping),
          "the damping must be finite and not negative");
}

void SphericalStop::check(const Model& model) const {
  const auto& joints = model.spherical_joints();
  if (std::find(joints.begin(), joints.end(), settings_.joint) != joints.end()) return;
  throw DomainError("'" + name() + "' needs a spherical joint, of which " +
                    std::to_string(settings_.joint) + " is not the first coordinate");
}

void SphericalStop::declare(Declarations& declared) const {
  declared.stop = {settings_.joint, -std::numeric_limits<double>::infinity(), settings_.angle};
}

SphericalStop::Contact SphericalStop::contact(const EvaluationContext& context) const {
  const int first = settings_.joint - 1;
  Contact contact;
  contact.theta = context.state.q.segment<3>(first);
  const double angle = contact.theta.norm();
  if (angle < settings_.angle) return contact;
  contact.axis = contact.theta / angle;
  contact.omega = context.state.qd.segment<3>(first);
  contact.depth = angle - settings_.angle;
  contact.rate = contact.axis.dot(contact.omega);
  if (context.q_step_start != nullptr) {
    contact.is_damped = context.q_step_start->segment<3>(first).norm() >= settings_.angle;
  }
  const double damping = contact.is_damped ? settings_.damping : 0.0;
  const double torque = settings_.stiffness * contact.depth + damping * contact.rate;
  contact.torque = torque < 0.0 ? 0.0 : torque;  // lets NaN through
  return contact;
}

void SphericalStop::apply(const EvaluationContext& context, Loads& loads) const {
  const Contact now = contact(context);
  loads.tau.segment<3>(settings_.joint - 1) -= now.torque * now.axis;
}

bool SphericalStop::differentiate(const EvaluationContext& context,
                                  LoadDerivatives& derivatives) const {
  const Contact now = contact(context);
  if (now.torque == 0.0) return true;
  // a turn δ of the carried link in its own axes: δθ = dexp⁻¹(−θ) δ, of which n · δ is along n
  const Eigen::Index i = LoadDerivatives::joint(settings_.joint);
  const Matrix3 along = now.axis * now.axis.transpose();
  const Matrix3 swing =
      (Matrix3::Identity() - along) / now.theta.norm() * dexp_inverse_so3(-now.theta);
  const double damping = now.is_damped ? settings_.damping : 0.0;
  const Eigen::RowVector3d pull =
      settings_.stiffness * now.axis.transpose() + damping * now.omega.transpose() * swing;
  derivatives.force_configuration.block<3, 3>(i, i) -= now.axis * pull + now.torque * swing;
  derivatives.force_velocity.block<3, 3>(i, i) -= damping * along;
  return true;
}

double SphericalStop::stored_energy(const EvaluationContext& context) const {
  const double depth = contact(context).depth;
  return 0.5 * settings_.stiffness * depth * depth;
}

EnergyRates SphericalStop::energy_rates(const EvaluationContext& context) const {
  const Contact now = contact(context);
  const double spring = settings_.stiffness * now.depth;
  return {spring * now.rate, (now.torque - spring) * now.rate};
}

void SphericalStop::append_events(std::vector<ElementEvent>& events) const {
  const int first = settings_.joint - 1;
  const double limit = settings_.angle;
  const auto excess = [=](const EvaluationContext& now) {
    return now.state.q.segment<3>(first).norm() - limit;
  };
  const auto bound = [=](const EvaluationContext& now) {
    const Vector3 theta = now.state.q.segment<3>(first);
    const double angle = theta.norm();
    return smooth_bound(angle > 0.0 ? theta.dot(now.state.qd.segment<3>(first)) / angle : 0.0);
  };
  events.push_back({name() + " limit", BoundedRoot(excess, bound)});
}

}  // namespace spacedyn
