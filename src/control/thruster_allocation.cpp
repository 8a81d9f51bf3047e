#include "spacedyn/control/thruster_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

// weights of force, against torque over a lever arm, and of flow
constexpr double kForceWeight = 1e-3, kFlowWeight = 1e-5;
constexpr double kSlopeTolerance = 1e-12;
/// Lever arm, m, that is none.
constexpr double kNoArm = 1e-9;

}  // namespace

BoundedLeastSquares::BoundedLeastSquares(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      is_free_(static_cast<std::size_t>(columns), 0),
      normal_(columns, columns),
      right_(columns),
      step_(columns),
      residual_(rows) {
  free_.reserve(static_cast<std::size_t>(columns));
}

bool BoundedLeastSquares::solve_free(const MatrixX& B, const VectorX& b, ConstVectorRef u) {
  const auto count = static_cast<Eigen::Index>(free_.size());
  residual_ = b;
  for (int j = 0; j < columns_; ++j) {
    if (is_free_[static_cast<std::size_t>(j)] == 0) residual_ -= u(j) * B.col(j);
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto column = B.col(free_[static_cast<std::size_t>(i)]);
    right_(i) = column.dot(residual_);
    for (Eigen::Index j = 0; j <= i; ++j) {
      normal_(i, j) = normal_(j, i) = column.dot(B.col(free_[static_cast<std::size_t>(j)]));
    }
  }
  // Cholesky in place, forward and backward
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      double sum = normal_(i, j);
      for (Eigen::Index k = 0; k < j; ++k) sum -= normal_(i, k) * normal_(j, k);
      if (i == j) {
        if (!(sum > 0.0)) return false;
        normal_(i, i) = std::sqrt(sum);
      } else {
        normal_(i, j) = sum / normal_(j, j);
      }
    }
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    double sum = right_(i);
    for (Eigen::Index k = 0; k < i; ++k) sum -= normal_(i, k) * step_(k);
    step_(i) = sum / normal_(i, i);
  }
  for (Eigen::Index i = count; i-- > 0;) {
    double sum = step_(i);
    for (Eigen::Index k = i + 1; k < count; ++k) sum -= normal_(k, i) * step_(k);
    step_(i) = sum / normal_(i, i);
  }
  return true;
}

void BoundedLeastSquares::solve(const MatrixX& B, const VectorX& b, VectorRef u) {
  u.setZero();
  std::fill(is_free_.begin(), is_free_.end(), char{0});
  free_.clear();
  const double scale = kSlopeTolerance * (B.norm() * b.norm());
  for (int exchange = 0; exchange < 8 * columns_ + 8; ++exchange) {
    // the bound whose release gains most
    residual_ = b;
    for (int j = 0; j < columns_; ++j) residual_ -= u(j) * B.col(j);
    int best = -1;
    double most = scale;
    for (int j = 0; j < columns_; ++j) {
      if (is_free_[static_cast<std::size_t>(j)] != 0) continue;
      const double slope = B.col(j).dot(residual_);
      const double gain = u(j) == 0.0 ? slope : -slope;
      if (gain > most) {
        most = gain;
        best = j;
      }
    }
    if (best < 0) return;
    is_free_[static_cast<std::size_t>(best)] = 1;
    free_.push_back(best);
    // to the least squares of the free ones, or to the first bound on the path there
    while (!free_.empty() && solve_free(B, b, u)) {
      double part = 1.0;
      for (std::size_t i = 0; i < free_.size(); ++i) {
        const double now = u(free_[i]), wanted = step_(static_cast<Eigen::Index>(i));
        if (wanted < 0.0) part = std::min(part, now / (now - wanted));
        if (wanted > 1.0) part = std::min(part, (1.0 - now) / (wanted - now));
      }
      for (std::size_t i = 0; i < free_.size(); ++i) {
        double& now = u(free_[i]);
        now += part * (step_(static_cast<Eigen::Index>(i)) - now);
      }
      if (part >= 1.0) break;
      std::size_t kept = 0;
      for (const int j : free_) {
        const bool is_bound = u(j) <= 1e-14 || u(j) >= 1.0 - 1e-14;
        if (is_bound) u(j) = u(j) < 0.5 ? 0.0 : 1.0;
        is_free_[static_cast<std::size_t>(j)] = is_bound ? 0 : 1;
        if (!is_bound) free_[kept++] = j;
      }
      free_.resize(kept);
    }
  }
}

ThrusterAllocation::ThrusterAllocation(const std::string& owner, std::vector<Thruster> thrusters,
                                       const ThrusterModulation& modulation)
    : thrusters_(std::move(thrusters)), modulation_(modulation) {
  if (thrusters_.empty()) throw DomainError(owner + "it has no thrusters");
  check_modulation(owner, modulation_);
  for (std::size_t i = 0; i < thrusters_.size(); ++i) {
    const Thruster& thruster = thrusters_[i];
    if (!modulation_.acts() && !opens(thruster)) {
      throw DomainError(owner + "thruster '" + thruster.name +
                        "' has a minimum on-time or a delay, but is opened continuously");
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
  tanks_.clear();
  for (const Thruster& thruster : thrusters_) {
    tanks_.push_back(tank_index(model, thruster.drive.tank));
  }
  if (*std::max_element(tanks_.begin(), tanks_.end()) < 0) tanks_.clear();
}

bool ThrusterAllocation::opens(const Thruster& thruster) {
  return thruster.drive.minimum_on_time == 0.0 && thruster.drive.delay == 0.0;
}

bool ThrusterAllocation::opens(const Thruster& thruster, const ThrusterModulation& modulation) {
  const bool switches = modulation.type == ThrusterModulation::Type::schmitt;
  return thruster.drive.delay < modulation.period &&
         (switches || thruster.drive.minimum_on_time <= modulation.period);
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
  const Vector3 r_g = center_of_mass(context.model, context.frames);
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
  const Vector3 r_g = center_of_mass(context.model, context.frames);
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
  const Vector3 r_g = center_of_mass(context.model, context.frames);
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
  const Vector3 r_g = center_of_mass(context.model, context.frames);
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
