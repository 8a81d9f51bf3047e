#include "dynamics/body_motion.hpp"

namespace spacedyn {
namespace {

/// A · R_z: turns the first two columns.
void turn_about_z(Matrix3& A, double c, double s) {
  for (int row = 0; row < 3; ++row) {
    const double x = A(row, 0), y = A(row, 1);
    A(row, 0) = c * x + s * y;
    A(row, 1) = c * y - s * x;
  }
}

void place(const WalkBody& link, const BodyMotion& parent, double q, double cosine, double sine,
           BodyMotion& body) {
  using elementwise::cross, elementwise::scaled, elementwise::sum, elementwise::times;
  for (int column = 0; column < 3; ++column) {
    body.A.col(column) = times(parent.A, Vector3(link.rotation.col(column)));
  }
  const Vector3 k = body.A.col(2);
  const Vector3 p = sum(parent.o, times(parent.A, link.origin));
  if (link.revolute) {
    turn_about_z(body.A, cosine, sine);
    body.o = p;
    body.S = {k, cross(p, k)};
  } else {
    body.o = sum(p, scaled(k, q));
    body.S = {Vector3::Zero(), k};
  }
  body.c = sum(body.o, times(body.A, link.center_of_mass));
}

void compute_inertia(const WalkBody& link, BodyMotion& body) {
  const Vector3 h = elementwise::scaled(body.c, link.mass);
  body.I.mass = link.mass;
  body.I.first_moment = h;
  body.I.rotational = link.inertia_L.rotated(body.A) -
                      SymmetricMatrix::sum_of_tildes(elementwise::scaled(h, 0.5), body.c);
}

void compute_bias(const Loads& loads, int link, BodyMotion& body) {
  body.momentum = body.I * body.v;
  body.f = cross_star(body.v, body.momentum);
  const Vector3 f = loads.force.col(link);
  body.f -= {loads.moment.col(link) + body.c.cross(f), f};
}

}  // namespace

void compute_body_motions(const TreeWalk& walk, const State& state, const JointAngles& angles,
                          const Loads& loads, BodyMotions& bodies) {
  BodyMotion& base = bodies[0];
  base.A = state.A_0;
  base.c.setZero();
  base.o = -(state.A_0 * walk[0].center_of_mass);
  base.v = {state.omega_0, Vector3::Zero()};
  compute_inertia(walk[0], base);
  compute_bias(loads, 0, base);
  for (int here = 1; here <= walk.joint_count(); ++here) {
    const WalkBody& link = walk[here];
    const BodyMotion& parent = bodies[static_cast<std::size_t>(link.parent)];
    BodyMotion& body = bodies[static_cast<std::size_t>(here)];
    const int joint = link.link - 1;
    place(link, parent, state.q(joint), angles.cosine(joint), angles.sine(joint), body);
    body.S_dot = cross(parent.v, body.S);
    body.v = parent.v + body.S * state.qd(joint);
    compute_inertia(link, body);
    compute_bias(loads, link.link, body);
  }
}

void compute_accelerations(const TreeWalk& walk, const State& state, ConstVectorRef acceleration,
                           const Vector3& gravity, BodyMotions& bodies) {
  bodies[0].a = base_acceleration(acceleration, gravity);
  for (int here = 1; here <= walk.joint_count(); ++here) {
    const WalkBody& link = walk[here];
    BodyMotion& body = bodies[static_cast<std::size_t>(here)];
    body.a = bodies[static_cast<std::size_t>(link.parent)].a +
             body.S * acceleration(link.link + 5) + body.S_dot * state.qd(link.link - 1);
  }
}

void add_inertial_forces(BodyMotions& bodies) {
  for (BodyMotion& body : bodies) body.f += body.I * body.a;
}

}  // namespace spacedyn
