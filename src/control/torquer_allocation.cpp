#include "spacedyn/control/torquer_allocation.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "control/mounting.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
namespace {

/// Singular values of the torquers' axes below this count as zero.
constexpr double kIndependent = 1e-9;

const Frame& first_place(const std::string& owner, const Model& model,
                         const std::vector<Torquer>& torquers) {
  if (torquers.empty()) throw DomainError(owner + "it has no torquers");
  const Frame& at = torquers.front().at;
  if (at.body >= 0 && at.body < model.body_count()) return at;
  throw DomainError(owner + '\'' + torquers.front().name + "' is on no body of the model");
}

}  // namespace

TorquerAllocation::TorquerAllocation(const std::string& owner, const Model& model,
                                     std::vector<Torquer> torquers)
    : Allocation("torquers", first_place(owner, model, torquers).body,
                 axes_of_owner(model, first_place(owner, model, torquers))),
      torquers_(std::move(torquers)) {
  directions_.resize(3, size());
  for (std::size_t i = 0; i < torquers_.size(); ++i) {
    const Torquer& torquer = torquers_[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (torquers_[j].name != torquer.name) continue;
      throw DomainError(owner + '\'' + torquer.name + "' is named twice");
    }
    if (torquer.at.body != body()) {
      throw DomainError(owner + '\'' + torquer.name + "' and '" + torquers_.front().name +
                        "' are on different bodies");
    }
    directions_.col(static_cast<Eigen::Index>(i)) = torquer.at.rotation * torquer.axis;
  }
  Eigen::JacobiSVD<MatrixX> svd(directions_, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kIndependent);
  inverse_ = svd.solve(Matrix3::Identity()).transpose();
}

void TorquerAllocation::allocate(const EvaluationContext& context, const WrenchDemand& demand,
                                 VectorRef command) const {
  command.setZero();
  const Vector3 B = torquers_.front().field_at(context);
  const double square = B.squaredNorm();
  if (square == 0.0) return;
  const Matrix3& A = context.frames.A[static_cast<std::size_t>(body())];
  const Vector3 m = A.transpose() * B.cross(demand.torque) / square;
  double excess = 1.0;
  for (int i = 0; i < size(); ++i) {
    command(i) = inverse_.col(i).dot(m);
    const double limit = torquers_[static_cast<std::size_t>(i)].dipole_limit;
    excess = std::max(excess, std::abs(command(i)) / limit);
  }
  command /= excess;
}

void TorquerAllocation::apply(const EvaluationContext& context, ConstVectorRef command,
                              Loads& loads) const {
  for (int i = 0; i < size(); ++i) {
    torquers_[static_cast<std::size_t>(i)].apply(context, command(i), loads);
  }
}

void TorquerAllocation::append_outputs(const std::string&,
                                       std::vector<ActuatorOutput>& outputs) const {
  for (int i = 0; i < size(); ++i) {
    outputs.push_back(torquers_[static_cast<std::size_t>(i)].output(
        [i](const EvaluationContext&, ConstVectorRef command) { return command(i); }));
  }
}

std::vector<int> TorquerAllocation::idle_axes(const Model&) const {
  std::vector<int> missing;
  for (int axis = 0; axis < 3; ++axis) {
    bool turns = false;
    for (int i = 0; i < size(); ++i) {
      turns = turns || directions_.col(i).cross(axes().col(axis)).norm() > kIndependent;
    }
    if (!turns) missing.push_back(axis);
  }
  return missing;
}

}  // namespace spacedyn
