#include "spacedyn/forces/contact_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

Vector3 velocity_at(const EvaluationContext& context, int body, const Vector3& point) {
  const auto i = static_cast<std::size_t>(body);
  return context.velocities.v[i] + context.velocities.omega[i].cross(point - context.frames.r[i]);
}

/// The first state of a point that is apart; 0 before it is known.
constexpr double kApart = -1.0;
/// Where the states of a bristle stand, behind that one.
constexpr Eigen::Index kBristleAt = 1;

/// m; nearer to the surface than this a point touches if it goes in.
constexpr double kRounding = 1e-12;

/// Pairs whose bounding spheres are further apart than this share of their radii do not touch.
constexpr double kMargin = 1e-6;

bool may_touch(const ContactPair& pair, const ShapePose& a, const ShapePose& b) {
  if (pair.on_ground) return true;
  const double reach = bounding_radius(a.type, a.size) + bounding_radius(b.type, b.size);
  return (a.position - b.position).squaredNorm() <= (1.0 + kMargin) * reach * reach;
}

}  // namespace

/// A point of contact and how the first body moves there against the second.
struct ContactForce::Motion {
  const ContactPair* pair;
  ContactPoint at;
  Vector3 sliding;  // in the tangent plane
  Vector3 omega;
  Matrix3 axes;  // of the second body
  double rate;   // of the depth
  double side;   // the first state of the point: the speed of its impact, or that it is apart

  /// Steps end where a point begins or ceases to touch; within a step it keeps to its side, so that
  /// no trial beyond its end sees the other one.
  bool touches() const { return side == 0.0 ? at.depth > 0.0 : side > 0.0; }
};

/// What acts at a point.
struct ContactForce::Answer {
  double normal = 0.0, elastic = 0.0;
  Vector3 friction = Vector3::Zero(), moment = Vector3::Zero();       // on the first body
  Vector3 bristle = Vector3::Zero(), bristle_rate = Vector3::Zero();  // z and ż, inertial
};

ContactForce::ContactForce(std::string name, const Settings& settings)
    : EnergyRateElement(std::move(name)), settings_(settings), normal_(settings.normal) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  settings.friction.check();
  require(!settings.pairs.empty(), "a contact needs a pair of shapes");
  for (const ContactPair& pair : settings_.pairs) {
    require(pair.point_count() > 0, "the contact between these two types of shapes is not known");
    require(!pair.on_ground || settings.terrain != nullptr, "a contact with the ground needs one");
    places_.push_back({&pair, point_count_});
    point_count_ += pair.point_count();
  }
  states_per_point_ = static_cast<int>(kBristleAt) + (settings.friction.has_bristle() ? 3 : 0);
}

ContactForce::~ContactForce() = default;

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
                                          const ShapePose& a, const ShapePose& b,
                                          int number) const {
  Motion motion{&pair, {}, Vector3::Zero(), Vector3::Zero(), Matrix3::Identity(), 0.0, 0.0};
  const int body = pair.a.frame.body;
  motion.at =
      pair.on_ground ? contact_point(a, *settings_.terrain, number) : contact_point(a, b, number);
  motion.omega = context.velocities.omega[static_cast<std::size_t>(body)];
  Vector3 velocity = velocity_at(context, body, motion.at.point);
  if (!pair.on_ground) {
    const auto other = static_cast<std::size_t>(pair.b.frame.body);
    velocity -= velocity_at(context, pair.b.frame.body, motion.at.point);
    motion.omega -= context.velocities.omega[other];
    motion.axes = context.frames.A[other];
  }
  motion.rate = -motion.at.normal.dot(velocity);
  motion.sliding = velocity + motion.rate * motion.at.normal;
  return motion;
}

template <typename Visit>
void ContactForce::for_each_point(const EvaluationContext& context, bool touching_only,
                                  const Visit& visit) const {
  for (const Place& place : places_) {
    const ContactPair& pair = *place.pair;
    const ShapePose a = pair.a.at(context.frames);
    const ShapePose b = pair.on_ground ? ShapePose() : pair.b.at(context.frames);
    const auto side = [&](int number) {
      return context.auxiliary(static_cast<Eigen::Index>(place.first + number) * states_per_point_);
    };
    if (touching_only && !may_touch(pair, a, b) && !(side(0) > 0.0)) continue;
    const int count = pair.point_count();
    for (int number = 0; number < count; ++number) {
      if (touching_only && side(number) < 0.0) continue;
      Motion now = motion(context, pair, a, b, number);
      if (touching_only) now.side = side(number);
      if (!touching_only || now.touches()) visit(now, place.first + number);
    }
  }
}

ContactForce::Motion ContactForce::motion_of(const EvaluationContext& context, int point) const {
  const auto next = std::upper_bound(places_.begin(), places_.end(), point,
                                     [](int value, const Place& at) { return value < at.first; });
  const Place& place = *std::prev(next);
  const ContactPair& pair = *place.pair;
  return motion(context, pair, pair.a.at(context.frames),
                pair.on_ground ? ShapePose() : pair.b.at(context.frames), point - place.first);
}

ContactForce::Motion ContactForce::deepest(const EvaluationContext& context) const {
  Motion deepest{nullptr, {}, Vector3::Zero(), Vector3::Zero(), Matrix3::Identity(), 0.0, 0.0};
  for_each_point(context, false, [&](const Motion& motion, int) {
    if (deepest.pair == nullptr || motion.at.depth > deepest.at.depth) deepest = motion;
  });
  return deepest;
}

ContactForce::Answer ContactForce::answer(const EvaluationContext& context, const Motion& motion,
                                          int point) const {
  Answer answer;
  const ContactFriction& friction = settings_.friction;
  const Eigen::Index first = static_cast<Eigen::Index>(point) * states_per_point_;
  answer.elastic = normal_.elastic(motion.at.depth);
  answer.normal = normal_.force(motion.at.depth, motion.rate, context.auxiliary(first));
  if (!friction.is_present()) return answer;
  const double pressing = std::max(0.0, answer.normal);
  answer.moment = friction.moment(pressing, motion.at.normal, motion.omega);
  if (!friction.has_bristle()) {
    answer.friction = friction.coulomb(pressing, motion.sliding);
    return answer;
  }
  const Vector3& n = motion.at.normal;
  answer.bristle = motion.axes * context.auxiliary.segment<3>(first + kBristleAt);
  const Vector3 spring = friction.stiffness * answer.bristle;
  const Vector3 across = spring - n.dot(spring) * n;
  const Vector3 held = across + friction.damping * motion.sliding;
  const double most = friction.coefficient_at(motion.sliding.norm()) * pressing;
  const double size = held.norm();
  if (size <= most) {
    answer.friction = -held;
    answer.bristle_rate = motion.sliding;
  } else {
    answer.friction = -most / size * held;
    answer.bristle_rate = (-answer.friction - spring) / friction.damping;
  }
  return answer;
}

void ContactForce::apply(const EvaluationContext& context, Loads& loads) const {
  for_each_point(context, true, [&](const Motion& motion, int point) {
    const Answer now = answer(context, motion, point);
    const Vector3 force = now.normal * motion.at.normal + now.friction;
    const auto add = [&](int body, double sign) {
      loads.add_wrench(body, context.frames.r[static_cast<std::size_t>(body)], motion.at.point,
                       sign * force, sign * now.moment);
    };
    add(motion.pair->a.frame.body, 1.0);
    if (!motion.pair->on_ground) add(motion.pair->b.frame.body, -1.0);
  });
}

void ContactForce::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  zd.setZero();
  if (!settings_.friction.has_bristle()) return;
  for_each_point(context, true, [&](const Motion& motion, int point) {
    zd.segment<3>(static_cast<Eigen::Index>(point) * states_per_point_ + kBristleAt) =
        motion.axes.transpose() * answer(context, motion, point).bristle_rate;
  });
}

double ContactForce::stored_energy(const EvaluationContext& context) const {
  double energy = 0.0;
  for_each_point(context, true,
                 [&](const Motion& motion, int) { energy += normal_.energy(motion.at.depth); });
  if (!settings_.friction.has_bristle()) return energy;
  for (Eigen::Index first = kBristleAt; first < auxiliary_size(); first += states_per_point_) {
    energy +=
        0.5 * settings_.friction.stiffness * context.auxiliary.segment<3>(first).squaredNorm();
  }
  return energy;
}

EnergyRates ContactForce::energy_rates(const EvaluationContext& context) const {
  EnergyRates rates;
  for_each_point(context, true, [&](const Motion& motion, int point) {
    const Answer now = answer(context, motion, point);
    const double stretching = settings_.friction.stiffness * now.bristle.dot(now.bristle_rate);
    rates.stored += now.elastic * motion.rate + stretching;
    rates.dissipated += (now.normal - now.elastic) * motion.rate -
                        now.friction.dot(motion.sliding) - now.moment.dot(motion.omega) -
                        stretching;
  });
  return rates;
}

void ContactForce::integrands(const EvaluationContext& context, VectorRef rates) const {
  rates.setZero();
  for_each_point(context, true, [&](const Motion& motion, int point) {
    const Answer now = answer(context, motion, point);
    rates(0) += std::max(0.0, now.normal);
    rates(1) += now.friction.dot(motion.sliding) + now.moment.dot(motion.omega);
  });
}

double ContactForce::normal_force(const EvaluationContext& context) const {
  double force = 0.0;
  for_each_point(context, true, [&](const Motion& motion, int point) {
    force += std::max(0.0, answer(context, motion, point).normal);
  });
  return force;
}

ContactReading ContactForce::reading(const EvaluationContext& context) const {
  ContactReading reading;
  reading.depth = -std::numeric_limits<double>::infinity();
  Vector3 weighted = Vector3::Zero(), friction = Vector3::Zero();
  for_each_point(context, false, [&](const Motion& motion, int point) {
    if (motion.at.depth > reading.depth) {
      reading.depth = motion.at.depth;
      reading.point = motion.at.point;
    }
    if (!(motion.at.depth > 0.0)) return;
    const Answer now = answer(context, motion, point);
    reading.normal_force += now.normal;
    weighted += now.normal * motion.at.point;
    friction += now.friction;
    reading.slip_velocity = std::max(reading.slip_velocity, motion.sliding.norm());
  });
  if (reading.normal_force > 0.0) reading.point = weighted / reading.normal_force;
  reading.friction = friction.norm();
  return reading;
}

double ContactForce::depth(const EvaluationContext& context) const {
  return deepest(context).at.depth;
}

double ContactForce::depth_rate(const EvaluationContext& context) const {
  return deepest(context).rate;
}

void ContactForce::reset(const EvaluationContext& context, int point, VectorRef z) const {
  const Motion now = motion_of(context, point);
  auto own = z.segment(static_cast<Eigen::Index>(point) * states_per_point_, states_per_point_);
  own.setZero();
  // at the instant itself the depth is zero but for roundings
  const bool touches = now.at.depth > kRounding || (now.at.depth > -kRounding && now.rate > 0.0);
  own(0) = touches ? std::max(now.rate, std::numeric_limits<double>::min()) : kApart;
}

void ContactForce::append_events(std::vector<ElementEvent>& events) const {
  const auto depth_now = [this](const EvaluationContext& now) { return depth(now); };
  const auto rate_now = [this](const EvaluationContext& now) { return depth_rate(now); };
  events.push_back({name() + " touches", depth_now, rate_now, CrossingDirection::rising});
  events.push_back({name() + " lifts", depth_now, rate_now, CrossingDirection::falling});
  for (int point = 0; point < point_count_; ++point) {
    ElementEvent event{
        name() + " point " + std::to_string(point + 1),
        [this, point](const EvaluationContext& now) { return motion_of(now, point).at.depth; }};
    event.rate = [this, point](const EvaluationContext& now) { return motion_of(now, point).rate; };
    event.is_noted = false;
    event.reset = [this, point](const EvaluationContext& now, VectorRef z) {
      reset(now, point, z);
    };
    events.push_back(std::move(event));
  }
}

}  // namespace spacedyn
