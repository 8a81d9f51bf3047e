#include "spacedyn/forces/joint_brake.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr double kRelaxation = 100.0;  // 1/s: a bristle that is let go forgets its deflection

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
  const double speed = 10.0 * settings_.presliding;  // v_s
  const double ratio = situation.state.qd(settings_.joint - 1) / speed;
  const double damping = 0.2 / (speed * (1.0 + ratio * ratio));
  return -settings_.torque *
         (situation.auxiliary(0) / settings_.presliding + damping * rate(situation));
}

void JointBrake::auxiliary_rate(const Situation& situation, VectorRef zd) const {
  zd(0) = rate(situation);
}

void JointBrake::apply(const Situation& situation, Loads& loads) const {
  loads.tau(settings_.joint - 1) += torque(situation);
}

void JointBrake::append_discontinuities(std::vector<double>& times) const {
  times.push_back(settings_.from);
  if (std::isfinite(settings_.until)) times.push_back(settings_.until);
}

double JointBrake::dissipated_power(const Situation& situation) const {
  return -torque(situation) * situation.state.qd(settings_.joint - 1);
}

}  // namespace spacedyn
