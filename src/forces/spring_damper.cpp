#include "spacedyn/forces/spring_damper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "forces/element_checks.hpp"
#include "forces/frame_pair.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/math/so3.hpp"

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
  const Vector3 distance = now.length * now.direction;
  pair_->apply(context, distance, {-now.tension * now.direction, Vector3::Zero()}, loads);
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

namespace {

void require(bool condition, const char* what) {
  if (!condition) throw DomainError(std::string("spring: ") + what);
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

/// At the points: harmonic means of the slopes on both sides, weighted by lengths; level where
/// these have two signs.
std::vector<double> slopes_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto mean = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
  const std::size_t last = x.size() - 1;
  std::vector<double> slopes(x.size(), 0.0);
  slopes.front() = mean(0);
  slopes.back() = mean(last - 1);
  for (std::size_t i = 1; i < last; ++i) {
    const double left = mean(i - 1), right = mean(i);
    if (!(left * right > 0.0)) continue;
    const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
    const double w = before + 2.0 * after, v = 2.0 * before + after;
    slopes[i] = (w + v) / (w / left + v / right);
  }
  return slopes;
}

}  // namespace

SpringLaw SpringLaw::polynomial(const std::vector<double>& coefficients) {
  require(all_finite(coefficients), "coefficients must be finite");
  require(std::any_of(coefficients.begin(), coefficients.end(), [](double c) { return c != 0.0; }),
          "one coefficient at least must not be zero");
  SpringLaw law;
  law.coefficients_ = coefficients;
  return law;
}

SpringLaw SpringLaw::table(const std::vector<double>& stretches,
                           const std::vector<double>& forces) {
  require(stretches.size() == forces.size(), "a table has one force for each stretch");
  require(stretches.size() >= 2, "a table has at least two points");
  require(all_finite(stretches) && all_finite(forces), "a table has finite numbers");
  for (std::size_t i = 1; i < stretches.size(); ++i) {
    require(stretches[i] > stretches[i - 1], "stretches must ascend");
  }
  const std::vector<double> slopes = slopes_of(stretches, forces);
  SpringLaw law;
  const auto add = [&](std::size_t i, double slope, double second, double third) {
    law.pieces_.push_back({stretches[i], forces[i], slope, second, third, 0.0});
  };
  add(0, slopes.front(), 0.0, 0.0);
  for (std::size_t i = 0; i + 1 < stretches.size(); ++i) {
    const double h = stretches[i + 1] - stretches[i];
    const double a = slopes[i], b = slopes[i + 1];
    const double mean = (forces[i + 1] - forces[i]) / h;
    add(i, a, (3.0 * mean - 2.0 * a - b) / h, (a + b - 2.0 * mean) / (h * h));
  }
  add(stretches.size() - 1, slopes.back(), 0.0, 0.0);
  for (std::size_t i = 2; i < law.pieces_.size(); ++i) {
    const Piece& before = law.pieces_[i - 1];
    law.pieces_[i].energy = value_of(before, law.pieces_[i].start - before.start).energy;
  }
  const double at_rest = law.at(0.0).energy;
  for (Piece& piece : law.pieces_) piece.energy -= at_rest;
  return law;
}

SpringLaw::Value SpringLaw::value_of(const Piece& piece, double x) noexcept {
  const auto& [start, force, slope, second, third, energy] = piece;
  return {force + x * (slope + x * (second + x * third)),
          slope + x * (2.0 * second + 3.0 * x * third),
          energy + x * (force + x * (slope / 2.0 + x * (second / 3.0 + x * third / 4.0)))};
}

SpringLaw::Value SpringLaw::at(double stretch) const noexcept {
  if (pieces_.empty()) {
    Value value;
    for (std::size_t k = coefficients_.size(); k > 0; --k) {
      const double c = coefficients_[k - 1], power = static_cast<double>(k);
      value.force = (value.force + c) * stretch;
      value.stiffness = value.stiffness * stretch + power * c;
      value.energy = (value.energy + c / (power + 1.0)) * stretch;
    }
    value.energy *= stretch;
    return value;
  }
  // the piece that begins at the last point before the stretch; the first two begin at one
  std::size_t i = 0;
  if (!(stretch < pieces_.front().start)) {
    const auto next =
        std::upper_bound(pieces_.begin() + 2, pieces_.end(), stretch,
                         [](double s, const Piece& piece) { return s < piece.start; });
    i = static_cast<std::size_t>(next - pieces_.begin()) - 1;
  }
  return value_of(pieces_[i], stretch - pieces_[i].start);
}

/// What the springs and dampers see, in the axes of `from`.
struct Bushing::Stretch {
  Matrix3 A;                  // of `from`
  Vector3 distance, flow;     // inertial: r_to − r_from, and its rate as `from` sees it
  Vector3 spin;               // inertial: ω_to − ω_from
  Vector3 p, pd, phi, omega;  // in the axes of `from`
  Vector3 twist;              // K_φ φ
  Vector3 force, moment;      // on `to`, in the axes of `from`
  PairWrench wrench() const { return {A * force, A * moment}; }
};

Bushing::Bushing(std::string name, const Settings& settings)
    : ForceElement(std::move(name)),
      settings_(settings),
      pair_(std::make_unique<FramePair>(settings.from, settings.to)) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("bushing '" + this->name() + "': " + what);
  };
  const auto good = [](const Vector6& numbers) {
    return numbers.allFinite() && numbers.minCoeff() >= 0.0;
  };
  require(good(settings.stiffness), "the stiffnesses must be finite and not negative");
  require(good(settings.damping), "the dampings must be finite and not negative");
  require(!settings.stiffness.isZero(0.0) || !settings.damping.isZero(0.0),
          "it needs a stiffness or a damping that is not zero");
}

Bushing::~Bushing() = default;

void Bushing::check(const Model& model) const { pair_->check(*this, model); }

Bushing::Stretch Bushing::stretch(const EvaluationContext& context) const {
  const PairMotion motion = pair_->motion(context);
  Stretch now;
  now.A = frame_orientation(context.frames, settings_.from);
  now.distance = motion.distance();
  now.flow = motion.velocity() - motion.from.omega.cross(now.distance);
  now.spin = motion.spin();
  now.p = now.A.transpose() * now.distance;
  now.pd = now.A.transpose() * now.flow;
  now.phi = log_so3(now.A.transpose() * frame_orientation(context.frames, settings_.to));
  now.omega = now.A.transpose() * now.spin;
  now.twist = settings_.stiffness.tail<3>().cwiseProduct(now.phi);
  // dexp⁻¹(φ)ᵀ = dexp⁻¹(−φ)
  now.force = -settings_.stiffness.head<3>().cwiseProduct(now.p) -
              settings_.damping.head<3>().cwiseProduct(now.pd);
  now.moment = -apply_dexp_inverse_so3(-now.phi, now.twist) -
               settings_.damping.tail<3>().cwiseProduct(now.omega);
  return now;
}

void Bushing::apply(const EvaluationContext& context, Loads& loads) const {
  const Stretch now = stretch(context);
  pair_->apply(context, now.distance, now.wrench(), loads);
}

bool Bushing::differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const {
  const Stretch now = stretch(context);
  const Matrix3 B = now.A.transpose();
  const PairWrench wrench = now.wrench();
  const Matrix3 moment_by_phi = dexp_inverse_derivative(-now.phi, now.twist);
  const PairMotion motion = pair_->motion(context);
  const auto change_of = [&](const PairMotion& change) {
    // δ(Aᵀ x) = Aᵀ (δx − δθ_from × x)
    const Vector3& turn = change.from.turn;
    const Vector3 flow = change.velocity() - change.from.omega.cross(now.distance) -
                         motion.from.omega.cross(change.distance());
    const Vector3 p = B * (change.distance() - turn.cross(now.distance));
    const Vector3 pd = B * (flow - turn.cross(now.flow));
    const Vector3 omega = B * (change.spin() - turn.cross(now.spin));
    const Vector3 phi = apply_dexp_inverse_so3(now.phi, B * (change.to.turn - turn));
    const Vector3 force = -settings_.stiffness.head<3>().cwiseProduct(p) -
                          settings_.damping.head<3>().cwiseProduct(pd);
    const Vector3 twist = settings_.stiffness.tail<3>().cwiseProduct(phi);
    const Vector3 moment = moment_by_phi * phi - apply_dexp_inverse_so3(-now.phi, twist) -
                           settings_.damping.tail<3>().cwiseProduct(omega);
    return PairWrench{turn.cross(wrench.force) + now.A * force,
                      turn.cross(wrench.moment) + now.A * moment};
  };
  pair_->differentiate(context, wrench, change_of, derivatives);
  return true;
}

bool Bushing::wrench_between(const EvaluationContext& context, Vector6& wrench) const {
  const PairWrench now = stretch(context).wrench();
  wrench << now.force, now.moment;
  return true;
}

double Bushing::stored_energy(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return 0.5 * (settings_.stiffness.head<3>().dot(now.p.cwiseAbs2()) + now.twist.dot(now.phi));
}

EnergyRates Bushing::energy_rates(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return {settings_.stiffness.head<3>().cwiseProduct(now.p).dot(now.pd) +
              now.twist.dot(apply_dexp_inverse_so3(now.phi, now.omega)),
          settings_.damping.head<3>().dot(now.pd.cwiseAbs2()) +
              settings_.damping.tail<3>().dot(now.omega.cwiseAbs2())};
}

}  // namespace spacedyn
