#include "integration/bookkeeping.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {

BookVector book_rates(const Model& model, const State& state, const LinkFrames& frames,
                      const LinkVelocities& velocities, const Loads& loads, const VectorX& forces,
                      const ElementPower& power) {
  const Vector3 r_g = center_of_mass(model, frames);
  // the base wrench acts at the base centroid; gravity has no moment about the system centroid
  Vector3 force = model.total_mass() * loads.gravity + forces.head<3>();
  Vector3 moment = forces.segment<3>(3) + (frames.r[0] - r_g).cross(forces.head<3>());
  double received = forces.head<3>().dot(state.v_0) + forces.segment<3>(3).dot(state.omega_0) +
                    forces.tail(model.joint_count()).dot(state.qd);
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 f = loads.force.col(body);
    const Vector3 n = loads.moment.col(body);
    force += f;
    moment += n + (frames.r[i] - r_g).cross(f);
    received += f.dot(velocities.v[i]) + n.dot(velocities.omega[i]);
  }

  // received = work − stored − dissipated
  const double work = received + power.stored + power.dissipated;
  BookVector rates;
  rates << force, moment, work, power.dissipated, std::abs(work) + power.dissipated;
  return rates;
}

MomentumScale audit_scale(const Model& model, const LinkFrames& frames,
                          const LinkVelocities& velocities) {
  constexpr double kShare = 1e-3;
  double mass = 0.0;
  double inertia = 0.0;
  double relative = 0.0;  // Σ m_i |v_i − v_0|
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const double m = model.body(body).mass;
    mass += m;
    inertia +=
        0.5 * model.body(body).inertia_L.trace() + m * (frames.r[i] - frames.r[0]).squaredNorm();
    relative += m * (velocities.v[i] - velocities.v[0]).norm();
  }

  MomentumScale scale = momentum_scale(model, frames, velocities);
  if (!(mass > 0.0) || !(inertia > 0.0)) return scale;
  const double radius = std::sqrt(inertia / mass);
  scale.linear = std::max(scale.linear, kShare * scale.angular / radius);
  scale.angular = std::max(scale.angular, kShare * relative * radius);
  return scale;
}

BookVector pack_books(const Bookkeeping& books) {
  BookVector packed;
  packed << books.impulse, books.angular_impulse, books.work, books.dissipated, books.throughput;
  return packed;
}

Bookkeeping unpack_books(const BookVector& books) {
  return {books.head<3>(), books.segment<3>(3), books(6), books(7), books(8)};
}

}  // namespace spacedyn
