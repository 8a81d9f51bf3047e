#include "spacedyn/forces/contact_force.hpp"

#include <algorithm>
#include <cmath>

#include "collision/contact_gradient.hpp"
#include "forces/contact_touch.hpp"
#include "forces/element_checks.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
namespace {

Vector3 velocity_at(const EvaluationContext& context, int body, const Vector3& point) {
  const auto i = static_cast<std::size_t>(body);
  return context.velocities.v[i] + context.velocities.omega[i].cross(point - context.frames.r[i]);
}

/// Of a point of a patch: the damping of the linear law is at most the elastic force, so that it
/// vanishes with it where the patch ends.
double of_patch(const NormalContact& law, double depth, double force) {
  if (law.settings().law != NormalContactLaw::linear) return force;
  return depth < 0.0 ? law.elastic(depth) : std::min(2.0 * law.elastic(depth), force);
}

/// How fast the centres of two shapes come nearer to each other.
double approach(const EvaluationContext& context, const ContactPair& pair) {
  const Vector3 a = pair.a.center(context.frames), b = pair.b.center(context.frames);
  const Vector3 velocity =
      velocity_at(context, pair.a.frame.body, a) - velocity_at(context, pair.b.frame.body, b);
  return -velocity.dot((a - b).normalized());
}

}  // namespace

int ContactPair::point_count() const {
  if (!on_ground) return 1;
  ShapePose shape;
  shape.type = a.type;
  shape.hull = a.hull.get();
  return ground_parts * contact_point_count(shape);
}

ContactForce::ContactForce(std::string name, const Settings& settings)
    : ForceElement(std::move(name)), settings_(settings), normal_(settings.normal) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  settings.friction.check();
  require(!settings.pairs.empty(), "a contact needs a pair of shapes");
  for (ContactPair& pair : settings_.pairs) {
    require(!pair.on_ground || settings.terrain != nullptr, "a contact with the ground needs one");
    require(pair.on_ground || may_touch(pair.a.type, pair.b.type),
            "ellipsoids touch spheres and the ground alone");
    const auto radius = [](const BodyShape& shape) {
      return bounding_radius(shape.type, shape.size, shape.hull.get());
    };
    if (pair.on_ground) pair.ground_parts = settings.terrain->part_count();
    const double reach = radius(pair.a) + (pair.on_ground ? 0.0 : radius(pair.b));
    places_.push_back({&pair, point_count_, (1.0 + kMargin) * reach});
    point_count_ += pair.point_count();
    has_patches_ = has_patches_ || pair.has_patch();
    has_gradients_ = has_gradients_ && (pair.on_ground || has_gradient(pair.a.type, pair.b.type));
  }
  bristle_at_ = has_patches_ ? 2 : 1;
  states_per_point_ = bristle_at_ + (settings.friction.has_bristle() ? 3 : 0);
}

ContactForce::~ContactForce() = default;

void ContactForce::declare(Declarations& declared) const {
  declared.contact = this;
  declared.ground = settings_.terrain.get();
}

void ContactForce::check(const Model& model) const {
  for (const ContactPair& pair : settings_.pairs) {
    check_body(*this, pair.a.frame.body, model);
    if (pair.on_ground) continue;
    check_body(*this, pair.b.frame.body, model);
    if (pair.a.frame.body != pair.b.frame.body) continue;
    throw DomainError(owner_prefix(*this) + "'" + pair.a.name + "' and '" + pair.b.name +
                      "' are on one body");
  }
}

ContactForce::Motion ContactForce::motion(const EvaluationContext& context, const ContactPair& pair,
                                          const ContactPoint& at) const {
  Motion motion{&pair, at, Vector3::Zero(), Vector3::Zero(), 0.0, 1.0, 0.0};
  const int body = pair.a.frame.body;
  motion.omega = context.velocities.omega[static_cast<std::size_t>(body)];
  Vector3 velocity = velocity_at(context, body, at.point);
  if (!pair.on_ground) {
    velocity -= velocity_at(context, pair.b.frame.body, at.point);
    motion.omega -= context.velocities.omega[static_cast<std::size_t>(pair.b.frame.body)];
  }
  motion.rate = -at.normal.dot(velocity);
  motion.sliding = velocity + motion.rate * at.normal;
  return motion;
}

ContactForce::Motion ContactForce::motion_of(const EvaluationContext& context, const Place& place,
                                             int number) const {
  const ContactPair& pair = *place.pair;
  const ShapePose a = pair.a.at(context.frames);
  Motion found = motion(context, pair,
                        pair.on_ground ? contact_point(a, *settings_.terrain, number)
                                       : contact_point(a, pair.b.at(context.frames)));
  found.side =
      context.auxiliary(static_cast<Eigen::Index>(place.first + number) * states_per_point_);
  found.hysteresis = kSurfacePart * place.reach;
  return found;
}

ContactForce::Motion ContactForce::motion_of(const EvaluationContext& context, int point) const {
  const auto next = std::upper_bound(places_.begin(), places_.end(), point,
                                     [](int value, const Place& at) { return value < at.first; });
  const Place& place = *std::prev(next);
  return motion_of(context, place, point - place.first);
}

ContactForce::Answer ContactForce::answer(const EvaluationContext& context, const Touch& touch,
                                          int number) const {
  static_cast<void>(context);
  Answer answer;
  const Motion& motion = touch.motions[static_cast<std::size_t>(number)];
  const ContactFriction& friction = settings_.friction;
  answer.elastic = motion.weight * normal_.elastic(motion.at.depth);
  const double force = motion.normal_force(normal_);
  answer.normal =
      motion.weight * (touch.pair->has_patch() ? of_patch(normal_, motion.at.depth, force) : force);
  if (!friction.is_present()) return answer;
  const double pressing = std::max(0.0, answer.normal);
  answer.moment = friction.moment(pressing, motion.at.normal, motion.omega);
  if (!friction.has_bristle()) {
    answer.friction = friction.coulomb(pressing, motion.sliding);
    return answer;
  }
  const Vector3& n = motion.at.normal;
  const Vector3 spring = friction.stiffness * touch.bristle;
  const Vector3 across = spring - n.dot(spring) * n;
  const Vector3 held = motion.weight * (across + friction.damping * motion.sliding);
  const double most = friction.coefficient_at(motion.sliding.norm()) * pressing;
  const double size = held.norm();
  if (size <= most) {
    answer.friction = -held;
    answer.bristle_rate = motion.sliding;
  } else {
    answer.friction = -most / size * held;
    answer.bristle_rate = (-answer.friction / motion.weight - spring) / friction.damping;
  }
  return answer;
}

Vector3 ContactForce::bristle_rate(const EvaluationContext& context, const Touch& touch) const {
  if (touch.count == 1) return answer(context, touch, 0).bristle_rate;
  // points at the rim, without a depth, have no part in the mean
  Vector3 rate = Vector3::Zero();
  double sum = 0.0;
  for (int i = 0; i < touch.count; ++i) {
    const Motion& motion = touch.motions[static_cast<std::size_t>(i)];
    const double own = motion.weight * std::max(0.0, motion.at.depth);
    if (!(own > 0.0)) continue;
    rate += own * answer(context, touch, i).bristle_rate;
    sum += own;
  }
  return sum > 0.0 ? Vector3(rate / sum) : answer(context, touch, 0).bristle_rate;
}

double ContactForce::springs(const Touch& touch) {
  if (touch.count == 1) return touch.motions[0].weight;
  double sum = 0.0, most = 0.0;
  for (int i = 0; i < touch.count; ++i) {
    const Motion& motion = touch.motions[static_cast<std::size_t>(i)];
    sum += motion.weight * std::max(0.0, motion.at.depth);
    most = std::max(most, motion.at.depth);
  }
  return most > 0.0 ? sum / most : 0.0;
}

void ContactForce::apply(const EvaluationContext& context, Loads& loads) const {
  for_each_touch(context, [&](const Touch& touch) { add_loads(context, touch, loads); });
}

void ContactForce::add_loads(const EvaluationContext& context, const Touch& touch,
                             Loads& loads) const {
  for (int i = 0; i < touch.count; ++i) {
    const Answer now = answer(context, touch, i);
    const ContactPoint& at = touch.motions[static_cast<std::size_t>(i)].at;
    const Vector3 force = now.normal * at.normal + now.friction;
    const auto add = [&](int body, double sign) {
      loads.add_wrench(body, context.frames.r[static_cast<std::size_t>(body)], at.point,
                       sign * force, sign * now.moment);
    };
    add(touch.pair->a.frame.body, 1.0);
    if (!touch.pair->on_ground) add(touch.pair->b.frame.body, -1.0);
  }
}

void ContactForce::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  zd.setZero();
  if (!settings_.friction.has_bristle() && !has_patches_) return;
  for_each_touch(context, [&](const Touch& touch) { write_states(context, touch, zd); });
}

void ContactForce::write_states(const EvaluationContext& context, const Touch& touch,
                                VectorRef zd) const {
  const bool has_bristle = settings_.friction.has_bristle();
  auto own =
      zd.segment(static_cast<Eigen::Index>(touch.number) * states_per_point_, states_per_point_);
  const Vector3 stretching = has_bristle ? bristle_rate(context, touch) : Vector3::Zero();
  if (has_bristle) own.tail<3>() = touch.axes.transpose() * stretching;
  if (touch.pair->has_patch()) own(kWorkAt) = stored_rate(context, touch, stretching);
}

double ContactForce::stored_rate(const EvaluationContext& context, const Touch& touch,
                                 const Vector3& stretching) const {
  double rate = 0.0;
  for (int i = 0; i < touch.count; ++i) {
    const Motion& motion = touch.motions[static_cast<std::size_t>(i)];
    rate += answer(context, touch, i).elastic * motion.rate;
  }
  return rate + settings_.friction.stiffness * springs(touch) * touch.bristle.dot(stretching);
}

double ContactForce::stored_energy(const EvaluationContext& context) const {
  double energy = 0.0;
  for_each_touch(context, [&](const Touch& touch) {
    if (!touch.pair->has_patch()) energy += normal_.energy(touch.motions[0].at.depth);
  });
  for (const Place& place : places_) {
    const int count = place.pair->point_count();
    for (int number = 0; number < count; ++number) {
      const auto own = context.auxiliary.segment(
          static_cast<Eigen::Index>(place.first + number) * states_per_point_, states_per_point_);
      if (place.pair->has_patch()) {
        energy += own(kWorkAt);
      } else if (settings_.friction.has_bristle()) {
        energy += 0.5 * settings_.friction.stiffness * own.tail<3>().squaredNorm();
      }
    }
  }
  return energy;
}

EnergyRates ContactForce::energy_rates(const EvaluationContext& context) const {
  EnergyRates rates;
  for_each_touch(context, [&](const Touch& touch) { add_rates(context, touch, rates); });
  return rates;
}

void ContactForce::add_rates(const EvaluationContext& context, const Touch& touch,
                             EnergyRates& rates) const {
  const bool has_bristle = settings_.friction.has_bristle();
  const Vector3 stretching = has_bristle ? bristle_rate(context, touch) : Vector3::Zero();
  const double stored = stored_rate(context, touch, stretching);
  rates.stored += stored;
  rates.dissipated -= stored;
  for (int i = 0; i < touch.count; ++i) {
    const Answer now = answer(context, touch, i);
    const Motion& motion = touch.motions[static_cast<std::size_t>(i)];
    rates.dissipated +=
        now.normal * motion.rate - now.friction.dot(motion.sliding) - now.moment.dot(motion.omega);
  }
}

EnergyRates ContactForce::act(const EvaluationContext& context, Loads& loads,
                              VectorRef rate) const {
  rate.setZero();
  EnergyRates rates;
  for_each_touch(context, [&](const Touch& touch) {
    add_loads(context, touch, loads);
    if (settings_.friction.has_bristle() || has_patches_) write_states(context, touch, rate);
    add_rates(context, touch, rates);
  });
  return rates;
}

void ContactForce::integrands(const EvaluationContext& context, VectorRef rates) const {
  rates.setZero();
  for_each_touch(context, [&](const Touch& touch) {
    for (int i = 0; i < touch.count; ++i) {
      const Answer now = answer(context, touch, i);
      const Motion& motion = touch.motions[static_cast<std::size_t>(i)];
      rates(0) += std::max(0.0, now.normal);
      rates(1) += now.friction.dot(motion.sliding) + now.moment.dot(motion.omega);
    }
  });
}

double ContactForce::normal_force(const EvaluationContext& context) const {
  double force = 0.0;
  for_each_touch(context, [&](const Touch& touch) {
    for (int i = 0; i < touch.count; ++i) {
      force += std::max(0.0, answer(context, touch, i).normal);
    }
  });
  return force;
}

ContactReading ContactForce::reading(const EvaluationContext& context) const {
  ContactReading reading;
  const Motion nearest = deepest(context);
  reading.depth = nearest.at.depth;
  reading.point = nearest.at.point;
  Vector3 weighted = Vector3::Zero(), friction = Vector3::Zero();
  for_each_touch(context, [&](const Touch& touch) {
    for (int i = 0; i < touch.count; ++i) {
      const Answer now = answer(context, touch, i);
      const Motion& motion = touch.motions[static_cast<std::size_t>(i)];
      if (!(motion.at.depth > 0.0)) continue;
      reading.normal_force += now.normal;
      weighted += now.normal * motion.at.point;
      friction += now.friction;
      reading.slip_velocity = std::max(reading.slip_velocity, motion.sliding.norm());
    }
  });
  if (reading.normal_force > 0.0) reading.point = weighted / reading.normal_force;
  reading.friction = friction.norm();
  return reading;
}

void ContactForce::reset(const EvaluationContext& context, int point, VectorRef z) const {
  const Motion now = motion_of(context, point);
  auto own = z.segment(static_cast<Eigen::Index>(point) * states_per_point_, states_per_point_);
  own.setZero();
  // at the start the depth is zero but for roundings; an event leaves it on its own side of zero
  const double near = kNearSurface * now.hysteresis;
  const bool begins = now.at.depth > near || (now.at.depth > -near && now.rate > 0.0);
  const bool touches = now.side == 0.0 ? begins : now.at.depth > 0.0;
  own(0) = touches ? now.touching_side(normal_) : kApart;
  if (!touches || !now.pair->has_patch()) return;
  const ContactManifold manifold =
      contact_manifold(now.pair->a.at(context.frames), now.pair->b.at(context.frames));
  for (int i = 0; i < manifold.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    own(kWorkAt) += manifold.weights[at] * normal_.energy(manifold.points[at].depth);
  }
}

void ContactForce::append_events(std::vector<ElementEvent>& events) const {
  // what the points do implies what the contact does
  const auto depth_now = [this](const EvaluationContext& now) { return depth(now); };
  const auto rate_now = [this](const EvaluationContext& now) { return depth_rate(now); };
  const BoundedRoot whole = implied_root(depth_now);
  events.push_back({name() + " touches", whole, rate_now, CrossingDirection::rising});
  events.push_back({name() + " lifts", whole, rate_now, CrossingDirection::falling});
  for (const Place& place : places_) {
    const int count = place.pair->point_count();
    for (int number = 0; number < count; ++number) {
      const int point = place.first + number;
      // near the surface it is the depth itself, whose changes tell how the instant moves; where
      // that takes a search, bounding spheres do
      const bool is_closed =
          !place.pair->on_ground && has_gradient(place.pair->a.type, place.pair->b.type);
      const double near = is_closed ? place.reach : 0.0;
      const auto value = [this, &place, number, near](const EvaluationContext& now) {
        const double apart = distance_apart(now, place);
        return apart > near ? -apart : motion_of(now, place, number).event_depth();
      };
      const auto rate = [this, &place, number, near](const EvaluationContext& now) {
        return distance_apart(now, place) > near ? approach(now, *place.pair)
                                                 : motion_of(now, place, number).rate;
      };
      const auto bound = [&place, rate](const EvaluationContext& now) {
        return pair_bound(now, *place.pair, -1.0, rate(now));
      };
      ElementEvent event{name() + " point " + std::to_string(point + 1), BoundedRoot(value, bound),
                         rate};
      event.is_noted = false;
      event.reset = [this, point](const EvaluationContext& now, VectorRef z) {
        reset(now, point, z);
      };
      events.push_back(std::move(event));
      if (may_be_loose(*place.pair)) append_loosening(point, events);
    }
  }
}

}  // namespace spacedyn
