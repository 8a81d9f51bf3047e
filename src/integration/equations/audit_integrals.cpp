#include "integration/equations/audit_integrals.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {

Received received_by_coordinates(const Loads& loads, const VectorX& forces, double mass) {
  // the base wrench acts at the base centroid; gravity has no moment about the system centroid
  return {mass * loads.gravity + forces.head<3>(), forces.segment<3>(3)};
}

void add_received_by_links(const Model& model, const LinkFrames& frames, const Loads& loads,
                           const VectorX& forces, Received& received) {
  const Vector3 r_g = center_of_mass(model, frames);
  received.moment += (frames.r[0] - r_g).cross(forces.head<3>());
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 f = loads.force.col(body);
    const Vector3 n = loads.moment.col(body);
    received.force += f;
    received.moment += n + (frames.r[i] - r_g).cross(f);
  }
}

double size_of_wrenches(const Loads& loads) {
  return loads.force.lpNorm<1>() + loads.moment.lpNorm<1>();
}

double power_on_coordinates(const State& state, const Loads& loads) {
  return loads.F_b.head<3>().dot(state.v_0) + loads.F_b.tail<3>().dot(state.omega_0) +
         loads.tau.dot(state.qd);
}

double power_on_bodies(const LinkVelocities& velocities, const Loads& loads) {
  double power = 0.0;
  for (std::size_t i = 0; i < velocities.v.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    power += loads.force.col(column).dot(velocities.v[i]) +
             loads.moment.col(column).dot(velocities.omega[i]);
  }
  return power;
}

void write_integral_rates(const Received& received, const std::vector<ElementPower>& powers,
                          double motion, const OtherSources& others, VectorRef rates) {
  rates.segment<3>(StateLayout::impulse) = received.force;
  rates.segment<3>(StateLayout::angular_impulse) = received.moment;
  double work = motion, dissipated = 0.0, stored = 0.0;
  int source = 0;
  for (const ElementPower& power : powers) {
    rates(StateLayout::work(source)) = power.work();
    rates(StateLayout::dissipated(source)) = power.dissipated;
    work += power.work();
    dissipated += power.dissipated;
    stored += power.stored;
    ++source;
  }
  if (others.motion >= 0) {
    rates(StateLayout::work(others.motion)) = motion;
    rates(StateLayout::dissipated(others.motion)) = 0.0;
  }
  if (others.events >= 0) rates.segment<2>(StateLayout::work(others.events)).setZero();
  // what springs take and give back flows, too, and errors of long oscillations grow with it
  rates(StateLayout::throughput) = std::abs(work) + dissipated + std::abs(stored);
}

MomentumScale audit_scale(const SystemSums& sums, double least_momentum) {
  constexpr double kFraction = 1e-3;
  constexpr double kRounding = 1e-6;  // of what only moves along, turning is known by so much less
  MomentumScale scale = sums.scale;
  scale.linear = std::max(scale.linear, least_momentum);
  if (!(sums.radius_squared > 0.0)) return scale;
  const double radius = std::sqrt(sums.radius_squared);
  scale.linear = std::max(scale.linear, kFraction * scale.angular / radius);
  scale.angular = std::max({scale.angular, kFraction * sums.relative_linear * radius,
                            kRounding * scale.linear * radius, least_momentum * radius});
  return scale;
}

double least_energy(const Energy& energy, double of_tolerance) {
  return std::max(of_tolerance,
                  kRoundingOfSums * (std::abs(energy.gravity) + std::abs(energy.elastic)));
}

void add_integrals(const AuditIntegrals& change, int source, VectorRef integrals) {
  integrals.segment<3>(StateLayout::impulse) += change.impulse;
  integrals.segment<3>(StateLayout::angular_impulse) += change.angular_impulse;
  integrals(StateLayout::throughput) += change.throughput;
  integrals(StateLayout::work(source)) += change.work;
  integrals(StateLayout::dissipated(source)) += change.dissipated;
}

AuditIntegrals unpack_integrals(ConstVectorRef integrals) {
  AuditIntegrals sum;
  sum.impulse = integrals.segment<3>(StateLayout::impulse);
  sum.angular_impulse = integrals.segment<3>(StateLayout::angular_impulse);
  sum.throughput = integrals(StateLayout::throughput);
  for (int source = 0; StateLayout::work(source) < integrals.size(); ++source) {
    sum.work += integrals(StateLayout::work(source));
    sum.dissipated += integrals(StateLayout::dissipated(source));
  }
  return sum;
}

}  // namespace spacedyn
