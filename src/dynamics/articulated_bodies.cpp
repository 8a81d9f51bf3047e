#include "dynamics/articulated_bodies.hpp"

#include <limits>

namespace spacedyn {
namespace {

/// An inertia below this part of the rigid one has lost all its digits.
constexpr double kSingular = 16.0 * std::numeric_limits<double>::epsilon();

ForceVector force(const std::array<double, 6>& U) {
  return {Vector3(U[0], U[1], U[2]), Vector3(U[3], U[4], U[5])};
}

/// Lets the joint below a body yield and hangs the body on the next one.
bool yield(const WalkBody& link, const State& state, const BodyMotion& motion,
           const Composite& rigid, const Loads& loads, bool free, double prescribed,
           ArticulatedBody& body, ArticulatedBody& parent) {
  const ForceVector U = body.I * motion.S;
  const MotionVector velocity_part = motion.S_dot * state.qd(link.link - 1);
  for (int i = 0; i < 3; ++i) {
    body.U[static_cast<std::size_t>(i)] = U.angular[i];
    body.U[static_cast<std::size_t>(i + 3)] = U.linear[i];
  }
  if (!free) {
    body.inverse_D = 0.0;
    parent.I += body.I;
    parent.p += body.p + body.I * (velocity_part + motion.S * prescribed);
    return true;
  }
  const double D = dot(U, motion.S) + link.armature;
  if (!(D > kSingular * dot(rigid.I * motion.S, motion.S))) return false;
  body.inverse_D = 1.0 / D;
  body.u = loads.tau(link.link - 1) - dot(body.p, motion.S);
  const ArticulatedInertia I = body.I.without(U, body.inverse_D);
  parent.I += I;
  parent.p += body.p + I * velocity_part + U * (body.u * body.inverse_D);
  return true;
}

/// M = L D Lᵀ, then M⁻¹ = L⁻ᵀ D⁻¹ L⁻¹, of six rows and so written out: a library's general
/// factorization takes several times as long. @returns whether all pivots are positive
bool invert_positive(const Matrix6& M, Matrix6& inverse) {
  Matrix6 L = Matrix6::Identity();  // below the diagonal: first L, then L⁻¹
  double pivots[6], inverse_pivot[6];
  for (int j = 0; j < 6; ++j) {
    double scaled[6];
    double pivot = M(j, j);
    for (int k = 0; k < j; ++k) {
      scaled[k] = L(j, k) * pivots[k];
      pivot -= L(j, k) * scaled[k];
    }
    if (!(pivot > 0.0)) return false;
    pivots[j] = pivot;
    inverse_pivot[j] = 1.0 / pivot;
    for (int i = j + 1; i < 6; ++i) {
      double sum = M(i, j);
      for (int k = 0; k < j; ++k) sum -= L(i, k) * scaled[k];
      L(i, j) = sum * inverse_pivot[j];
    }
  }
  for (int j = 0; j < 6; ++j) {
    for (int i = j + 1; i < 6; ++i) {
      double sum = L(i, j);
      for (int k = j + 1; k < i; ++k) sum += L(i, k) * L(k, j);
      L(i, j) = -sum;
    }
  }
  for (int j = 0; j < 6; ++j) {
    for (int i = j; i < 6; ++i) {
      double sum = 0.0;
      for (int k = i; k < 6; ++k) sum += L(k, i) * inverse_pivot[k] * L(k, j);
      inverse(i, j) = inverse(j, i) = sum;
    }
  }
  return true;
}

/// I_0⁻¹ and the acceleration of a free base.
bool solve_base(const Loads& loads, ArticulatedBodies& articulated, VectorRef acceleration) {
  const ArticulatedBody& base = articulated.bodies[0];
  Matrix6& inverse = articulated.base_inverse;
  if (!invert_positive(base.I.matrix(), inverse)) return false;
  Vector6 left;
  left << loads.F_b.tail<3>() - base.p.angular, loads.F_b.head<3>() - base.p.linear;
  const Vector6 a = inverse * left;
  // gravity counts as an acceleration of everything
  acceleration.head<3>() = a.tail<3>() + loads.gravity;
  acceleration.segment<3>(3) = a.head<3>();
  return true;
}

}  // namespace

bool solve_articulated_bodies(const TreeWalk& walk, const State& state, BodyMotions& motions,
                              const std::vector<Composite>& composites, const Loads& loads,
                              const Mobility& mobility, ArticulatedBodies& articulated,
                              VectorRef acceleration) {
  std::vector<ArticulatedBody>& bodies = articulated.bodies;
  for (std::size_t here = 0; here < bodies.size(); ++here) {
    bodies[here].I = motions[here].I;
    bodies[here].p = motions[here].f;
  }
  for (int here = walk.joint_count(); here > 0; --here) {
    const auto i = static_cast<std::size_t>(here);
    const WalkBody& link = walk[here];
    if (!yield(link, state, motions[i], composites[i], loads, mobility.joint_free(link.link),
               acceleration(link.link + 5), bodies[i],
               bodies[static_cast<std::size_t>(link.parent)])) {
      return false;
    }
  }
  if (!mobility.base_free()) {
    articulated.base_inverse.setZero();
  } else if (!solve_base(loads, articulated, acceleration)) {
    return false;
  }

  motions[0].a = base_acceleration(acceleration, loads.gravity);
  for (int here = 1; here <= walk.joint_count(); ++here) {
    const auto i = static_cast<std::size_t>(here);
    const WalkBody& link = walk[here];
    MotionVector& a = motions[i].a;
    a = motions[static_cast<std::size_t>(link.parent)].a +
        motions[i].S_dot * state.qd(link.link - 1);
    double& qdd = acceleration(link.link + 5);
    if (mobility.joint_free(link.link)) {
      qdd = bodies[i].inverse_D * (bodies[i].u - dot(force(bodies[i].U), a));
    }
    a += motions[i].S * qdd;
  }
  return true;
}

}  // namespace spacedyn
