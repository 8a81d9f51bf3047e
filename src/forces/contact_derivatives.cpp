#include <algorithm>

#include "collision/contact_gradient.hpp"
#include "forces/contact_touch.hpp"
#include "forces/frame_pair.hpp"

namespace spacedyn {
namespace {

Frame centre_of(const BodyShape& shape) {
  return {"", shape.frame.body, shape.frame.position, shape.frame.rotation};
}

FramePair frames_of(const ContactPair& pair) {
  const Frame ground{"", FramePair::kGround, Vector3::Zero(), Matrix3::Identity()};
  return {pair.on_ground ? ground : centre_of(pair.b), centre_of(pair.a)};
}

}  // namespace

/// A point where two shapes, or a shape and the ground, touch, and how what acts there changes.
struct ContactForce::PointChanges {
  /// What changes: motion of the shapes, and states of the contact.
  struct Cause {
    PairMotion motion;
    double impact_speed = 0.0;
    Vector3 bristle = Vector3::Zero();  // in the axes of the second body
  };
  /// Changes at the point of contact.
  struct Meeting {
    Vector3 normal, arm, sliding, omega;  // arm: from the centre of the first shape
    double depth, rate;
  };
  /// Of the wrench at the centre of the first shape, and of the rate of the bristle, in the axes of
  /// the second body.
  struct Effect {
    PairWrench wrench;
    Vector3 bristle_rate = Vector3::Zero();
  };

  const ContactForce& contact;
  const Touch& touch;
  FramePair pair;
  PairMotion motion;
  Answer answer;
  ContactGradient gradient;
  Vector3 arm_a = Vector3::Zero(), arm_b = Vector3::Zero();  // from centres to the point of contact

  PointChanges(const ContactForce& owner, const EvaluationContext& context, const Touch& at)
      : contact(owner),
        touch(at),
        pair(frames_of(*at.pair)),
        motion(pair.motion(context)),
        answer(owner.answer(context, at, 0)),
        arm_a(now().at.point - motion.to.r),
        arm_b(now().at.point - motion.from.r) {
    const ShapePose a = at.pair->a.at(context.frames);
    gradient = at.pair->on_ground ? contact_gradient(a, *owner.settings_.terrain, at.point)
                                  : contact_gradient(a, at.pair->b.at(context.frames));
  }

  const Motion& now() const { return touch.motions[0]; }
  const Vector3& normal() const { return now().at.normal; }
  Vector3 force() const { return answer.normal * normal() + answer.friction; }
  PairWrench wrench() const { return {force(), answer.moment + arm_a.cross(force())}; }

  /// Changes of depth, normal and arm by a change of where the shapes are.
  void displace(const PairMotion& change, Meeting& d) const {
    const bool second = gradient.moves_second;
    const PairMotion::End& carrier = second ? change.to : change.from;
    const PairMotion::End& moved = second ? change.from : change.to;
    const Vector3 between = second ? Vector3(-motion.distance()) : motion.distance();
    Vector6 relative;
    relative << moved.r - carrier.r - carrier.turn.cross(between), moved.turn - carrier.turn;
    d.depth = gradient.depth * relative;
    d.normal = carrier.turn.cross(normal()) + gradient.normal * relative;
    d.arm = carrier.r + carrier.turn.cross(second ? arm_a : arm_b) + gradient.point * relative -
            change.to.r;
  }

  Meeting meeting(const PairMotion& change) const {
    const Vector3& n = normal();
    Meeting d;
    displace(change, d);
    const Vector3 velocity = change.velocity() + change.to.omega.cross(arm_a) +
                             motion.to.omega.cross(d.arm) - change.from.omega.cross(arm_b) -
                             motion.from.omega.cross(change.distance() + d.arm);
    const Vector3 flow = now().sliding - now().rate * n;
    d.rate = -d.normal.dot(flow) - n.dot(velocity);
    d.sliding = velocity + d.rate * n + now().rate * d.normal;
    d.omega = change.spin();
    return d;
  }

  Effect effect(const Cause& cause) const {
    const Meeting d = meeting(cause.motion);
    const Motion& at = now();
    const ContactFriction& friction = contact.settings_.friction;
    const NormalContact::Slopes slopes = at.slopes(contact.normal_);
    const double normal_change =
        slopes.depth * d.depth + slopes.rate * d.rate + slopes.impact_speed * cause.impact_speed;
    Effect effect;
    Vector3& force = effect.wrench.force;
    force = normal_change * normal() + answer.normal * d.normal;
    const double pressing = std::max(0.0, answer.normal);
    const double pressing_change = answer.normal > 0.0 ? normal_change : 0.0;
    Vector3 moment = Vector3::Zero();
    if (friction.is_present()) {
      moment = friction.moment_change({pressing, normal(), at.omega},
                                      {pressing_change, d.normal, d.omega});
      force += friction.has_bristle()
                   ? bristle_change(cause, d, pressing_change, effect.bristle_rate)
                   : friction.coulomb_change(pressing, at.sliding, pressing_change, d.sliding);
    }
    effect.wrench.moment = moment + d.arm.cross(this->force()) + arm_a.cross(force);
    return effect;
  }

  /// @returns the change of friction; out: that of ż
  Vector3 bristle_change(const Cause& cause, const Meeting& d, double pressing_change,
                         Vector3& rate) const {
    const ContactFriction& friction = contact.settings_.friction;
    const Vector3 &n = normal(), &turn = cause.motion.from.turn;
    const Vector3 spring = friction.stiffness * touch.bristle;
    const Vector3 spring_change =
        friction.stiffness * (touch.axes * cause.bristle + turn.cross(touch.bristle));
    const Vector3 across = spring - n.dot(spring) * n;
    const Vector3 held = across + friction.damping * now().sliding;
    const Vector3 held_change = spring_change - n.dot(spring) * d.normal -
                                (d.normal.dot(spring) + n.dot(spring_change)) * n +
                                friction.damping * d.sliding;
    const double mu = friction.coefficient_at(now().sliding.norm());
    const double most = mu * std::max(0.0, answer.normal), size = held.norm();
    Vector3 force = -held_change, stretching = d.sliding;
    if (size > most) {
      const Vector3 along = held / size;
      const double most_change =
          mu * pressing_change +
          friction.coefficient_change(now().sliding, d.sliding) * std::max(0.0, answer.normal);
      force = -most_change * along - most / size * (held_change - along.dot(held_change) * along);
      stretching = (-force - spring_change) / friction.damping;
    }
    rate = touch.axes.transpose() * (stretching - turn.cross(answer.bristle_rate));
    return force;
  }
};

bool ContactForce::differentiate(const EvaluationContext& context,
                                 LoadDerivatives& derivatives) const {
  if (!has_gradients_) return false;
  for_each_touch(context, [&](const Touch& touch) { differentiate(context, touch, derivatives); });
  return true;
}

void ContactForce::differentiate(const EvaluationContext& context, const Touch& touch,
                                 LoadDerivatives& derivatives) const {
  const PointChanges point(*this, context, touch);
  const PairWrench wrench = point.wrench();
  const bool has_bristle = settings_.friction.has_bristle();
  const Eigen::Index first =
      derivatives.slice + static_cast<Eigen::Index>(touch.number) * states_per_point_;
  const auto add = [&](const PointChanges::Cause& cause, MatrixX& force, MatrixX& rate,
                       Eigen::Index column) {
    const PointChanges::Effect effect = point.effect(cause);
    point.pair.add(context, point.motion, cause.motion, wrench, effect.wrench, force.col(column));
    if (has_bristle) rate.col(column).segment<3>(first + bristle_at_) += effect.bristle_rate;
  };
  point.pair.for_each_change(
      context, point.motion, [&](const PairMotion& change, bool by_velocity, Eigen::Index column) {
        add({change}, by_velocity ? derivatives.force_velocity : derivatives.force_configuration,
            by_velocity ? derivatives.rate_velocity : derivatives.rate_configuration, column);
      });
  MatrixX &force = derivatives.force_auxiliary, &rate = derivatives.rate_auxiliary;
  add({{}, 1.0}, force, rate, first);
  for (int i = 0; has_bristle && i < 3; ++i) {
    add({{}, 0.0, Vector3::Unit(i)}, force, rate, first + bristle_at_ + i);
  }
}

}  // namespace spacedyn
