#include "dynamics/derivative_terms.hpp"

namespace spacedyn {
namespace {

template <typename Spatial>
void write(const Spatial& x, double* out) {
  for (int i = 0; i < 3; ++i) {
    out[i] = x.angular[i];
    out[i + 3] = x.linear[i];
  }
}

void write(const Vector3& x, double* out) {
  for (int i = 0; i < 3; ++i) out[i] = x[i];
}

/// Terms of an axis from the lower link's point of view.
/// @param Phi  change of the bodies' acceleration per rate besides S × v
void write_terms(const MotionVector& S, const MotionVector& Psi_dot, const MotionVector& Psi_ddot,
                 const MotionVector& Phi, const Composite& above, bool has_wrenches,
                 JointTerms& terms) {
  for (int i = 9; i < JointTerms::kSize; ++i) terms.response[i] = 0.0;
  write(above.I * S, terms.response);
  write(above.D.transpose_times(S), terms.response + 6);

  write(Psi_ddot, terms.turn);
  write(Psi_dot.angular, terms.turn + 6);
  write(S.angular, terms.turn + 9);

  write(Phi, terms.rate);
  write(S.angular, terms.rate + 6);

  write(S, terms.axis);
  ForceVector load = cross_star(S, above.f) + above.I * Psi_ddot + above.D * Psi_dot.angular;
  if (has_wrenches) {
    write(above.K.transpose_times(S), terms.response + 9);
    load += above.K * S.angular;
  }
  write(load, terms.load);
  write(above.I * Phi + above.D * S.angular, terms.rate_load);
}

}  // namespace

DerivativeTerms::DerivativeTerms(const TreeWalk& walk)
    : composites(walk.bodies.size()), joints(walk.bodies.size()), base{} {}

void compute_composites(const TreeWalk& walk, const BodyMotions& bodies, const Loads& loads,
                        DerivativeTerms& terms) {
  terms.has_wrenches = !loads.force.isZero(0.0) || !loads.moment.isZero(0.0);
  for (std::size_t here = 0; here < bodies.size(); ++here) {
    const BodyMotion& body = bodies[here];
    Composite& composite = terms.composites[here];
    composite.I = body.I;
    composite.D = GyroscopicMap(body.I, body.v, body.momentum);
    if (!terms.has_wrenches) continue;
    const int link = walk.bodies[here].link;
    composite.K = HeldWrenchMap(loads.force.col(link), loads.moment.col(link), body.c);
  }
  for (int here = walk.joint_count(); here > 0; --here) {
    const Composite& above = terms.composites[static_cast<std::size_t>(here)];
    Composite& below = terms.composites[static_cast<std::size_t>(walk[here].parent)];
    below.I += above.I;
    below.D += above.D;
    if (terms.has_wrenches) below.K += above.K;
  }
}

void compute_derivative_terms(const TreeWalk& walk, const BodyMotions& bodies,
                              DerivativeTerms& terms) {
  for (std::size_t here = 0; here < bodies.size(); ++here) {
    terms.composites[here].f = bodies[here].f;
  }
  for (int here = walk.joint_count(); here > 0; --here) {
    terms.composites[static_cast<std::size_t>(walk[here].parent)].f +=
        terms.composites[static_cast<std::size_t>(here)].f;
  }
  // turning the base: v_0, ω_0 and their rates keep their inertial components
  const BodyMotion& base = bodies[0];
  for (int axis = 0; axis < 3; ++axis) {
    const MotionVector S{Vector3::Unit(axis), Vector3::Zero()};
    const MotionVector Psi_dot = cross(base.v, S);
    const MotionVector Psi_ddot = cross(base.a, S) + cross(base.v, Psi_dot);
    write_terms(S, Psi_dot, Psi_ddot, Psi_dot, terms.composites[0], terms.has_wrenches,
                terms.base[static_cast<std::size_t>(axis)]);
  }
  for (int here = 1; here <= walk.joint_count(); ++here) {
    const auto i = static_cast<std::size_t>(here);
    const BodyMotion& lower = bodies[static_cast<std::size_t>(walk[here].parent)];
    const MotionVector& S = bodies[i].S;
    const MotionVector& Psi_dot = bodies[i].S_dot;
    const MotionVector Psi_ddot = cross(lower.a, S) + cross(lower.v, Psi_dot);
    write_terms(S, Psi_dot, Psi_ddot, Psi_dot * 2.0, terms.composites[i], terms.has_wrenches,
                terms.joints[i]);
  }
}

}  // namespace spacedyn
