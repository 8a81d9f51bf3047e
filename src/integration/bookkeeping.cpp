#include "integration/bookkeeping.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {

Received received_by_coordinates(const State& state, const Loads& loads, const VectorX& forces,
                                 double mass) {
  Received received;
  // the base wrench acts at the base centroid; gravity has no moment about the system centroid
  received.force = mass * loads.gravity + forces.head<3>();
  received.moment = forces.segment<3>(3);
  received.power = forces.head<3>().dot(state.v_0) + forces.segment<3>(3).dot(state.omega_0) +
                   forces.tail(state.qd.size()).dot(state.qd);
  return received;
}

void add_received_by_links(const Model& model, const LinkFrames& frames,
                           const LinkVelocities& velocities, const Loads& loads,
                           const VectorX& forces, Received& received) {
  const Vector3 r_g = center_of_mass(model, frames);
  received.moment += (frames.r[0] - r_g).cross(forces.head<3>());
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 f = loads.force.col(body);
    const Vector3 n = loads.moment.col(body);
    received.force += f;
    received.moment += n + (frames.r[i] - r_g).cross(f);
    received.power += f.dot(velocities.v[i]) + n.dot(velocities.omega[i]);
  }
}

BookVector book_rates(const Received& received, const ElementPower& power) {
  // received = work − stored − dissipated
  const double work = received.power + power.stored + power.dissipated;
  // what springs take and give back flows, too, and errors of long oscillations grow with it
  const double flow = std::abs(work) + power.dissipated + std::abs(power.stored);
  BookVector rates;
  rates << received.force, received.moment, work, power.dissipated, flow;
  return rates;
}

MomentumScale audit_scale(const SystemSums& sums) {
  constexpr double kShare = 1e-3;
  MomentumScale scale = sums.scale;
  if (!(sums.radius_squared > 0.0)) return scale;
  const double radius = std::sqrt(sums.radius_squared);
  scale.linear = std::max(scale.linear, kShare * scale.angular / radius);
  scale.angular = std::max(scale.angular, kShare * sums.relative_linear * radius);
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
