#include "spacedyn/forces/joint_brake.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

constexpr double kRelaxation = 100.0;  // 1/s: a bristle that is let go forgets its deflection
constexpr double kSlipRate = 10.0;     // 1/s, v_s / z_c
constexpr double kBrakeBristleDamping = 0.2;

}  // namespace

JointBrake::JointBrake(std::string name, const Settings& settings)
    : ForceElement(std::move(name)), settings_(settings) {
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

double JointBrake::rate(const Situation& situation) const {
  if (!is_on(situation.time)) return -kRelaxation * situation.auxiliary(0);
  const double v = situation.state.qd(settings_.joint - 1);
  return v - std::abs(v) * situation.auxiliary(0) / settings_.presliding;
}

double JointBrake::torque(const Situation& situation) const {
  if (!is_on(situation.time)) return 0.0;
  const double speed = kSlipRate * settings_.presliding;  // v_s
  const double ratio = situation.state.qd(settings_.joint - 1) / speed;
  const double damping = kBrakeBristleDamping / (speed * (1.0 + ratio * ratio));
  return -settings_.torque *
         (situation.auxiliary(0) / settings_.presliding + damping * rate(situation));
}

void JointBrake::auxiliary_rate(const Situation& situation, VectorRef zd) const {
  zd(0) = rate(situation);
}

void JointBrake::apply(const Situation& situation, Loads& loads) const {
  loads.tau(settings_.joint - 1) += torque(situation);
}

bool JointBrake::differentiate(const Situation& situation, LoadDerivatives& derivatives) const {
  const Eigen::Index i = LoadDerivatives::joint(settings_.joint), k = derivatives.share;
  if (!is_on(situation.time)) {
    derivatives.rate_auxiliary(k, k) -= kRelaxation;
    return true;
  }
  // ż by q̇ and z
  const double z_c = settings_.presliding;
  const double v = situation.state.qd(settings_.joint - 1);
  const double sign = v == 0.0 ? 0.0 : std::copysign(1.0, v);
  const double by_v = 1.0 - sign * situation.auxiliary(0) / z_c;
  const double by_z = -std::abs(v) / z_c;
  derivatives.rate_velocity(k, i) += by_v;
  derivatives.rate_auxiliary(k, k) += by_z;
  // τ = −F (z/z_c + d(q̇) ż)
  const double speed = kSlipRate * z_c;
  const double ratio = v / speed;
  const double damping = kBrakeBristleDamping / (speed * (1.0 + ratio * ratio));
  const double damping_by_v = -2.0 * damping * ratio / (speed * (1.0 + ratio * ratio));
  derivatives.force_velocity(i, i) -=
      settings_.torque * (damping_by_v * rate(situation) + damping * by_v);
  derivatives.force_auxiliary(i, k) -= settings_.torque * (1.0 / z_c + damping * by_z);
  return true;
}

void JointBrake::append_discontinuities(std::vector<double>& times) const {
  times.push_back(settings_.from);
  if (std::isfinite(settings_.until)) times.push_back(settings_.until);
}

double JointBrake::dissipated_power(const Situation& situation) const {
  return -torque(situation) * situation.state.qd(settings_.joint - 1);
}

}  // namespace spacedyn
