/// @file
/// Where and how the shapes of a contact touch. Private.
#pragma once

#include <algorithm>
#include <cmath>

#include "spacedyn/forces/contact_force.hpp"

namespace spacedyn {

/// The first state of a point that is apart, and of one of the linear law that parts faster than
/// its damper lets it press; 0 before it is known, positive while it presses.
constexpr double kApart = -1.0;
constexpr double kTouchesLoose = -2.0;
inline bool is_apart(double side) { return side < 0.0 && side > 0.5 * (kApart + kTouchesLoose); }
inline bool is_loose(double side) { return side < 0.5 * (kApart + kTouchesLoose); }
inline bool is_touching(double side) { return side > 0.0 || is_loose(side); }
/// Where the work stands that a patch has stored.
constexpr Eigen::Index kWorkAt = 1;

/// What touches lifts, and what is apart touches, when it is beyond the surface by this part of the
/// size of the shapes: depths of bodies that are held together differ by roundings from zero.
constexpr double kSurfacePart = 1e-12;
/// So many times as near to the surface a point touches at the start if it goes in.
constexpr double kNearSurface = 10.0;
/// What presses lets go, and what is loose presses, when the force is beyond zero by this part of
/// those of its spring and its damper, so that roundings do not decide it.
constexpr double kPushPart = 1e-9;
/// Pairs whose bounding spheres are further apart than this share of their radii do not touch.
constexpr double kMargin = 1e-6;

/// A point of contact and how the first body moves there against the second.
struct ContactForce::Motion {
  const ContactPair* pair;
  ContactPoint at;
  Vector3 sliding;  // in the tangent plane
  Vector3 omega;
  double rate;    // of the depth
  double weight;  // springs that it counts as
  double side;    // the first state of the point: the speed of its impact, or that it is apart
  double hysteresis = 0.0;  // m

  /// Steps end where a point begins or ceases to touch; within a step it keeps to its side, so that
  /// no trial beyond its end sees the other one.
  bool touches() const { return side == 0.0 ? at.depth > 0.0 : is_touching(side); }
  /// The depth as events see it.
  double event_depth() const {
    if (side == 0.0) return at.depth;
    return at.depth + (is_touching(side) ? hysteresis : -hysteresis);
  }

  /// Whether the damper of a law alone may end what presses: then steps end there, too.
  bool may_be_loose(const NormalContact& law) const {
    const NormalContact::Settings& settings = law.settings();
    return settings.law == NormalContactLaw::linear && settings.damping > 0.0 && !pair->has_patch();
  }
  /// The force before it is kept from pulling, N. @pre may_be_loose()
  double push(const NormalContact& law) const {
    return law.elastic(at.depth) + law.settings().damping * rate;
  }
  /// The same as events see it.
  double event_push(const NormalContact& law) const {
    const double beyond =
        kPushPart * (law.elastic(std::abs(at.depth)) + law.settings().damping * std::abs(rate));
    return push(law) + (is_loose(side) ? -beyond : beyond);
  }
  /// What the law gives on its side.
  double normal_force(const NormalContact& law) const {
    if (is_loose(side)) return 0.0;
    const bool is_smooth = side > 0.0 && may_be_loose(law);
    return is_smooth ? push(law) : law.force(at.depth, rate, side);
  }
  NormalContact::Slopes slopes(const NormalContact& law) const {
    if (is_loose(side)) return {};
    if (side == 0.0 || !may_be_loose(law)) return law.slopes(at.depth, rate, side);
    return {law.slope(std::abs(at.depth)), law.settings().damping, 0.0};
  }
  /// The first state of a point that touches.
  double touching_side(const NormalContact& law) const {
    if (may_be_loose(law) && push(law) < 0.0) return kTouchesLoose;
    return std::max(rate, law.settings().least_impact_speed);
  }
};

/// One point, or the points of a patch, with a common history.
struct ContactForce::Touch {
  const ContactPair* pair;
  int number;                          // of the history
  int point;                           // of the pair
  Vector3 bristle = Vector3::Zero();   // inertial axes
  Matrix3 axes = Matrix3::Identity();  // of the second body
  int count = 0;
  std::array<Motion, ContactManifold::kMost> motions;
};

/// What acts at a point.
struct ContactForce::Answer {
  double normal = 0.0, elastic = 0.0;
  Vector3 friction = Vector3::Zero(), moment = Vector3::Zero();  // on the first body
  Vector3 bristle_rate = Vector3::Zero();                        // ż, inertial
};

template <typename Visit>
void ContactForce::for_each_touch(const EvaluationContext& context, const Visit& visit) const {
  Touch touch;
  for (const Place& place : places_) {
    const ContactPair& pair = *place.pair;
    const auto side = [&](int number) {
      return context.auxiliary(static_cast<Eigen::Index>(place.first + number) * states_per_point_);
    };
    if (!pair.on_ground && !is_touching(side(0)) && distance_apart(context, place) > 0.0) continue;
    const int count = pair.point_count();
    bool any = false;
    for (int number = 0; number < count && !any; ++number) any = !is_apart(side(number));
    if (!any) continue;
    const ShapePose a = pair.a.at(context.frames);
    const ShapePose b = pair.on_ground ? ShapePose() : pair.b.at(context.frames);
    touch.pair = &pair;
    if (!pair.on_ground) {
      touch.axes = context.frames.A[static_cast<std::size_t>(pair.b.frame.body)];
    }
    for (int number = 0; number < count; ++number) {
      if (is_apart(side(number))) continue;
      touch.number = place.first + number;
      touch.point = number;
      touch.count = 0;
      const auto add = [&](const ContactPoint& at, double weight) {
        Motion& now = touch.motions[static_cast<std::size_t>(touch.count++)];
        now = motion(context, pair, at);
        now.weight = weight;
        now.side = side(number);
      };
      if (pair.has_patch()) {
        const ContactManifold manifold = contact_manifold(a, b);
        for (int i = 0; i < manifold.count; ++i) {
          add(manifold.points[static_cast<std::size_t>(i)],
              manifold.weights[static_cast<std::size_t>(i)]);
        }
        // a trial beyond the end of the contact
        if (manifold.count == 0 && is_touching(side(number))) add(manifold.deepest, 1.0);
      } else {
        add(pair.on_ground ? contact_point(a, *settings_.terrain, number) : contact_point(a, b),
            1.0);
      }
      if (touch.count == 0 || !touch.motions[0].touches()) continue;
      if (settings_.friction.has_bristle()) {
        touch.bristle =
            touch.axes *
            context.auxiliary.segment<3>(
                static_cast<Eigen::Index>(touch.number) * states_per_point_ + bristle_at_);
      }
      visit(touch);
    }
  }
}

}  // namespace spacedyn
