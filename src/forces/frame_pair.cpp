#include "forces/frame_pair.hpp"

#include "forces/element_checks.hpp"
#include "forces/point_load.hpp"
#include "forces/separation.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

void FramePair::check(const Element& element, const Model& model) const {
  for (const Frame* frame : {&from_, &to_}) {
    check_body(element, frame->body, model);
    check_frame(model, *frame);
  }
  if (from_.body != to_.body) return;
  throw DomainError("'" + element.name() + "' acts between two points of body '" +
                    model.body(to_.body).name + "', expected points of two bodies");
}

PairMotion FramePair::motion(const EvaluationContext& context) const {
  const auto end = [&](const Frame& frame) {
    PairMotion::End result;
    result.r = frame_position(context.frames, frame);
    result.v = point_velocity(context.frames, context.velocities, frame);
    result.omega = context.velocities.omega[static_cast<std::size_t>(frame.body)];
    return result;
  };
  PairMotion motion{on_ground() ? PairMotion::End() : end(from_), end(to_), {}};
  if (on_ground()) {
    motion.part();
  } else {
    motion.apart = separation(context, from_, to_);
  }
  return motion;
}

void FramePair::apply(const EvaluationContext& context, const Vector3& distance,
                      const PairWrench& wrench, Loads& loads) const {
  add_at(to_, context, wrench.force, wrench.moment, loads);
  add_at(from_, context, -wrench.force, -wrench.moment - distance.cross(wrench.force), loads);
}

PairMotion::End FramePair::with_perturbed_configuration(const EvaluationContext& context,
                                                        const Coordinate& coordinate,
                                                        const PairMotion::End& now) {
  const auto k = static_cast<std::size_t>(coordinate.carrier);
  const Vector3& omega_k = context.velocities.omega[k];
  PairMotion::End change;
  // what the bodies beyond do relative to the carrier turns with them
  const Vector3 carried = context.velocities.v[k] + omega_k.cross(now.r - context.frames.r[k]);
  change.r = coordinate.moves(now.r);
  change.turn = coordinate.turn;
  change.v = omega_k.cross(change.r) + coordinate.turn.cross(now.v - carried);
  change.omega = coordinate.turn.cross(now.omega - omega_k);
  return change;
}

PairMotion::End FramePair::with_perturbed_velocity(const Coordinate& coordinate,
                                                   const PairMotion::End& now) {
  PairMotion::End change;
  change.omega = coordinate.turn;
  change.v = coordinate.moves(now.r);
  return change;
}

void FramePair::add(const EvaluationContext& context, const PairMotion& now,
                    const PairMotion& change, const PairWrench& wrench,
                    const PairWrench& wrench_change, VectorRef column) const {
  const auto add_on = [&](int body, double sign, const Vector3& centroid_change) {
    const Vector3 arm = now.to.r - context.frames.r[static_cast<std::size_t>(body)];
    const Vector3 moment = wrench_change.moment + arm.cross(wrench_change.force) +
                           (change.to.r - centroid_change).cross(wrench.force);
    add_generalized_force(context.model, context.frames, body, sign * wrench_change.force,
                          sign * moment, column);
  };
  // δr of a centroid from that of the frame's origin: both are points of one body
  const auto centroid = [&](const Frame& frame, const PairMotion::End& end,
                            const PairMotion::End& moved) {
    const Vector3& r = context.frames.r[static_cast<std::size_t>(frame.body)];
    return Vector3(moved.r + moved.turn.cross(r - end.r));
  };
  add_on(to_.body, 1.0, centroid(to_, now.to, change.to));
  if (on_ground()) return;
  add_on(from_.body, -1.0, centroid(from_, now.from, change.from));
}

Separation separation(const EvaluationContext& context, const Frame& from, const Frame& to) {
  const LinkFrames& frames = context.frames;
  // places of robots are slides from the origin, which cancel before anything else is added
  Separation near, slid;
  const auto add = [&](int body, const Vector3& offset_L, double sign) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 offset = sign * (frames.A[i] * offset_L);
    near.distance += offset;
    near.velocity += context.velocities.omega[i].cross(offset);
  };
  int a = from.body, b = to.body;
  add(a, from.position, -1.0);
  add(b, to.position, 1.0);
  while (a != b) {
    const double sign = a > b ? -1.0 : 1.0;
    int& body = a > b ? a : b;
    const int lower = context.model.topology().connection(body);
    const Joint& joint = context.model.joint(body);
    if (joint.slide != 0.0) {
      const Vector3 along = sign * joint.slide * frames.k[static_cast<std::size_t>(body)];
      const Vector3 way = context.state.q(body - 1) * along;
      slid.distance += way;
      slid.velocity += context.state.qd(body - 1) * along +
                       context.velocities.omega[static_cast<std::size_t>(lower)].cross(way);
    }
    add(lower, joint.origin, sign);
    body = lower;
  }
  return {slid.distance + near.distance, slid.velocity + near.velocity};
}

}  // namespace spacedyn
