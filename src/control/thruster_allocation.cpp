#include "spacedyn/control/thruster_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "control/mounting.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/math/hierarchical_least_squares.hpp"

namespace spacedyn {
namespace {

// weights of force, against torque over a lever arm, and of flow
constexpr double kForceWeight = 1e-3, kFlowWeight = 1e-5;
/// Lever arm, m, that is none.
constexpr double kNoArm = 1e-9;
/// Of the least squares, in which flow makes all columns independent.
constexpr double kRankTolerance = 1e-14;

/// That of the thread for so many thrusters.
HierarchicalLeastSquares& solver_of(int thrusters) {
  thread_local std::vector<HierarchicalLeastSquares> solvers;
  for (HierarchicalLeastSquares& solver : solvers) {
    if (solver.sizes().unknowns == thrusters) return solver;
  }
  return solvers.emplace_back(HierarchicalLeastSquares::Sizes{thrusters, thrusters, 6 + thrusters},
                              kRankTolerance);
}

}  // namespace

ThrusterAllocation::ThrusterAllocation(const std::string& owner, const Model& model,
                                       std::vector<Thruster> thrusters,
                                       const ThrusterModulation& modulation)
    : ThrusterAllocation(owner, model,
                         ThrusterValves(owner, model, std::move(thrusters), modulation)) {}

ThrusterAllocation::ThrusterAllocation(const std::string& owner, const Model& model,
                                       ThrusterValves valves)
    : Allocation("thrusters", valves.thrusters().front().at.body,
                 axes_of_owner(model, valves.thrusters().front().at)),
      valves_(std::move(valves)) {
  for (const Thruster& thruster : valves_.thrusters()) {
    if (thruster.at.body == body()) continue;
    throw DomainError(owner + '\'' + thruster.name + "' and '" + valves_.thrusters().front().name +
                      "' are on different bodies");
  }
  int count = 1;
  const std::vector<int> robots = robots_of(model, count);
  for (int i = 0; i < model.body_count(); ++i) {
    const bool is_own =
        robots[static_cast<std::size_t>(i)] == robots[static_cast<std::size_t>(body())];
    if (is_own) bodies_.push_back(i);
  }
}

Vector3 ThrusterAllocation::centroid(const EvaluationContext& context) const {
  double mass = 0.0;
  Vector3 moment = Vector3::Zero();
  for (const int body : bodies_) {
    const double own = context.model.body(body).mass;
    mass += own;
    moment += own * context.frames.r[static_cast<std::size_t>(body)];
  }
  return moment / mass;
}

Vector3 ThrusterAllocation::moment(const EvaluationContext& context, int thruster,
                                   const Vector3& centroid) const {
  const Frame& at = valves_.thrusters()[static_cast<std::size_t>(thruster)].at;
  return (frame_position(context.frames, at) - centroid).cross(valves_.force(context, thruster));
}

void ThrusterAllocation::allocate(const EvaluationContext& context, const WrenchDemand& demand,
                                  VectorRef command) const {
  const int count = valves_.size();
  command.setZero();
  if (demand.torque.isZero(0.0) && demand.force.isZero(0.0)) return;
  // small and short-lived: memory of the thread, sized by its first use
  thread_local MatrixX B;
  thread_local VectorX b, open;
  B.resize(6 + count, count);
  b.resize(6 + count);
  open.setOnes(count);
  const Vector3 r_g = centroid(context);
  double arm = 0.0;
  B.bottomRows(count).setZero();
  for (int i = 0; i < count; ++i) {
    B.col(i).head<3>() = moment(context, i, r_g);
    B.col(i).segment<3>(3) = valves_.force(context, i);
    const double size = valves_.thrusters()[static_cast<std::size_t>(i)].drive.force;
    arm = std::max(arm, B.col(i).head<3>().norm() / size);
  }
  if (arm < kNoArm) arm = 1.0;
  const double force_weight = demand.counts_force ? 1.0 : kForceWeight;
  for (int i = 0; i < count; ++i) {
    B.col(i).segment<3>(3) *= force_weight * arm;
    B(6 + i, i) = kFlowWeight * arm * valves_.thrusters()[static_cast<std::size_t>(i)].drive.force;
  }
  b.setZero();
  b.head<3>() = demand.torque;
  b.segment<3>(3) = force_weight * arm * demand.force;
  HierarchicalLeastSquares& solver = solver_of(count);
  solver.start(command, open);  // between 0 and 1
  solver.minimize(B, b);
  command = solver.solution();
}

void ThrusterAllocation::apply(const EvaluationContext& context, ConstVectorRef command,
                               Loads& loads) const {
  valves_.apply(context, command, loads);
}

void ThrusterAllocation::append_outputs(const std::string&,
                                        std::vector<ActuatorOutput>& outputs) const {
  valves_.append_outputs(outputs);
}

std::vector<int> ThrusterAllocation::idle_axes(const Model&) const { return {}; }

WrenchDemand ThrusterAllocation::wrench(const EvaluationContext& context,
                                        ConstVectorRef openings) const {
  const Vector3 r_g = centroid(context);
  WrenchDemand sum;
  for (int i = 0; i < valves_.size(); ++i) {
    sum.torque += openings(i) * moment(context, i, r_g);
    sum.force += openings(i) * valves_.force(context, i);
  }
  return sum;
}

std::vector<int> ThrusterAllocation::axes_without_torque(const EvaluationContext& context) const {
  const Matrix3 A = context.frames.A[static_cast<std::size_t>(body())] * axes();
  double least = std::numeric_limits<double>::infinity();
  const Vector3 r_g = centroid(context);
  for (int i = 0; i < valves_.size(); ++i) {
    const double size = moment(context, i, r_g).norm();
    if (size > 0.0) least = std::min(least, size);
  }
  std::vector<int> missing;
  VectorX openings(valves_.size());
  for (int axis = 0; axis < 3; ++axis) {
    bool reaches = std::isfinite(least);
    for (const double sign : {1.0, -1.0}) {
      if (!reaches) break;
      // a torque that the weakest of them has by far
      const Vector3 wanted = sign * 1e-2 * least * A.col(axis);
      allocate(context, {wanted}, openings);
      reaches = (wrench(context, openings).torque - wanted).norm() <= 0.05 * wanted.norm();
    }
    if (!reaches) missing.push_back(axis);
  }
  return missing;
}

std::vector<int> ThrusterAllocation::axes_without_force(const EvaluationContext& context) const {
  double least = std::numeric_limits<double>::infinity(), arm = kNoArm;
  const Vector3 r_g = centroid(context);
  for (int i = 0; i < valves_.size(); ++i) {
    const double force = valves_.thrusters()[static_cast<std::size_t>(i)].drive.force;
    least = std::min(least, force);
    arm = std::max(arm, moment(context, i, r_g).norm() / force);
  }
  std::vector<int> missing;
  VectorX openings(valves_.size());
  for (int axis = 0; axis < 3; ++axis) {
    bool reaches = true;
    for (const double sign : {1.0, -1.0}) {
      // a force that the weakest of them has by far
      const Vector3 wanted = sign * 1e-2 * least * Vector3::Unit(axis);
      allocate(context, {Vector3::Zero(), wanted, true}, openings);
      const WrenchDemand given = wrench(context, openings);
      reaches = reaches && (given.force - wanted).norm() <= 0.05 * wanted.norm() &&
                given.torque.norm() <= 0.05 * arm * wanted.norm();
    }
    if (!reaches) missing.push_back(axis);
  }
  return missing;
}

}  // namespace spacedyn
