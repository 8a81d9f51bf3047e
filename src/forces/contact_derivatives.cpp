#include <algorithm>

#include "collision/ground_ball.hpp"
#include "forces/contact_touch.hpp"
#include "forces/frame_pair.hpp"

namespace spacedyn {
namespace {

/// A point of a shape, from its centre in its axes, as a frame.
Frame frame_in(const BodyShape& shape, const Vector3& place) {
  return {"", shape.frame.body, shape.frame.position + shape.frame.rotation * place,
          shape.frame.rotation};
}

FramePair frames_of(const ContactPair& pair, int point) {
  const BodyShape& a = pair.a;
  const GroundBall ball = ground_ball(a.type, a.size, a.hull.get(), point);
  const Frame ground{"", FramePair::kGround, Vector3::Zero(), Matrix3::Identity()};
  return {pair.on_ground ? ground : frame_in(pair.b, Vector3::Zero()), frame_in(a, ball.center)};
}

}  // namespace

/// Two balls that touch, or a ball and the ground, and how what acts between them changes.
struct ContactForce::Balls {
  /// What changes: motion of the centres, and states of the contact.
  struct Cause {
    PairMotion motion;
    double impact_speed = 0.0;
    Vector3 bristle = Vector3::Zero();  // in the axes of the second body
  };
  /// Changes at the point of contact.
  struct Meeting {
    Vector3 normal, arm, sliding, omega;  // arm: from the centre of the first ball
    double depth, rate;
  };
  /// Of the wrench at the centre of the first ball, and of the rate of the bristle, in the axes of
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
  Matrix3 normal_gradient = Matrix3::Zero();  // by the distance of the centres, or from the ground
  Vector3 arm_a = Vector3::Zero(), arm_b = Vector3::Zero();  // from centres to the point of contact

  Balls(const ContactForce& owner, const EvaluationContext& context, const Touch& at)
      : contact(owner),
        touch(at),
        pair(frames_of(*at.pair, at.point)),
        motion(pair.motion(context)),
        answer(owner.answer(context, at, 0)) {
    const ContactPoint& met = now().at;
    arm_a = met.point - motion.to.r;
    arm_b = met.point - motion.from.r;
    normal_gradient = at.pair->on_ground
                          ? owner.settings_.terrain->nearest(motion.to.r).normal_gradient
                          : Matrix3((Matrix3::Identity() - met.normal * met.normal.transpose()) /
                                    motion.distance().norm());
  }

  const Motion& now() const { return touch.motions[0]; }
  const Vector3& normal() const { return now().at.normal; }
  Vector3 force() const { return answer.normal * normal() + answer.friction; }
  PairWrench wrench() const { return {force(), answer.moment + arm_a.cross(force())}; }

  Meeting meeting(const PairMotion& change) const {
    const Vector3& n = normal();
    Meeting d;
    d.normal = normal_gradient * change.distance();
    d.depth = -n.dot(change.distance());
    // between two balls the point is in the middle of the overlap
    const double share = touch.pair->on_ground ? 0.0 : 0.5;
    d.arm = share * d.depth * n + n.dot(arm_a) * d.normal;
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
    const NormalContact::Slopes slopes = contact.normal_.slopes(at.at.depth, at.rate, at.side);
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
  if (!are_balls_) return false;
  for_each_touch(context, [&](const Touch& touch) { differentiate(context, touch, derivatives); });
  return true;
}

void ContactForce::differentiate(const EvaluationContext& context, const Touch& touch,
                                 LoadDerivatives& derivatives) const {
  const Balls balls(*this, context, touch);
  const PairWrench wrench = balls.wrench();
  const bool has_bristle = settings_.friction.has_bristle();
  const Eigen::Index first =
      derivatives.slice + static_cast<Eigen::Index>(touch.number) * states_per_point_;
  const auto add = [&](const Balls::Cause& cause, MatrixX& force, MatrixX& rate,
                       Eigen::Index column) {
    const Balls::Effect effect = balls.effect(cause);
    balls.pair.add(context, balls.motion, cause.motion, wrench, effect.wrench, force.col(column));
    if (has_bristle) rate.col(column).segment<3>(first + bristle_at_) += effect.bristle_rate;
  };
  balls.pair.for_each_change(
      context, balls.motion, [&](const PairMotion& change, bool by_velocity, Eigen::Index column) {
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
