#include "spacedyn/forces/tether.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/element_checks.hpp"
#include "forces/frame_pair.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Stands for a side of zero.
constexpr double kTiny = std::numeric_limits<double>::min();

/// Part of the length that is rounding.
constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

/// From one point to the next: a unit vector, zero where they coincide, and the length.
struct Part {
  Vector3 direction;
  double length;
};

Part part(const LinkFrames& frames, const Frame& from, const Frame& to) {
  const Vector3 distance = frame_position(frames, to) - frame_position(frames, from);
  const double length = distance.norm();
  return {length > 0.0 ? Vector3(distance / length) : Vector3(Vector3::Zero()), length};
}

}  // namespace

/// The whole tether at an instant.
struct Tether::Stretch {
  double excess = 0.0;   // ℓ − ℓ_0
  double rate = 0.0;     // ℓ̇
  double pull = 0.0;     // k (ℓ − ℓ_0) + c ℓ̇
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
  double length = 0.0;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    length += part(frames, points_[i - 1], points_[i]).length;
  }
  return length;
}

double Tether::excess(const EvaluationContext& context) const {
  const double now = length(context.frames);
  const double excess = now - settings_.rest_length;
  if (std::abs(excess) > kRounding * now) return excess;
  return context.auxiliary(0) > 0.0 ? kTiny : -kTiny;
}

Tether::Stretch Tether::stretch(const EvaluationContext& context) const {
  Stretch now;
  now.excess = -settings_.rest_length;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Part next = part(context.frames, points_[i - 1], points_[i]);
    now.excess += next.length;
    now.rate +=
        next.direction.dot(point_velocity(context.frames, context.velocities, points_[i]) -
                           point_velocity(context.frames, context.velocities, points_[i - 1]));
  }
  now.pull = settings_.stiffness * now.excess + settings_.damping * now.rate;
  const bool is_stretched = context.auxiliary(0) > 0.0;
  now.tension = is_stretched && !(now.pull < 0.0) ? now.pull : 0.0;  // lets NaN through
  return now;
}

void Tether::apply(const EvaluationContext& context, Loads& loads) const {
  const double tension = stretch(context).tension;
  if (tension == 0.0) return;
  const auto pull = [&](const Frame& point, const Vector3& force) {
    loads.add_wrench(point.body, context.frames.r[static_cast<std::size_t>(point.body)],
                     frame_position(context.frames, point), force, Vector3::Zero());
  };
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Vector3 force = tension * part(context.frames, points_[i - 1], points_[i]).direction;
    pull(points_[i - 1], force);
    pull(points_[i], -force);
  }
}

bool Tether::differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const {
  const Stretch now = stretch(context);
  if (now.tension == 0.0) return true;
  // of several parts on two bodies each coordinate changes all: that is left to differences
  if (points_.size() > 2 || points_[0].body == points_[1].body) return false;
  const Part whole = part(context.frames, points_[0], points_[1]);
  if (whole.length == 0.0) return false;
  const FramePair pair(points_[0], points_[1]);
  const Vector3 velocity = pair.motion(context).velocity();
  const auto change_of = [&](const PairMotion& change) {
    const double longer = whole.direction.dot(change.distance());
    const Vector3 turn = (change.distance() - longer * whole.direction) / whole.length;
    const double faster = turn.dot(velocity) + whole.direction.dot(change.velocity());
    const double tension = settings_.stiffness * longer + settings_.damping * faster;
    return PairWrench{-tension * whole.direction - now.tension * turn, Vector3::Zero()};
  };
  pair.differentiate(context, {-now.tension * whole.direction, Vector3::Zero()}, change_of,
                     derivatives);
  return true;
}

bool Tether::wrench_between(const EvaluationContext& context, Vector6& wrench) const {
  const Part last = part(context.frames, points_[points_.size() - 2], points_.back());
  wrench << -stretch(context).tension * last.direction, Vector3::Zero();
  return true;
}

void Tether::auxiliary_rate(const EvaluationContext&, VectorRef zd) const { zd.setZero(); }

void Tether::append_events(std::vector<ElementEvent>& events) const {
  const auto excess_now = [this](const EvaluationContext& now) { return excess(now); };
  const auto rate_now = [this](const EvaluationContext& now) { return stretch(now).rate; };
  const auto bound = [this](const EvaluationContext& now) {
    RootBound of = smooth_bound(stretch(now).rate);
    for (const Frame& point : points_) {
      add_carriers(now, point.body, frame_position(now.frames, point), of);
    }
    if (points_.size() > 2) return of;
    of.kind = RootBound::Kind::distance;
    of.position =
        frame_position(now.frames, points_[1]) - frame_position(now.frames, points_[0]);
    of.velocity = point_velocity(now.frames, now.velocities, points_[1]) -
                     point_velocity(now.frames, now.velocities, points_[0]);
    of.reach = settings_.rest_length;
    return of;
  };
  ElementEvent stretches{name() + " stretches", BoundedRoot(excess_now, bound), rate_now};
  stretches.is_noted = false;
  stretches.reset = [this](const EvaluationContext& now, VectorRef z) {
    const double excess = this->excess(now);
    // at rest length where a run begins: it counts as stretched if it is about to be
    const bool begins = std::abs(excess) <= kTiny && stretch(now).rate > 0.0;
    z(0) = excess > kTiny || begins ? 1.0 : 0.0;
  };
  events.push_back(std::move(stretches));
  const auto pull = [this](const EvaluationContext& now) {
    return std::min(settings_.stiffness * excess(now), stretch(now).pull);
  };
  events.push_back({name() + " taut", pull, {}, CrossingDirection::rising});
  events.push_back({name() + " slack", pull, {}, CrossingDirection::falling});
}

double Tether::stored_energy(const EvaluationContext& context) const {
  const double excess = std::max(0.0, stretch(context).excess);
  return 0.5 * settings_.stiffness * excess * excess;
}

double Tether::stored_power(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return settings_.stiffness * std::max(0.0, now.excess) * now.rate;
}

double Tether::dissipated_power(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return (now.tension - settings_.stiffness * std::max(0.0, now.excess)) * now.rate;
}

}  // namespace spacedyn
