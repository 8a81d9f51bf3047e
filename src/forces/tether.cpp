#include "spacedyn/forces/tether.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/frame_pair.hpp"
#include "forces/point_load.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
namespace {

/// Part of ℓ_0 by which ℓ must pass it: bodies that rest at ℓ_0 are neither side of it by rounding.
constexpr double kHysteresis = 1e-12;

/// Values of the auxiliary state.
constexpr double kSlack = 0.0;
constexpr double kTaut = 1.0;
constexpr double kLoose = 2.0;  // longer than ℓ_0, shortening faster than its damper lets it pull

bool is_in(const EvaluationContext& context, double state) {
  return std::abs(context.auxiliary(0) - state) < 0.5;
}

/// From one point to the next: a unit vector, zero where they coincide, and the length.
struct Part {
  Vector3 direction;
  double length;
};

Part part_of(const Vector3& distance) {
  const double length = distance.norm();
  return {length > 0.0 ? Vector3(distance / length) : Vector3(Vector3::Zero()), length};
}

/// @param from_to  from one point to the next
template <typename Distance>
double length_of(const std::vector<Frame>& points, const Distance& from_to) {
  double length = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i)
    length += from_to(points[i - 1], points[i]).norm();
  return length;
}

}  // namespace

/// The whole tether at an instant.
struct Tether::Stretch {
  double excess = 0.0;   // ℓ − ℓ_0, 0 where it is slack
  double rate = 0.0;     // ℓ̇ − ℓ̇_0
  double pull = 0.0;     // k (ℓ − ℓ_0) + c (ℓ̇ − ℓ̇_0)
  double tension = 0.0;  // T
};

Tether::Tether(std::string name, Settings settings)
    : ForceElement(std::move(name)), settings_(std::move(settings)) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("tether '" + this->name() + "': " + what);
  };
  require(settings_.stiffness > 0.0 && std::isfinite(settings_.stiffness),
          "the stiffness must be positive and finite");
  require(settings_.damping >= 0.0 && std::isfinite(settings_.damping),
          "the damping must be finite and not negative");
  require(settings_.rest_length >= 0.0 && std::isfinite(settings_.rest_length),
          "the rest length must be finite and not negative");
  points_.push_back(settings_.from);
  points_.insert(points_.end(), settings_.via.begin(), settings_.via.end());
  points_.push_back(settings_.to);
}

void Tether::check(const Model& model) const {
  for (const Frame& point : points_) {
    check_body(*this, point.body, model);
    check_frame(model, point);
  }
  const auto is_on_first = [this](const Frame& point) { return point.body == points_[0].body; };
  if (!std::all_of(points_.begin(), points_.end(), is_on_first)) return;
  throw DomainError("'" + name() + "' has all its points on body '" +
                    model.body(points_[0].body).name + "', expected points of two bodies");
}

double Tether::length(const LinkFrames& frames) const {
  return length_of(points_, [&](const Frame& from, const Frame& to) -> Vector3 {
    return frame_position(frames, to) - frame_position(frames, from);
  });
}

double Tether::length(const EvaluationContext& context) const {
  return length_of(points_, [&](const Frame& from, const Frame& to) {
    return separation(context, from, to).distance;
  });
}

Tether::Rest Tether::rest(const Instant& /*now*/) const { return {settings_.rest_length, 0.0}; }

double Tether::passed(const EvaluationContext& context) const {
  const double unstretched = rest(context.instant()).length;
  const double hysteresis = kHysteresis * unstretched;
  const double excess = length(context) - unstretched;
  return is_in(context, kSlack) ? excess - hysteresis : excess + hysteresis;
}

void Tether::declare(Declarations& declared) const { declared.line = points_; }

Tether::Stretch Tether::stretch(const EvaluationContext& context) const {
  const Rest unstretched = rest(context.instant());
  Stretch now;
  now.excess = -unstretched.length;
  now.rate = -unstretched.rate;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Separation apart = separation(context, points_[i - 1], points_[i]);
    const Part next = part_of(apart.distance);
    now.excess += next.length;
    now.rate += next.direction.dot(apart.velocity);
  }
  now.pull = settings_.stiffness * now.excess + settings_.damping * now.rate;
  // each state is smooth throughout a step, whatever a stage of it sees
  if (is_in(context, kSlack)) now.excess = 0.0;
  if (is_in(context, kTaut)) now.tension = now.pull;
  return now;
}

void Tether::apply(const EvaluationContext& context, Loads& loads) const {
  pull(context, stretch(context).tension, loads);
}

void Tether::pull(const EvaluationContext& context, double tension, Loads& loads) const {
  if (tension == 0.0) return;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Vector3 force =
        tension * part_of(separation(context, points_[i - 1], points_[i]).distance).direction;
    add_at(points_[i - 1], context, force, Vector3::Zero(), loads);
    add_at(points_[i], context, -force, Vector3::Zero(), loads);
  }
}

bool Tether::differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const {
  if (!is_in(context, kTaut)) return true;
  const Stretch now = stretch(context);
  // of several parts on two bodies each coordinate changes all: that is left to differences
  if (points_.size() > 2 || points_[0].body == points_[1].body) return false;
  const Separation apart = separation(context, points_[0], points_[1]);
  const Part whole = part_of(apart.distance);
  if (whole.length == 0.0) return false;
  const FramePair pair(points_[0], points_[1]);
  const auto change_of = [&](const PairMotion& change) {
    const double longer = whole.direction.dot(change.distance());
    const Vector3 turn = (change.distance() - longer * whole.direction) / whole.length;
    const double faster = turn.dot(apart.velocity) + whole.direction.dot(change.velocity());
    const double tension = settings_.stiffness * longer + settings_.damping * faster;
    return PairWrench{-tension * whole.direction - now.tension * turn, Vector3::Zero()};
  };
  pair.differentiate(context, {-now.tension * whole.direction, Vector3::Zero()}, change_of,
                     derivatives);
  return true;
}

bool Tether::wrench_between(const EvaluationContext& context, Vector6& wrench) const {
  const Part last =
      part_of(separation(context, points_[points_.size() - 2], points_.back()).distance);
  wrench << -stretch(context).tension * last.direction, Vector3::Zero();
  return true;
}

RootBound Tether::bound(const EvaluationContext& context) const {
  const Rest unstretched = rest(context.instant());
  RootBound bound = smooth_bound(stretch(context).rate);
  if (unstretched.varies) return bound;
  for (const Frame& point : points_) {
    add_carriers(context, point.body, frame_position(context.frames, point), bound);
  }
  if (points_.size() > 2) return bound;
  const Frame &from = points_[0], &to = points_[1];
  bound.kind = RootBound::Kind::distance;
  const auto [distance, velocity] = separation(context, from, to);
  bound.position = distance;
  bound.velocity = velocity;
  const bool is_slack = is_in(context, kSlack);
  bound.reach = unstretched.length * (1.0 + (is_slack ? kHysteresis : -kHysteresis));
  return bound;
}

double Tether::state_of(const EvaluationContext& context) const {
  const double unstretched = rest(context.instant()).length;
  const double hysteresis = kHysteresis * unstretched;
  const double excess = length(context) - unstretched;
  const Stretch now = stretch(context);
  // where a run begins at ℓ_0, what it is about to do decides
  const bool lengthens = now.rate > 0.0 || unstretched == 0.0;
  const bool is_stretched = excess >= hysteresis || (excess >= -hysteresis && lengthens);
  if (!is_stretched) return kSlack;
  return settings_.stiffness * excess + settings_.damping * now.rate < 0.0 ? kLoose : kTaut;
}

void Tether::append_events(std::vector<ElementEvent>& events) const {
  const auto reset = [this](const EvaluationContext& now, VectorRef z) { z(0) = state_of(now); };
  const auto passed_now = [this](const EvaluationContext& now) { return passed(now); };
  const auto bound_now = [this](const EvaluationContext& now) { return bound(now); };
  events.push_back({name() + " stretches", BoundedRoot(passed_now, bound_now)});
  events.back().is_noted = false;
  events.back().reset = reset;
  // T begins where ℓ passes ℓ_0, and ends there or, of a tether that its damper slows down, before
  const auto pull = [this](const EvaluationContext& now) {
    if (is_in(now, kSlack)) return passed(now);
    const double hysteresis = is_in(now, kTaut) ? kHysteresis * rest(now.instant()).length : 0.0;
    return std::min(passed(now), stretch(now).pull / settings_.stiffness + hysteresis);
  };
  const auto pull_bound = [this](const EvaluationContext& now) {
    return is_in(now, kSlack) ? bound(now) : RootBound();
  };
  for (const auto& [what, direction] : {std::pair{" taut", CrossingDirection::rising},
                                        std::pair{" slack", CrossingDirection::falling}}) {
    events.push_back({name() + what, BoundedRoot(pull, pull_bound), {}, direction});
    events.back().reset = reset;
    events.back().resets_when_due = true;
  }
}

double Tether::stored_energy(const EvaluationContext& context) const {
  double excess = length(context) - rest(context.instant()).length;
  // a run sets the state where it begins, which stores nothing
  if (is_in(context, kSlack)) excess = std::max(0.0, excess);
  return 0.5 * settings_.stiffness * excess * excess;
}

EnergyRates Tether::energy_rates(const Stretch& now) const {
  const double spring = settings_.stiffness * now.excess;
  return {spring * now.rate, (now.tension - spring) * now.rate};
}

EnergyRates Tether::energy_rates(const EvaluationContext& context) const {
  return energy_rates(stretch(context));
}

EnergyRates Tether::act(const EvaluationContext& context, Loads& loads, VectorRef rate) const {
  const Stretch now = stretch(context);
  pull(context, now.tension, loads);
  rate.setZero();
  return energy_rates(now);
}

}  // namespace spacedyn
