#include "spacedyn/forces/joint_stop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "forces/bristle.hpp"
#include "forces/element_checks.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {

void GivingStop::set(const char* kind, double stiffness, double damping, bool has_limits,
                     const char* limits) {
  const auto require = [&](bool condition, const char* what) {
    if (!condition) throw DomainError(std::string(kind) + " '" + name() + "': " + what);
  };
  require(has_limits, limits);
  require(stiffness > 0.0 && std::isfinite(stiffness), "the stiffness must be positive and finite");
  require(damping >= 0.0 && std::isfinite(damping), "the damping must be finite and not negative");
  stiffness_ = stiffness;
  damping_ = damping;
}

double GivingStop::force(const Contact& contact) const {
  const double force = stiffness_ * contact.depth + damping(contact) * contact.rate;
  return force < 0.0 ? 0.0 : force;  // lets NaN through
}

double GivingStop::stored_energy(const EvaluationContext& context) const {
  const double depth = contact(context).depth;
  return 0.5 * stiffness_ * depth * depth;
}

EnergyRates GivingStop::energy_rates(const EvaluationContext& context) const {
  const Contact now = contact(context);
  const double spring = stiffness_ * now.depth;
  return {spring * now.rate, (force(now) - spring) * now.rate};
}

JointStop::JointStop(std::string name, const Settings& settings)
    : GivingStop(std::move(name)), settings_(settings) {
  set("joint stop", settings.stiffness, settings.damping, settings.lower < settings.upper,
      "the lower limit must lie below the upper one");
}

void JointStop::check(const Model& model) const {
  check_scalar_joint(*this, settings_.joint, model);
}

void JointStop::declare(Declarations& declared) const {
  declared.stop = {settings_.joint, settings_.lower, settings_.upper};
}

GivingStop::Contact JointStop::contact(const EvaluationContext& context) const {
  const double q = context.state.q(settings_.joint - 1);
  const double qd = context.state.qd(settings_.joint - 1);
  Contact contact;
  if (q >= settings_.upper) {  // a step may begin on the limit itself
    contact = {q - settings_.upper, qd};
  } else if (q < settings_.lower) {
    contact = {settings_.lower - q, -qd};
  } else {
    return contact;
  }
  if (context.q_step_start != nullptr) {
    // a step that ends on the upper limit has reached it, one that ends on the lower one has not
    const double start = (*context.q_step_start)(settings_.joint - 1);
    contact.is_damped = start >= settings_.upper || start < settings_.lower;
  }
  return contact;
}

void JointStop::apply(const EvaluationContext& context, Loads& loads) const {
  const double push = force(contact(context));
  const bool is_above = context.state.q(settings_.joint - 1) >= settings_.upper;
  loads.tau(settings_.joint - 1) += is_above ? -push : push;
}

bool JointStop::differentiate(const EvaluationContext& context,
                              LoadDerivatives& derivatives) const {
  const Contact now = contact(context);
  if (force(now) == 0.0) return true;
  const Eigen::Index i = LoadDerivatives::joint(settings_.joint);
  derivatives.force_configuration(i, i) -= stiffness();
  derivatives.force_velocity(i, i) -= damping(now);
  return true;
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

SphericalStop::SphericalStop(std::string name, const Settings& settings)
    : GivingStop(std::move(name)), settings_(settings) {
  set("spherical stop", settings.stiffness, settings.damping,
      settings.angle > 0.0 && settings.angle < kPi, "the angle must lie between 0 and π");
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

GivingStop::Contact SphericalStop::contact(const EvaluationContext& context) const {
  const int first = settings_.joint - 1;
  const Vector3 theta = context.state.q.segment<3>(first);
  const double angle = theta.norm();
  Contact contact;
  if (angle < settings_.angle) return contact;
  const Vector3 axis = theta / angle;
  contact = {angle - settings_.angle, axis.dot(context.state.qd.segment<3>(first))};
  if (context.q_step_start != nullptr) {
    contact.is_damped = context.q_step_start->segment<3>(first).norm() >= settings_.angle;
  }
  return contact;
}

void SphericalStop::apply(const EvaluationContext& context, Loads& loads) const {
  const double push = force(contact(context));
  if (push == 0.0) return;
  const Vector3 theta = context.state.q.segment<3>(settings_.joint - 1);
  loads.tau.segment<3>(settings_.joint - 1) -= push * (theta / theta.norm());
}

bool SphericalStop::differentiate(const EvaluationContext& context,
                                  LoadDerivatives& derivatives) const {
  const Contact now = contact(context);
  const double push = force(now);
  if (push == 0.0) return true;
  const Vector3 theta = context.state.q.segment<3>(settings_.joint - 1);
  const Vector3 omega = context.state.qd.segment<3>(settings_.joint - 1);
  const double angle = theta.norm();
  const Vector3 axis = theta / angle;
  // a turn δ of the carried link in its own axes: δθ = dexp⁻¹(−θ) δ, of which n · δ is along n
  const Eigen::Index i = LoadDerivatives::joint(settings_.joint);
  const Matrix3 along = axis * axis.transpose();
  const Matrix3 swing = (Matrix3::Identity() - along) / angle * dexp_inverse_so3(-theta);
  const Eigen::RowVector3d pull =
      stiffness() * axis.transpose() + damping(now) * omega.transpose() * swing;
  derivatives.force_configuration.block<3, 3>(i, i) -= axis * pull + push * swing;
  derivatives.force_velocity.block<3, 3>(i, i) -= damping(now) * along;
  return true;
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

namespace {

constexpr double kRelaxation = 100.0;  // 1/s: a bristle that is let go forgets its deflection
constexpr double kSlipRate = 10.0;     // 1/s, v_s / z_c

}  // namespace

JointBrake::JointBrake(std::string name, const Settings& settings)
    : ForceElement(std::move(name)),
      settings_(settings),
      start_(settings.event, {settings.from, settings.until}) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("brake '" + this->name() + "': " + what);
  };
  require(settings.torque > 0.0 && std::isfinite(settings.torque),
          "the torque must be positive and finite");
  require(settings.presliding > 0.0 && std::isfinite(settings.presliding),
          "presliding must be positive and finite");
  require(std::isfinite(settings.from) && settings.from < settings.until,
          "it must be applied before it is let go");
}

void JointBrake::check(const Model& model) const { check_joint(*this, settings_.joint, model); }

Bristle JointBrake::bristle(const EvaluationContext& context) const {
  const double v_s = kSlipRate * settings_.presliding;
  Bristle bristle = bristle_at({settings_.torque, settings_.torque, v_s, settings_.presliding},
                               context.state.qd(settings_.joint - 1), context.auxiliary(0));
  if (!is_on(context.instant())) {
    bristle.force = bristle.force_by_v = bristle.force_by_z = bristle.zd_by_v = 0.0;
    bristle.zd = -kRelaxation * bristle.z;
    bristle.zd_by_z = -kRelaxation;
  }
  return bristle;
}

void JointBrake::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  zd(0) = bristle(context).zd;
}

void JointBrake::apply(const EvaluationContext& context, Loads& loads) const {
  loads.tau(settings_.joint - 1) -= bristle(context).force;
}

bool JointBrake::differentiate(const EvaluationContext& context,
                               LoadDerivatives& derivatives) const {
  const Eigen::Index i = LoadDerivatives::joint(settings_.joint), k = derivatives.slice;
  const Bristle now = bristle(context);
  derivatives.rate_velocity(k, i) += now.zd_by_v;
  derivatives.rate_auxiliary(k, k) += now.zd_by_z;
  derivatives.force_velocity(i, i) -= now.force_by_v;
  derivatives.force_auxiliary(i, k) -= now.force_by_z;
  return true;
}

bool JointBrake::is_on(const Instant& now) const {
  const double time = start_.since(now);
  return time >= settings_.from && time < settings_.until;
}

void JointBrake::append_event_discontinuities(const EventTimes& events,
                                              std::vector<double>& times) const {
  start_.append(events, times);
}

void JointBrake::append_discontinuities(std::vector<double>& times) const {
  if (start_.waits()) return;
  times.push_back(settings_.from);
  if (std::isfinite(settings_.until)) times.push_back(settings_.until);
}

double JointBrake::stored_energy(const EvaluationContext& context) const {
  return bristle(context).stored_energy();
}

EnergyRates JointBrake::energy_rates(const EvaluationContext& context) const {
  const Bristle now = bristle(context);
  return {now.stored_power(), now.dissipated_power()};
}

}  // namespace spacedyn
