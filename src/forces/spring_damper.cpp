#include "spacedyn/forces/spring_damper.hpp"

#include <cmath>
#include <limits>

#include "forces/frame_pair.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

/// The spring at an instant.
struct SpringDamper::Stretch {
  Vector3 direction;  // from `from` to `to`; where they coincide, that in which they part
  double length;
  SpringLaw::Value spring;
  double rate;  // ℓ̇
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
  require(!settings.spring || settings.stiffness == 0.0,
          "a law of the spring stands in place of a stiffness");
  require(settings.spring || settings.stiffness > 0.0 || settings.damping > 0.0,
          "it needs a stiffness or a damping that is not zero");
  if (settings.spring) {
    spring_ = *settings.spring;
  } else if (settings.stiffness > 0.0) {
    spring_ = SpringLaw::polynomial({settings.stiffness});
  }
}

SpringDamper::~SpringDamper() = default;

void SpringDamper::check(const Model& model) const { pair_->check(*this, model); }

void SpringDamper::declare(Declarations& declared) const {
  declared.line = {settings_.from, settings_.to};
}

SpringDamper::Stretch SpringDamper::stretch(const EvaluationContext& context) const {
  const PairMotion motion = pair_->motion(context);
  Stretch now;
  now.length = motion.distance().norm();
  now.velocity = motion.velocity();
  now.spring = spring_.at(now.length - settings_.rest_length);
  if (now.length > 0.0) {
    now.direction = motion.distance() / now.length;
  } else if (now.spring.force == 0.0 || now.velocity != Vector3::Zero()) {
    now.direction = now.velocity.stableNormalized();
  } else {
    now.direction.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  now.rate = now.direction.dot(now.velocity);
  now.tension = now.spring.force + settings_.damping * now.rate;
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
    const double tension = now.spring.stiffness * longer + settings_.damping * rate;
    Vector3 force = -tension * now.direction - now.tension * direction;
    if (now.length == 0.0) force -= now.spring.stiffness * aside;
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
  return stretch(context).spring.energy;
}

EnergyRates SpringDamper::energy_rates(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return {now.spring.force * now.rate, settings_.damping * now.rate * now.rate};
}

}  // namespace spacedyn
