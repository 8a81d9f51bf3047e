
#include <cmath>

#include <fmt/format.h>

#include "forces/separation.hpp"
#include "integration/contacts/impact.hpp"
#include "integration/contacts/loop_closure.hpp"
#include "spacedyn/error.hpp"
#include "system/motion_of.hpp"

namespace spacedyn {
namespace {

/// A loop that its points satisfy where they are.
void snap_to(const EquationsOfMotion& equations, Loop& loop) {
  if (!loop_traits(loop.type).joins_points) {
    const LoopEquations alone(equations.model(), {loop});
    VectorX phi(1);
    alone.residual(equations.frames(), equations.state(), phi);
    loop.offset += phi(0);
    return;
  }
  const EvaluationContext now = equations.context();
  if (loop.type == LoopType::distance) {
    loop.length = separation(now, loop.from, loop.to).distance.norm();
    return;
  }
  const Frame origin{"", loop.to.body, Vector3::Zero(), Matrix3::Identity()};
  const Matrix3 to_body = frame_orientation(now.frames, origin).transpose();
  loop.to.position = to_body * separation(now, origin, loop.from).distance;
  if (loop.type == LoopType::weld) {
    loop.to.rotation = to_body * frame_orientation(now.frames, loop.from);
  }
}

/// How far apart a loop is.
struct Gap {
  double distance = 0.0;  // m; of gear and linear in the units of the joints
  double angle = 0.0;     // rad
};

Gap gap_of(const EquationsOfMotion& equations, const Loop& loop) {
  const LoopEquations alone(equations.model(), {loop});
  LoopMotion motion(equations.model());
  motion.compute(equations.model(), equations.state());
  VectorX phi = VectorX::Zero(alone.rows());
  alone.residual(motion.frames, motion.state, phi);
  const LoopTraits& traits = loop_traits(loop.type);
  if (!traits.joins_points) return {phi.norm(), 0.0};
  return {phi.head(traits.translations).norm(), phi.tail(traits.rotations).norm()};
}

void refuse_gap(const EquationsOfMotion& equations, const Loop& loop, bool snaps, double time) {
  const double size = model_size(equations.model(), {loop});
  const Gap gap = gap_of(equations, loop);
  if (gap.distance <= kConnectionTolerance * size && gap.angle <= kConnectionTolerance) return;
  std::string text = fmt::format("its points are {:.6g} m apart", gap.distance);
  if (gap.angle > 0.0) text += fmt::format(" and its axes {:.6g} rad", gap.angle);
  if (!loop_traits(loop.type).joins_points) {
    text = fmt::format("its joints are {:.6g} rad or m apart", gap.distance);
  }
  throw NumericalError(
      fmt::format("connection '{}' cannot be made at t = {:.9g} s: {}; {}", loop.name, time, text,
                  snaps ? "'snap: true' keeps the relative attitude of a weld alone"
                        : "with 'snap: true' it keeps the relative position of that instant"),
      time, 0, "connection '" + loop.name + "'");
}

/// The impulse of a connection, and its moment about the first point.
/// @param multipliers  of all loops
void note_impulse(EquationsOfMotion& equations, const VectorX& multipliers,
                  ConnectionRecord& record) {
  const LoopEquations& loops = equations.held().loops()->solver.equations();
  for (std::size_t i = 0; i < loops.loops().size(); ++i) {
    const Loop& loop = loops.loops()[i];
    if (loop.name != record.name) continue;
    const int index = static_cast<int>(i);
    if (!loop_traits(loop.type).joins_points) {
      record.impulse = std::abs(multipliers(loops.first_row(index)));
      return;
    }
    const Vector6 wrench = loops.wrench(index, equations.own_motion().frames, multipliers);
    record.impulse = wrench.head<3>().norm();
    record.angular_impulse = wrench.tail<3>().norm();
  }
}

/// Counts what a bushing stores from now on, or has stored.
void count_stored(double gained, EquationsOfMotion& equations, VectorX& x) {
  AuditIntegrals integrals;
  (gained > 0.0 ? integrals.work : integrals.dissipated) = std::abs(gained);
  integrals.throughput = std::abs(gained);
  equations.balance().add(integrals, x);
}

}  // namespace

ConnectionRecord connect(const ConnectAction& action, const SimulationSetup& setup,
                         EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x,
                         double time) {
  ConnectionRecord record;
  DiscreteState::ConnectionState state = equations.discrete().connections[action.connection];
  if (state.active || !equations.update_kinematics(x, time)) return record;
  const Connection& connection = setup.connections[action.connection];
  if (const MotionConstraint* motion = motion_of(setup, connection)) {
    return begin_motion(action.connection, *motion, equations, x, time);
  }
  state.active = true;
  record.name = connection.name();
  record.time = time;
  if (!connection.is_rigid()) {
    const double before = equations.audit_point().energy.elastic;
    equations.held().set_connection(action.connection, state);
    count_stored(equations.audit_point().energy.elastic - before, equations, x);
    return record;
  }
  Loop loop = connection_loop(setup, equations.discrete(), action.connection);
  if (action.snap) snap_to(equations, loop);
  refuse_gap(equations, loop, action.snap, time);
  equations.held().set_connection(
      action.connection, {true, loop.to.position, loop.to.rotation, loop.length, loop.offset});
  Impact impact;
  impact.closes_loops = true;
  const ImpactOutcome outcome = strike(impact, equations, contacts, x, time);
  record.energy_lost = outcome.energy_lost;
  if (outcome.multipliers.size() > 0) note_impulse(equations, outcome.multipliers, record);
  return record;
}

void disconnect(const DisconnectAction& action, EquationsOfMotion& equations, VectorX& x,
                double time) {
  DiscreteState::ConnectionState state = equations.discrete().connections[action.connection];
  if (!state.active || !equations.update_kinematics(x, time)) return;
  state.active = false;
  const double before = equations.audit_point().energy.elastic;
  equations.held().set_connection(action.connection, state);
  const double lost = before - equations.audit_point().energy.elastic;
  if (lost != 0.0) count_stored(-lost, equations, x);
}

}  // namespace spacedyn
