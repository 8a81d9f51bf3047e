// The deepest point of a contact, and whether points press that touch.
#include <limits>

#include "forces/contact_touch.hpp"
#include "forces/root_bound.hpp"
#include "spacedyn/forces/contact_force.hpp"

namespace spacedyn {

double ContactForce::distance_apart(const EvaluationContext& context, const Place& place) const {
  if (place.pair->on_ground) return 0.0;
  const Vector3 between =
      place.pair->a.center(context.frames) - place.pair->b.center(context.frames);
  if (between.squaredNorm() <= place.reach * place.reach) return 0.0;
  return between.norm() - place.reach;
}

bool ContactForce::is_part_below(const EvaluationContext& context, const Place& place, int part,
                                 double depth) const {
  if (place.pair->ground_parts == 1) return false;
  const Vector3 center = place.pair->a.center(context.frames);
  return place.reach - settings_.terrain->part(part).nearest(center).distance < depth;
}

ContactForce::Motion ContactForce::deepest(const EvaluationContext& context) const {
  Motion deepest{nullptr, {}, Vector3::Zero(), Vector3::Zero(), 0.0, 1.0, 0.0};
  double most = -std::numeric_limits<double>::infinity();
  for (const Place& place : places_) {
    // those that are further apart than the deepest one need no second look
    if (!place.pair->on_ground && -distance_apart(context, place) < most) continue;
    const int count = place.pair->point_count(), each = count / place.pair->ground_parts;
    for (int number = 0; number < count; ++number) {
      if (number % each == 0 && is_part_below(context, place, number / each, most)) {
        number += each - 1;
        continue;
      }
      const Motion now = motion_of(context, place, number);
      if (deepest.pair != nullptr && !(now.event_depth() > most)) continue;
      most = now.event_depth();
      deepest = now;
    }
  }
  return deepest;
}

double ContactForce::depth(const EvaluationContext& context) const {
  return deepest(context).event_depth();
}

double ContactForce::depth_rate(const EvaluationContext& context) const {
  return deepest(context).rate;
}

bool ContactForce::may_be_loose(const ContactPair& pair) const {
  Motion motion{};
  motion.pair = &pair;
  return motion.may_be_loose(normal_);
}

/// The instants at which the damper ends what presses, and lets it press again.
void ContactForce::append_loosening(int point, std::vector<ElementEvent>& events) const {
  const Eigen::Index at = static_cast<Eigen::Index>(point) * states_per_point_;
  const auto push = [this, point, at](const EvaluationContext& now) {
    if (!is_touching(now.auxiliary(at))) return std::numeric_limits<double>::min();
    return motion_of(now, point).event_push(normal_);
  };
  const auto bound = [at](const EvaluationContext& now) {
    RootBound found;
    if (!is_touching(now.auxiliary(at))) found.kind = RootBound::Kind::implied;
    return found;
  };
  ElementEvent event{name() + " point " + std::to_string(point + 1) + " presses",
                     BoundedRoot(push, bound)};
  event.is_noted = false;
  event.resets_when_due = true;
  event.reset = [this, point, at](const EvaluationContext& now, VectorRef z) {
    if (is_touching(z(at))) z(at) = motion_of(now, point).touching_side(normal_);
  };
  events.push_back(std::move(event));
}

}  // namespace spacedyn
