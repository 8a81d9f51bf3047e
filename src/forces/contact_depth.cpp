// The deepest point of a contact.
#include <limits>

#include "forces/contact_touch.hpp"
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
  const BodyShape& shape = place.pair->a;
  const double reach = (1.0 + kMargin) * bounding_radius(shape.type, shape.size, shape.hull.get());
  return reach - settings_.terrain->part(part).nearest(shape.center(context.frames)).distance <
         depth;
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

}  // namespace spacedyn
