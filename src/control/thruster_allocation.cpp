#include "spacedyn/control/thruster_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "control/mounting.hpp"
#include "forces/element_checks.hpp"
#include "forces/point_load.hpp"
#include "spacedyn/control/thruster_modulation.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/math/constants.hpp"
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

namespace {

/// Of durations that are sums of periods.
constexpr double kRounding = 1e-9;
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSameInstant = 16.0 * std::numeric_limits<double>::epsilon();

double pulse_width(const ThrusterModulation& modulation, double opening, double minimum,
                   double& held) {
  const double wanted = opening > 0.0 ? opening * modulation.period + held : 0.0;
  held = 0.0;
  if (wanted >= modulation.period) return modulation.period;
  if (wanted >= minimum * (1.0 - kRounding)) return wanted;
  if (!modulation.drops) held = wanted;
  return 0.0;
}

double schmitt(const ThrusterModulation& modulation, double opening, double minimum, double& held) {
  const bool must_stay = held > 0.0 && held < minimum * (1.0 - kRounding);
  const bool stays = held > 0.0 && opening > modulation.off;
  const bool opens = must_stay || stays || opening >= modulation.on;
  held = opens ? held + modulation.period : 0.0;
  return opens ? modulation.period : 0.0;
}

}  // namespace

ValveMemory::ValveMemory(int thrusters)
    : shuts(VectorX::Constant(thrusters, kNever)),
      next_opens(shuts),
      next_shuts(shuts),
      held(VectorX::Zero(thrusters)),
      settles(shuts) {}

void ValveMemory::turn(int thruster, const ThrusterDrive& drive, double position, double time,
                       double& valve) {
  if (valve == position) return;
  const double level = thrust_level(drive, valve, settles(thruster), time);
  const double ramp = position > 0.0 ? (1.0 - level) * drive.rise_time : level * drive.fall_time;
  valve = position;
  // one of rounding size is none
  settles(thruster) = time + ramp > time * (1.0 + kSameInstant) ? time + ramp : kNever;
}

double thrust_level(const ThrusterDrive& drive, double valve, double settles, double time) {
  if (std::isinf(settles)) return valve;
  const double left = std::max(0.0, settles - time);
  return valve > 0.0 ? std::max(0.0, 1.0 - left / drive.rise_time)
                     : std::min(1.0, left / drive.fall_time);
}

double thrust_slope(const ThrusterDrive& drive, double valve, double settles) {
  if (std::isinf(settles)) return 0.0;
  return valve > 0.0 ? 1.0 / drive.rise_time : -1.0 / drive.fall_time;
}

void check_modulation(const std::string& owner, const ThrusterModulation& modulation) {
  if (!modulation.acts()) return;
  if (!(modulation.period > 0.0) || std::isinf(modulation.period)) {
    throw DomainError(owner + "the period of the modulation must be finite and positive");
  }
  if (modulation.type != ThrusterModulation::Type::schmitt) return;
  if (modulation.off >= 0.0 && modulation.on > modulation.off && modulation.on <= 1.0) return;
  throw DomainError(owner + "thresholds of the modulation must be 0 ≤ off < on ≤ 1");
}

double on_time(const ThrusterModulation& modulation, double opening, double minimum, double& held) {
  const bool switches = modulation.type == ThrusterModulation::Type::schmitt;
  return switches ? schmitt(modulation, opening, minimum, held)
                  : pulse_width(modulation, opening, minimum, held);
}

int tank_index(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.tanks().size(); ++i) {
    if (model.tanks()[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

ThrusterValves::ThrusterValves(const std::string& owner, const Model& model,
                               std::vector<Thruster> thrusters,
                               const ThrusterModulation& modulation)
    : thrusters_(std::move(thrusters)), modulation_(modulation) {
  if (thrusters_.empty()) throw DomainError(owner + "it has no thrusters");
  check_modulation(owner, modulation_);
  for (std::size_t i = 0; i < thrusters_.size(); ++i) {
    const Thruster& thruster = thrusters_[i];
    if (thruster.at.body < 0 || thruster.at.body >= model.body_count()) {
      throw DomainError(owner + '\'' + thruster.name + "' is on no body of the model");
    }
    if (!modulation_.acts() && !opens(thruster)) {
      throw DomainError(owner + "thruster '" + thruster.name +
                        "' has a minimum on-time, a delay or a rise or fall time, but is opened "
                        "continuously");
    }
    if (modulation_.acts() && !opens(thruster, modulation_)) {
      throw DomainError(owner + "thruster '" + thruster.name +
                        "' has a minimum on-time or a delay beyond the period of its modulation");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (thrusters_[j].name != thruster.name) continue;
      throw DomainError(owner + '\'' + thruster.name + "' is named twice");
    }
  }
}

bool ThrusterValves::opens(const Thruster& thruster) {
  return thruster.drive.minimum_on_time == 0.0 && thruster.drive.delay == 0.0 &&
         !thruster.drive.ramps();
}

bool ThrusterValves::opens(const Thruster& thruster, const ThrusterModulation& modulation) {
  const bool switches = modulation.type == ThrusterModulation::Type::schmitt;
  return thruster.drive.delay < modulation.period &&
         (switches || thruster.drive.minimum_on_time <= modulation.period);
}

bool ThrusterValves::ramps() const {
  return std::any_of(thrusters_.begin(), thrusters_.end(),
                     [](const Thruster& thruster) { return thruster.drive.ramps(); });
}

void ThrusterValves::openings(const ValveMemory& memory, ConstVectorRef valves, double time,
                              VectorRef openings) const {
  for (int i = 0; i < size(); ++i) {
    openings(i) = thrust_level(thrusters_[static_cast<std::size_t>(i)].drive, valves(i),
                               memory.settles(i), time);
  }
}

void ThrusterValves::opening_rates(const ValveMemory& memory, ConstVectorRef valves,
                                   VectorRef rates) const {
  for (int i = 0; i < size(); ++i) {
    rates(i) =
        thrust_slope(thrusters_[static_cast<std::size_t>(i)].drive, valves(i), memory.settles(i));
  }
}

Vector3 ThrusterValves::force(const EvaluationContext& context, int thruster) const {
  const Thruster& jet = thrusters_[static_cast<std::size_t>(thruster)];
  return jet.drive.force * (frame_orientation(context.frames, jet.at) * jet.drive.direction);
}

void ThrusterValves::apply(const EvaluationContext& context, ConstVectorRef openings,
                           Loads& loads) const {
  for (int i = 0; i < size(); ++i) {
    const Frame& at = thrusters_[static_cast<std::size_t>(i)].at;
    add_at(at, context, openings(i) * force(context, i), Vector3::Zero(), loads);
  }
}

void ThrusterValves::flow(ConstVectorRef openings, VectorRef rates) const {
  for (int i = 0; i < size(); ++i) {
    const ThrusterDrive& drive = thrusters_[static_cast<std::size_t>(i)].drive;
    rates(i) = drive.force * openings(i) / (drive.specific_impulse * kStandardGravity);
  }
}

void ThrusterValves::append_outputs(std::vector<ActuatorOutput>& outputs) const {
  for (int i = 0; i < size(); ++i) {
    const Thruster& thruster = thrusters_[static_cast<std::size_t>(i)];
    outputs.push_back(
        {thruster.name, kThrustQuantity,
         [force = thruster.drive.force, i](const EvaluationContext&, ConstVectorRef command) {
           return force * command(i);
         }});
  }
}

}  // namespace spacedyn
