#include "spacedyn/forces/spring_damper.hpp"

#include <cmath>

#include "forces/frame_pair.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

/// The spring at an instant.
struct SpringDamper::Stretch {
  Vector3 direction;  // from `from` to `to`; where they coincide, that in which they part
  double length;
  double stretch;  // ℓ − ℓ_0
  double rate;     // ℓ̇
  double tension;
  Vector3 velocity;  // of `to` against `from`
};

SpringDamper::SpringDamper(std::string name, const Settings& settings)
    : ForceElement(std::move(name)),
      settings_(settings),
      pair_(std::make_unique<FramePair>(settings.from, settings.to)) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("spring_damper '" + this->name() + "': " + what);
  };
  const auto good = [](double number) { return std::isfinite(number) && number >= 0.0; };
  require(good(settings.stiffness), "the stiffness must be finite and not negative");
  require(good(settings.damping), "the damping must be finite and not negative");
  require(good(settings.rest_length), "the rest length must be finite and not negative");
  require(settings.stiffness > 0.0 || settings.damping > 0.0,
          "it needs a stiffness or a damping that is not zero");
}

SpringDamper::~SpringDamper() = default;

void SpringDamper::check(const Model& model) const { pair_->check(*this, model); }

SpringDamper::Stretch SpringDamper::stretch(const EvaluationContext& context) const {
  const PairMotion motion = pair_->motion(context);
  Stretch now;
  now.length = motion.distance().norm();
  now.velocity = motion.velocity();
  now.direction = now.length > 0.0 ? Vector3(motion.distance() / now.length)
                                   : Vector3(now.velocity.stableNormalized());
  now.stretch = now.length - settings_.rest_length;
  now.rate = now.direction.dot(now.velocity);
  now.tension = settings_.stiffness * now.stretch + settings_.damping * now.rate;
  return now;
}

void SpringDamper::apply(const EvaluationContext& context, Loads& loads) const {
  const Stretch now = stretch(context);
  pair_->apply(context, {-now.tension * now.direction, Vector3::Zero()}, loads);
}

bool SpringDamper::differentiate(const EvaluationContext& context,
                                 LoadDerivatives& derivatives) const {
  const Stretch now = stretch(context);
  const auto change_of = [&](const PairMotion& change) {
    const double longer = now.direction.dot(change.distance());
    // a spring without rest length pulls by its stretch along each axis
    const Vector3 aside = change.distance() - longer * now.direction;
    const Vector3 direction = now.length > 0.0 ? Vector3(aside / now.length) : Vector3::Zero();
    const double rate = direction.dot(now.velocity) + now.direction.dot(change.velocity());
    const double tension = settings_.stiffness * longer + settings_.damping * rate;
    Vector3 force = -tension * now.direction - now.tension * direction;
    if (now.length == 0.0) force -= settings_.stiffness * aside;
    return PairWrench{force, Vector3::Zero()};
  };
  pair_->differentiate(context, {-now.tension * now.direction, Vector3::Zero()}, change_of,
                       derivatives);
  return true;
}

bool SpringDamper::wrench_between(const EvaluationContext& context, Vector6& wrench) const {
  const Stretch now = stretch(context);
  wrench << -now.tension * now.direction, Vector3::Zero();
  return true;
}

double SpringDamper::stored_energy(const EvaluationContext& context) const {
  const double by = stretch(context).stretch;
  return 0.5 * settings_.stiffness * by * by;
}

double SpringDamper::stored_power(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return settings_.stiffness * now.stretch * now.rate;
}

double SpringDamper::dissipated_power(const EvaluationContext& context) const {
  const double rate = stretch(context).rate;
  return settings_.damping * rate * rate;
}

}  // namespace spacedyn
