#include "spacedyn/control/gyro_steering.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
namespace {

/// Sine of the angle from a gimbal's axis below which an axis counts as parallel to it.
constexpr double kParallel = 1e-9;

/// Damping of gyros of variable speed where neither gimbal nor rotor has a torque, of h².
constexpr double kLeastDamping = 1e-13;

/// Memory of the thread for clusters of one size.
GyroCluster& cluster_of(int size) {
  thread_local std::vector<GyroCluster> clusters;
  for (GyroCluster& cluster : clusters) {
    if (cluster.torque.cols() == size) return cluster;
  }
  return clusters.emplace_back(size);
}

const std::vector<int>& checked_gimbals(const std::string& owner, const Model& model,
                                        const std::vector<int>& gimbals) {
  if (gimbals.empty()) throw DomainError(owner + "it has no gyros");
  for (const int gimbal : gimbals) {
    if (gyro_rotor(model, gimbal) != 0) continue;
    throw DomainError(owner + "joint " + std::to_string(gimbal) + " is no gimbal of a gyro");
  }
  check_on_one_body(owner, model, gimbals);
  return gimbals;
}

}  // namespace

GyroSteering::GyroSteering(const std::string& owner, const Model& model, Settings settings)
    : Allocation("gyros", model, checked_gimbals(owner, model, settings.gimbals)),
      settings_(std::move(settings)) {
  const auto require = [&](bool rule, const char* what) {
    if (!rule) throw DomainError(owner + what);
  };
  const auto is_positive = [](double value) { return std::isfinite(value) && value > 0.0; };
  require(is_positive(settings_.rate_gain), "rate_gain must be finite and positive");
  require(is_positive(settings_.threshold), "threshold must be finite and positive");
  require(is_positive(settings_.damping),
          "the damping of its steering must be finite and positive");
  require(std::isfinite(settings_.null_motion) && settings_.null_motion >= 0.0,
          "null_motion must be finite and not negative");
  require(std::isfinite(settings_.rotor_weight) && settings_.rotor_weight >= 0.0,
          "rotor_weight must be finite and not negative");
  const bool varies = settings_.rotor_weight > 0.0;
  limits_.resize(varies ? 2 * size() : size());
  for (int i = 0; i < size(); ++i) {
    const int gimbal = settings_.gimbals[static_cast<std::size_t>(i)];
    limits_(i) = model.joint(gimbal).velocity_limit;
    if (!varies) continue;
    rotors_.push_back(gyro_rotor(model, gimbal));
    limits_(size() + i) = model.wheel(rotors_.back())->torque_limit;
  }
}

void GyroSteering::check(const std::string& owner, const Model& model) const {
  checked_gimbals(owner, model, settings_.gimbals);
}

void GyroSteering::allocate(const EvaluationContext& context, const WrenchDemand& demand,
                            VectorRef command) const {
  GyroCluster& cluster = cluster_of(size());
  compute_gyro_cluster(context.model, context.frames, context.state.qd, settings_.gimbals, cluster);
  const Matrix3X& A = cluster.torque;
  Matrix3 square = A.lazyProduct(A.transpose());
  const double h_squared = square.trace() / size();
  command.setZero();
  if (h_squared == 0.0) return;
  const double nearness = std::max(0.0, 1.0 - cluster.singularity / settings_.threshold);
  const double growth = nearness * nearness * h_squared, weight = settings_.rotor_weight * growth;
  square.diagonal().array() +=
      rotors_.empty() ? settings_.damping * growth : kLeastDamping * h_squared;
  for (const int rotor : rotors_) {
    const Vector3& s = context.frames.k[static_cast<std::size_t>(rotor)];
    square += weight * s * s.transpose();
  }
  const Eigen::LDLT<Matrix3> inverse(square);
  const Vector3& omega = context.velocities.omega[static_cast<std::size_t>(body())];
  Vector3 wanted = -demand.torque - omega.cross(cluster.momentum);
  VectorRef rates = command.head(size());
  if (settings_.null_motion > 0.0) {
    singularity_gradient(cluster, rates);
    rates *= settings_.null_motion;
    wanted -= A.lazyProduct(rates);
  }
  const Vector3 shared = inverse.solve(wanted);
  for (int i = 0; i < size(); ++i) rates(i) += A.col(i).dot(shared);
  for (std::size_t i = 0; i < rotors_.size(); ++i) {
    const Vector3& s = context.frames.k[static_cast<std::size_t>(rotors_[i])];
    command(size() + static_cast<Eigen::Index>(i)) = weight * s.dot(shared);
  }
  command /= std::max(1.0, (command.array().abs() / limits_.array()).maxCoeff());
}

void GyroSteering::apply(const EvaluationContext& context, ConstVectorRef command,
                         Loads& loads) const {
  GyroCluster& cluster = cluster_of(size());
  compute_gyro_cluster(context.model, context.frames, context.state.qd, settings_.gimbals, cluster);
  const Vector3& omega = context.velocities.omega[static_cast<std::size_t>(body())];
  for (int i = 0; i < size(); ++i) {
    const int joint = settings_.gimbals[static_cast<std::size_t>(i)];
    const Vector3& g = context.frames.k[static_cast<std::size_t>(joint)];
    loads.tau(joint - 1) += settings_.rate_gain * (command(i) - context.state.qd(joint - 1)) +
                            g.dot(omega.cross(Vector3(cluster.momenta.col(i))));
  }
  for (std::size_t i = 0; i < rotors_.size(); ++i) {
    loads.tau(rotors_[i] - 1) += command(size() + static_cast<Eigen::Index>(i));
  }
}

void GyroSteering::append_outputs(const std::string& controller,
                                  std::vector<ActuatorOutput>& outputs) const {
  outputs.push_back({controller,
                     {"singularity", "_singularity", ""},
                     [this](const EvaluationContext& context, ConstVectorRef) {
                       GyroCluster& cluster = cluster_of(size());
                       compute_gyro_cluster(context.model, context.frames, context.state.qd,
                                            settings_.gimbals, cluster);
                       return cluster.singularity;
                     },
                     true});
}

std::vector<int> GyroSteering::idle_axes(const Model& model) const {
  std::vector<int> missing;
  for (int axis = 0; axis < 3; ++axis) {
    const bool turns =
        std::any_of(settings_.gimbals.begin(), settings_.gimbals.end(), [&](int gimbal) {
          const Vector3 g = model.joint(gimbal).rotation.col(2);
          return g.cross(axes().col(axis)).norm() > kParallel;
        });
    if (!turns) missing.push_back(axis);
  }
  return missing;
}

}  // namespace spacedyn
