#include "spacedyn/forces/joint_brake.hpp"

#include <cmath>

#include "forces/bristle.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
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
