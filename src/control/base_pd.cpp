#include "spacedyn/control/base_pd.hpp"

#include <cmath>

#include "control/reference_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/orientation_error.hpp"

namespace spacedyn {
namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw DomainError(message);
}

bool is_gain(double value) { return std::isfinite(value) && value >= 0.0; }

void check_gains(const char* half, const BaseGains& gains) {
  const std::string name = half;
  require(is_gain(gains.stiffness), name + " stiffness must be finite and not negative");
  require(is_gain(gains.damping), name + " damping must be finite and not negative");
  require(gains.limit > 0.0, name + " limit must be positive");
}

bool is_zero(const BaseGains& gains) { return gains.stiffness == 0.0 && gains.damping == 0.0; }

Vector3 limited(const Vector3& wish, double limit) {
  const double size = wish.norm();
  return size > limit ? Vector3(wish * (limit / size)) : wish;
}

}  // namespace

BasePd::BasePd(std::string name, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  check_gains("position", settings_.position);
  check_gains("attitude", settings_.attitude);
  require(!is_zero(settings_.position) || !is_zero(settings_.attitude),
          "'" + this->name() + "' has no gain that is not zero");
  require(is_gain(settings_.sample_period), "sample_period must be finite and not negative");
  const PrescribedBase& motion = settings_.motion;
  require(std::abs(motion.axis.norm() - 1.0) <= 1e-9, "the axis of the motion has not length 1");
  if (motion.position) check_same_size("the reference of position", motion.position->size(), 3);
  if (motion.angle) check_same_size("the reference of the angle", motion.angle->size(), 1);
}

void BasePd::command(const Situation& situation, VectorRef command) const {
  const State& now = situation.state;
  State goal;
  Vector6 acceleration;
  settings_.motion.evaluate(situation.time, goal, acceleration);
  // F_0 = K_p (r_ref − r_0) + D_p (ṙ_ref − v_0)
  const BaseGains& position = settings_.position;
  command.head<3>() =
      limited(position.stiffness * (goal.r_0 - now.r_0) + position.damping * (goal.v_0 - now.v_0),
              position.limit);
  // N_0 = K_a log(A_ref A_0ᵀ) + D_a (ω_ref − ω_0)
  const BaseGains& attitude = settings_.attitude;
  command.tail<3>() = limited(attitude.stiffness * orientation_error(goal.A_0, now.A_0) +
                                  attitude.damping * (goal.omega_0 - now.omega_0),
                              attitude.limit);
}

void BasePd::apply(const Situation&, ConstVectorRef command, Loads& loads) const {
  loads.F_b += command;
}

void BasePd::append_discontinuities(std::vector<double>& times) const {
  if (settings_.sample_period > 0.0) return;  // sees its references at sample instants only
  const PrescribedBase& motion = settings_.motion;
  if (motion.position) motion.position->append_discontinuities(times);
  if (motion.angle) motion.angle->append_discontinuities(times);
}

}  // namespace spacedyn
