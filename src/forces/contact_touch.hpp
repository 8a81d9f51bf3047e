/// @file
/// Where and how the shapes of a contact touch. Private.
#pragma once

#include <algorithm>
#include <cmath>

#include "spacedyn/forces/contact_force.hpp"

namespace spacedyn {

/// The first state of a point that is apart; 0 before it is known.
constexpr double kApart = -1.0;
/// Where the work stands that a patch has stored.
constexpr Eigen::Index kWorkAt = 1;

/// m; nearer to the surface than this a point touches if it goes in.
constexpr double kRounding = 1e-12;
/// m; what touches lifts, and what is apart touches, when it is this far beyond the surface: depths
/// of bodies that are held together differ by roundings from zero.
constexpr double kHysteresis = 1e-13;
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

  /// Steps end where a point begins or ceases to touch; within a step it keeps to its side, so that
  /// no trial beyond its end sees the other one.
  bool touches() const { return side == 0.0 ? at.depth > 0.0 : side > 0.0; }
  /// The depth as events see it.
  double event_depth() const {
    return side == 0.0 ? at.depth : at.depth + std::copysign(kHysteresis, side);
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
    if (!pair.on_ground && !(side(0) > 0.0) && distance_apart(context, place) > 0.0) continue;
    const int count = pair.point_count();
    const auto is_apart = [&](int number) { return side(number) < 0.0; };
    bool any = false;
    for (int number = 0; number < count && !any; ++number) any = !is_apart(number);
    if (!any) continue;
    const ShapePose a = pair.a.at(context.frames);
    const ShapePose b = pair.on_ground ? ShapePose() : pair.b.at(context.frames);
    touch.pair = &pair;
    if (!pair.on_ground) {
      touch.axes = context.frames.A[static_cast<std::size_t>(pair.b.frame.body)];
    }
    for (int number = 0; number < count; ++number) {
      if (is_apart(number)) continue;
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
        if (manifold.count == 0 && side(number) > 0.0) add(manifold.deepest, 1.0);
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
