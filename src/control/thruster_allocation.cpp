#include "spacedyn/control/thruster_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/robots_of.hpp"
#include "spacedyn/control/bounded_least_squares.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

// weights of force, against torque over a lever arm, and of flow
constexpr double kForceWeight = 1e-3, kFlowWeight = 1e-5;
/// Lever arm, m, that is none.
constexpr double kNoArm = 1e-9;

}  // namespace

ThrusterAllocation::ThrusterAllocation(const std::string& owner, std::vector<Thruster> thrusters,
                                       const ThrusterModulation& modulation)
    : thrusters_(std::move(thrusters)), modulation_(modulation) {
  if (thrusters_.empty()) throw DomainError(owner + "it has no thrusters");
  check_modulation(owner, modulation_);
  for (std::size_t i = 0; i < thrusters_.size(); ++i) {
    const Thruster& thruster = thrusters_[i];
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

int tank_index(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.tanks().size(); ++i) {
    if (model.tanks()[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

void ThrusterAllocation::connect(const Model& model) {
  int count = 1;
  const std::vector<int> robots = robots_of(model, count);
  const int carrier = thrusters_.front().at.body;
  bodies_.clear();
  for (int i = 0; i < model.body_count() && carrier < model.body_count(); ++i) {
    const bool is_own =
        robots[static_cast<std::size_t>(i)] == robots[static_cast<std::size_t>(carrier)];
    if (is_own) bodies_.push_back(i);
  }
  tanks_.clear();
  for (const Thruster& thruster : thrusters_) {
    tanks_.push_back(tank_index(model, thruster.drive.tank));
  }
  if (*std::max_element(tanks_.begin(), tanks_.end()) < 0) tanks_.clear();
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

bool ThrusterAllocation::opens(const Thruster& thruster) {
  return thruster.drive.minimum_on_time == 0.0 && thruster.drive.delay == 0.0 &&
         !thruster.drive.ramps();
}

bool ThrusterAllocation::opens(const Thruster& thruster, const ThrusterModulation& modulation) {
  const bool switches = modulation.type == ThrusterModulation::Type::schmitt;
  return thruster.drive.delay < modulation.period &&
         (switches || thruster.drive.minimum_on_time <= modulation.period);
}

bool ThrusterAllocation::ramps() const {
  return std::any_of(thrusters_.begin(), thrusters_.end(),
                     [](const Thruster& thruster) { return thruster.drive.ramps(); });
}

void ThrusterAllocation::openings(const ValveMemory& memory, ConstVectorRef valves, double time,
                                  VectorRef openings) const {
  for (int i = 0; i < size(); ++i) {
    openings(i) = thrust_level(thrusters_[static_cast<std::size_t>(i)].drive, valves(i),
                               memory.settles(i), time);
  }
}

void ThrusterAllocation::opening_rates(const ValveMemory& memory, ConstVectorRef valves,
                                       VectorRef rates) const {
  for (int i = 0; i < size(); ++i) {
    rates(i) =
        thrust_slope(thrusters_[static_cast<std::size_t>(i)].drive, valves(i), memory.settles(i));
  }
}

Vector3 ThrusterAllocation::force(const EvaluationContext& context, int thruster) const {
  const Thruster& jet = thrusters_[static_cast<std::size_t>(thruster)];
  return jet.drive.force * (frame_orientation(context.frames, jet.at) * jet.drive.direction);
}

Vector3 ThrusterAllocation::moment(const EvaluationContext& context, int thruster,
                                   const Vector3& centroid) const {
  const Frame& at = thrusters_[static_cast<std::size_t>(thruster)].at;
  return (frame_position(context.frames, at) - centroid).cross(force(context, thruster));
}

void ThrusterAllocation::allocate(const EvaluationContext& context, const Vector3& torque,
                                  VectorRef openings) const {
  Vector6 wanted;
  wanted << torque, Vector3::Zero();
  share(context, wanted, kForceWeight, openings);
}

void ThrusterAllocation::allocate_force(const EvaluationContext& context, const Vector3& force,
                                        VectorRef openings) const {
  Vector6 wanted;
  wanted << Vector3::Zero(), force;
  share(context, wanted, 1.0, openings);
}

void ThrusterAllocation::share(const EvaluationContext& context, const Vector6& wrench,
                               double force_weight, VectorRef openings) const {
  const int count = size();
  openings.setZero();
  if (wrench.isZero(0.0)) return;
  // small and short-lived: memory of the thread, sized by its first use
  thread_local MatrixX B;
  thread_local VectorX b, u;
  B.resize(6 + count, count);
  b.resize(6 + count);
  u.resize(count);
  thread_local std::vector<BoundedLeastSquares> solvers;
  const auto fitting = std::find_if(solvers.begin(), solvers.end(),
                                    [&](const auto& each) { return each.fits(6 + count, count); });
  BoundedLeastSquares& solver =
      fitting != solvers.end() ? *fitting : solvers.emplace_back(6 + count, count);
  const Vector3 r_g = centroid(context);
  double arm = 0.0;
  B.bottomRows(count).setZero();
  for (int i = 0; i < count; ++i) {
    B.col(i).head<3>() = moment(context, i, r_g);
    B.col(i).segment<3>(3) = force(context, i);
    const double size = thrusters_[static_cast<std::size_t>(i)].drive.force;
    arm = std::max(arm, B.col(i).head<3>().norm() / size);
  }
  if (arm < kNoArm) arm = 1.0;
  for (int i = 0; i < count; ++i) {
    B.col(i).segment<3>(3) *= force_weight * arm;
    B(6 + i, i) = kFlowWeight * arm * thrusters_[static_cast<std::size_t>(i)].drive.force;
  }
  b.setZero();
  b.head<3>() = wrench.head<3>();
  b.segment<3>(3) = force_weight * arm * wrench.tail<3>();
  solver.solve(B, b, u);
  openings = u;
}

void ThrusterAllocation::apply(const EvaluationContext& context, ConstVectorRef openings,
                               Loads& loads) const {
  for (int i = 0; i < size(); ++i) {
    const Frame& at = thrusters_[static_cast<std::size_t>(i)].at;
    loads.add_wrench(at.body, context.frames.r[static_cast<std::size_t>(at.body)],
                     frame_position(context.frames, at), openings(i) * force(context, i),
                     Vector3::Zero());
  }
}

void ThrusterAllocation::flow(ConstVectorRef openings, VectorRef rates) const {
  for (int i = 0; i < size(); ++i) {
    const ThrusterDrive& drive = thrusters_[static_cast<std::size_t>(i)].drive;
    rates(i) = drive.force * openings(i) / (drive.specific_impulse * kStandardGravity);
  }
}

Vector6 ThrusterAllocation::wrench(const EvaluationContext& context,
                                   ConstVectorRef openings) const {
  const Vector3 r_g = centroid(context);
  Vector6 sum = Vector6::Zero();
  for (int i = 0; i < size(); ++i) {
    sum.head<3>() += openings(i) * moment(context, i, r_g);
    sum.tail<3>() += openings(i) * force(context, i);
  }
  return sum;
}

std::vector<int> ThrusterAllocation::axes_without_torque(const EvaluationContext& context,
                                                         const Matrix3& axes) const {
  double least = std::numeric_limits<double>::infinity();
  const Vector3 r_g = centroid(context);
  for (int i = 0; i < size(); ++i) {
    const double size = moment(context, i, r_g).norm();
    if (size > 0.0) least = std::min(least, size);
  }
  std::vector<int> missing;
  VectorX openings(size());
  for (int axis = 0; axis < 3; ++axis) {
    bool reaches = std::isfinite(least);
    for (const double sign : {1.0, -1.0}) {
      if (!reaches) break;
      // a torque that the weakest of them has by far
      const Vector3 wanted = sign * 1e-2 * least * axes.col(axis);
      allocate(context, wanted, openings);
      reaches = (wrench(context, openings).head<3>() - wanted).norm() <= 0.05 * wanted.norm();
    }
    if (!reaches) missing.push_back(axis);
  }
  return missing;
}

std::vector<int> ThrusterAllocation::axes_without_force(const EvaluationContext& context,
                                                        const Matrix3& axes) const {
  double least = std::numeric_limits<double>::infinity(), arm = kNoArm;
  const Vector3 r_g = centroid(context);
  for (int i = 0; i < size(); ++i) {
    const double force = thrusters_[static_cast<std::size_t>(i)].drive.force;
    least = std::min(least, force);
    arm = std::max(arm, moment(context, i, r_g).norm() / force);
  }
  std::vector<int> missing;
  VectorX openings(size());
  for (int axis = 0; axis < 3; ++axis) {
    bool reaches = true;
    for (const double sign : {1.0, -1.0}) {
      // a force that the weakest of them has by far
      const Vector3 wanted = sign * 1e-2 * least * axes.col(axis);
      allocate_force(context, wanted, openings);
      const Vector6 given = wrench(context, openings);
      reaches = reaches && (given.tail<3>() - wanted).norm() <= 0.05 * wanted.norm() &&
                given.head<3>().norm() <= 0.05 * arm * wanted.norm();
    }
    if (!reaches) missing.push_back(axis);
  }
  return missing;
}

}  // namespace spacedyn
