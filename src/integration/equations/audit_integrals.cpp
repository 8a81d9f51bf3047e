#include "integration/equations/audit_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integration/equations/run_memory.hpp"
#include "spacedyn/integration/audit.hpp"
#include "spacedyn/math/rotations.hpp"

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
  constexpr double kTurning = 1e-6;  // of what only moves along, turning is known by so much less
  MomentumScale scale = sums.scale;
  scale.linear = std::max(scale.linear, least_momentum);
  if (!(sums.radius_squared > 0.0)) return scale;
  const double radius = std::sqrt(sums.radius_squared);
  scale.linear = std::max(scale.linear, kFraction * scale.angular / radius);
  scale.angular = std::max({scale.angular, kFraction * sums.relative_linear * radius,
                            kTurning * scale.linear * radius, least_momentum * radius});
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

namespace {

/// error / scale; a system without motion has no drift.
double ratio(double error, double scale) {
  if (error == 0.0) return 0.0;
  return scale > 0.0 ? error / scale : std::numeric_limits<double>::infinity();
}

std::optional<WorstInstant> worst_of(const TrackedError& error, double scale,
                                     const std::string& cause) {
  if (!(error.largest > 0.0)) return std::nullopt;
  constexpr std::array<const char*, 4> kKinds{"", "event", "source", "body"};
  const char* kind = cause.empty() ? "" : kKinds[static_cast<std::size_t>(error.cause.kind)];
  return WorstInstant{error.time, ratio(error.growth, scale), error.from, error.to, kind, cause};
}

}  // namespace

void TrackedError::update(const Vector3& error, double begin, double end) {
  const double size = error.norm(), change = (error - last).norm();
  last = error;
  if (size > largest) {
    largest = size;
    time = end;
  }
  has_grown_most = change > growth;
  if (!has_grown_most) return;
  growth = change;
  from = begin;
  to = end;
}

bool ConservationAudit::update(const Momentum& momentum, const MomentumScale& scale,
                               const Energy& energy, const AuditIntegrals& integrals,
                               const AuditedStep& step) {
  if (!started_) {
    started_ = true;
    first_momentum_ = momentum;
    first_energy_ = energy.total();
  }
  const double work = energy.total() - first_energy_ - integrals.work + integrals.dissipated;
  linear_.update(momentum.linear - first_momentum_.linear - integrals.impulse + removed_linear_,
                 step.from, step.to);
  angular_.update(momentum.angular_centroid - first_momentum_.angular_centroid -
                      integrals.angular_impulse + removed_angular_,
                  step.from, step.to);
  energy_.update({work, 0.0, 0.0}, step.from, step.to);
  linear_scale_ = std::max(linear_scale_, scale.linear);
  angular_scale_ = std::max(angular_scale_, scale.angular);
  energy_scale_ =
      std::max({energy_scale_, energy.kinetic, integrals.throughput, step.least_energy});
  return linear_.has_grown_most || angular_.has_grown_most || energy_.has_grown_most;
}

void ConservationAudit::attribute(const AuditCause& cause) {
  for (TrackedError* error : {&linear_, &angular_, &energy_}) {
    if (error->has_grown_most) error->cause = cause;
  }
}

void ConservationAudit::name_causes(const std::function<std::string(const AuditCause&)>& name) {
  causes_ = {name(linear_.cause), name(angular_.cause), name(energy_.cause)};
}

std::string to_string(const WorstInstant& worst) {
  std::string text = fmt::format("at t = {:.6g} s; grew most, by {:.3g}, from {:.6g} s to {:.6g} s",
                                 worst.time, worst.growth, worst.from, worst.to);
  if (worst.cause_kind.empty()) return text;
  return text + fmt::format(", {} '{}'", worst.cause_kind, worst.cause);
}

void ConservationAudit::update_attitude(const Matrix3& A_0) {
  attitude_error_ = std::max(attitude_error_, orthogonality_error(A_0));
}

void ConservationAudit::count_removed(const Vector3& linear, const Vector3& angular) {
  removed_linear_ += linear;
  removed_angular_ += angular;
}

void ConservationAudit::transfer(Archive& archive) {
  transfer_momentum(archive, first_momentum_);
  archive(started_, first_energy_, removed_linear_, removed_angular_, linear_scale_, angular_scale_,
          energy_scale_, attitude_error_);
  for (TrackedError* error : {&linear_, &angular_, &energy_}) {
    archive(error->last, error->largest, error->time, error->growth, error->from, error->to,
            error->cause.kind, error->cause.index);
  }
}

double ConservationAudit::linear_drift() const { return ratio(linear_.largest, linear_scale_); }

double ConservationAudit::angular_drift() const { return ratio(angular_.largest, angular_scale_); }

double ConservationAudit::momentum_drift() const {
  return std::max(linear_drift(), angular_drift());
}

double ConservationAudit::energy_residual() const { return ratio(energy_.largest, energy_scale_); }

std::optional<WorstInstant> ConservationAudit::worst_momentum() const {
  return angular_drift() > linear_drift() ? worst_of(angular_, angular_scale_, causes_[1])
                                          : worst_of(linear_, linear_scale_, causes_[0]);
}

std::optional<WorstInstant> ConservationAudit::worst_energy() const {
  return worst_of(energy_, energy_scale_, causes_[2]);
}

}  // namespace spacedyn
