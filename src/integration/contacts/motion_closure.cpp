#include "integration/contacts/motion_closure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integration/equations/displacement.hpp"
#include "integration/equations/free_groups.hpp"

namespace spacedyn {
namespace {

/// Newton's method ends when gaps are rounding, or so small and shrink no more.
constexpr int kMostMotionIterations = 12;
constexpr double kClosedMotion = 4.0 * std::numeric_limits<double>::epsilon();
constexpr double kNearlyClosedMotion = 1e-10;

bool close_gaps(EquationsOfMotion& equations, VectorX& x, double time, VectorX& change) {
  MotionForces& motions = *equations.motions();
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostMotionIterations; ++i) {
    if (!equations.update_motions()) return false;
    Eigen::Index row = 0;
    const double largest = motions.gaps().cwiseAbs().maxCoeff(&row);
    const double size = std::max(1.0, motions.reach());
    if (largest <= kClosedMotion * size) return true;
    if (!(largest < 0.5 * before)) {
      if (largest <= kNearlyClosedMotion * size) return true;
      return equations.fail(Failure::Cause::motion_not_kept, motions.owner(row));
    }
    before = largest;
    motions.respond(motions.multipliers(-motions.gaps()), change);
    add_displacement(equations, change, x);
    if (!equations.update_kinematics(x, time)) return false;
  }
  return true;
}

}  // namespace

bool close_motions(EquationsOfMotion& equations, VectorX& x, double time) {
  if (equations.motions() == nullptr || !equations.motions()->any_holds(equations.discrete())) {
    return true;
  }
  FreeGroups robots(equations.model(), equations.active_loops(), true);
  robots.note(equations);
  VectorX change(equations.model().velocity_size());
  if (!close_gaps(equations, x, time, change) || !robots.restore_momentum(equations, x, time) ||
      !equations.update_motions()) {
    return false;
  }
  MotionForces& motions = *equations.motions();
  motions.respond(motions.multipliers(-motions.rates()), change);
  x.segment(equations.layout().v_0(), change.size()) += change;
  return equations.update_kinematics(x, time);
}

MatrixX motion_rows(EquationsOfMotion& equations) {
  MotionForces* motions = equations.motions();
  const bool holds =
      motions != nullptr && motions->any_holds(equations.discrete()) && equations.update_motions();
  return holds ? motions->jacobian_transposed() : MatrixX(equations.model().velocity_size(), 0);
}

ConnectionRecord begin_motion(std::size_t connection, const MotionConstraint& constraint,
                              EquationsOfMotion& equations, VectorX& x, double time) {
  ConnectionRecord record;
  DiscreteState::ConnectionState state = equations.discrete().connections[connection];
  state.active = true;
  const Momentum before = equations.momentum();
  const double kinetic = equations.energy().kinetic;
  equations.set_connection(connection, state);
  if (!equations.update_motions()) return record;
  MotionForces& motions = *equations.motions();
  Eigen::Index row = 0;
  const double gap = motions.gaps().cwiseAbs().maxCoeff(&row);
  if (gap > kConnectionTolerance * std::max(1.0, motions.reach())) {
    throw NumericalError(
        fmt::format("connection '{}' cannot be made at t = {:.9g} s: its gap is {:.6g} m",
                    constraint.name(), time, gap),
        time, 0, "connection '" + constraint.name() + "'");
  }
  const VectorX lambda = motions.multipliers(-motions.rates());
  VectorX change(equations.model().velocity_size());
  motions.respond(lambda, change);
  x.segment(equations.layout().v_0(), change.size()) += change;
  if (!equations.update_kinematics(x, time)) return record;
  record.name = constraint.name();
  record.time = time;
  record.impulse = motions.part_of(constraint, lambda).norm();
  const Momentum after = equations.momentum();
  const double gained = equations.energy().kinetic - kinetic;
  record.energy_lost = -gained;
  AuditIntegrals integrals;
  integrals.impulse = after.linear - before.linear;
  integrals.angular_impulse = after.angular_centroid - before.angular_centroid;
  (gained > 0.0 ? integrals.work : integrals.dissipated) = std::abs(gained);
  integrals.throughput = std::abs(gained);
  equations.add_to_integrals(integrals, x);
  return record;
}

}  // namespace spacedyn
