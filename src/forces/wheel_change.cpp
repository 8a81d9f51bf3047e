#include "forces/wheel_loads.hpp"

namespace spacedyn {
namespace {

FramePair pair_of(int link) {
  return {Frame{"", FramePair::kGround, Vector3::Zero(), Matrix3::Identity()},
          Frame{"", link, Vector3::Zero(), Matrix3::Identity()}};
}

}  // namespace

WheelVariation::WheelVariation(const EvaluationContext& context, const WheelElement::Mount& mount)
    : context_(context),
      radius_(mount.radius),
      pair_(pair_of(mount.link)),
      motion_(pair_.motion(context)),
      stance_(wheel_stance(mount, context)),
      normal_rate_(stance_.ground.normal_gradient * stance_.velocity),
      // third derivatives of the distance do not depend on their order
      normal_rate_by_place_(
          mount.terrain->normal_gradient_change(stance_.ground, stance_.velocity)) {}

WheelChange WheelVariation::change_by(const PairMotion& motion) const {
  const WheelStance& at = stance_;
  const SurfacePoint& ground = at.ground;
  const PairMotion::End& move = motion.to;
  const Vector3 &n = ground.normal, &v = at.velocity, &axis = at.axis;
  WheelChange d;
  d.motion = motion;
  d.axis = move.turn.cross(axis);
  const double distance = n.dot(move.r);
  const Vector3 normal = ground.normal_gradient * move.r;
  const Vector3 normal_rate = normal_rate_by_place_ * move.r + ground.normal_gradient * move.v;
  d.place = move.r - distance * n - ground.distance * normal;
  d.ground_velocity = move.v - (normal.dot(v) + n.dot(move.v)) * n - n.dot(v) * normal -
                      distance * normal_rate_ - ground.distance * normal_rate;
  if (!at.stands) return d;
  const double u = at.upright, lean = normal.dot(axis) + n.dot(d.axis),
               upright = -at.lean * lean / u;
  d.heading = (d.axis.cross(n) + axis.cross(normal) - upright * at.heading) / u;
  d.up = d.heading.cross(axis) + at.heading.cross(d.axis);
  // sinkage h = r − ζ/cos γ and its rate
  const Vector3 tilting = at.omega.cross(axis);
  const double lean_rate = axis.dot(normal_rate_) + n.dot(tilting);
  const double lean_rate_change = d.axis.dot(normal_rate_) + axis.dot(normal_rate) +
                                  normal.dot(tilting) +
                                  n.dot(move.omega.cross(axis) + at.omega.cross(d.axis));
  const double u2 = u * u, u3 = u2 * u, per = ground.distance / u3;
  d.scalars.sinkage = -distance / u + ground.distance * upright / u2;
  d.scalars.sinkage_rate = -(normal.dot(v) + n.dot(move.v)) / u + n.dot(v) * upright / u2 -
                           distance * at.lean * lean_rate / u3 -
                           per * (lean * lean_rate + at.lean * lean_rate_change) +
                           3.0 * per / u * at.lean * lean_rate * upright;
  d.scalars.forward = d.heading.dot(v) + at.heading.dot(move.v);
  d.scalars.sideward = d.axis.dot(v) + axis.dot(move.v);
  d.scalars.rim = radius_ * (d.axis.dot(at.omega) + axis.dot(move.omega));
  return d;
}

void WheelVariation::add(const WheelChange& change, const WheelLoads<double>& now,
                         const WheelLoads<double>& loads_change, VectorRef column) const {
  WheelPose axes;  // the change of the wheel's axes in the place of the axes
  axes.heading = change.heading;
  axes.axis = change.axis;
  axes.up = change.up;
  pair_.add(context_, motion_, change.motion, {force_of(now, stance_), moment_of(now, stance_)},
            {force_of(loads_change, stance_) + force_of(now, axes),
             moment_of(loads_change, stance_) + moment_of(now, axes)},
            column);
}

}  // namespace spacedyn
