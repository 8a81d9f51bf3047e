#include "forces/separation.hpp"

namespace spacedyn {

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
