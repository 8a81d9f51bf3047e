#include "spacedyn/forces/dry_friction.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

/// Twice the share of the greatest friction that the bristle's damper reaches at v_s.
constexpr double kBristleDamping = 0.2;

/// One joint's friction at an instant.
struct Bristle {
  double v, z;
  double stiffness;  // σ_0
  double zd;
  double torque;            // opposing v
  double zd_by_v, zd_by_z;  // derivatives
  double torque_by_v, torque_by_z;
};

Bristle bristle_of(const JointFriction& friction, double v, double z) {
  const double F_c = friction.coulomb;
  const double F_s = std::max(friction.breakaway, F_c);
  const double ratio = v / friction.stribeck_velocity;
  const double bump = (F_s - F_c) * std::exp(-ratio * ratio);
  const double g = F_c + bump;
  Bristle bristle{v, z, F_c / friction.presliding, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  bristle.zd = v - bristle.stiffness * std::abs(v) / g * z;
  const double sigma_1 = kBristleDamping * F_s / friction.stribeck_velocity / (1.0 + ratio * ratio);
  bristle.torque = bristle.stiffness * z + sigma_1 * bristle.zd;

  // |v|/g by v; where the friction turns round, at v = 0, the mean of both sides
  const double sign = v == 0.0 ? 0.0 : std::copysign(1.0, v);
  const double g_by_v = -2.0 * ratio / friction.stribeck_velocity * bump;
  const double slip_by_v = (sign - std::abs(v) * g_by_v / g) / g;
  const double sigma_1_by_v =
      -2.0 * sigma_1 * ratio / (friction.stribeck_velocity * (1.0 + ratio * ratio));
  bristle.zd_by_v = 1.0 - bristle.stiffness * z * slip_by_v;
  bristle.zd_by_z = -bristle.stiffness * std::abs(v) / g;
  bristle.torque_by_v = sigma_1_by_v * bristle.zd + sigma_1 * bristle.zd_by_v;
  bristle.torque_by_z = bristle.stiffness + sigma_1 * bristle.zd_by_z;
  return bristle;
}

Bristle bristle_of(const Situation& situation, int joint, Eigen::Index i) {
  return bristle_of(situation.model.joint(joint).friction, situation.state.qd(joint - 1),
                    situation.auxiliary(i));
}

/// Sums over the joints with friction.
template <typename Term>
double sum(const std::vector<int>& joints, const Situation& situation, Term term) {
  double total = 0.0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    total += term(bristle_of(situation, joints[i], static_cast<Eigen::Index>(i)));
  }
  return total;
}

}  // namespace

DryFriction::DryFriction(const Model& model) : ForceElement("dry_friction") {
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.joint(i).friction.is_present()) joints_.push_back(i);
  }
}

void DryFriction::check(const Model& model) const {
  for (const int joint : joints_) check_joint(*this, joint, model);
}

void DryFriction::auxiliary_rate(const Situation& situation, VectorRef zd) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    zd(row) = bristle_of(situation, joints_[i], row).zd;
  }
}

void DryFriction::apply(const Situation& situation, Loads& loads) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    loads.tau(joints_[i] - 1) -=
        bristle_of(situation, joints_[i], static_cast<Eigen::Index>(i)).torque;
  }
}

bool DryFriction::differentiate(const Situation& situation, LoadDerivatives& derivatives) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto own = static_cast<Eigen::Index>(i);
    const Bristle bristle = bristle_of(situation, joints_[i], own);
    const Eigen::Index row = LoadDerivatives::joint(joints_[i]), z = derivatives.share + own;
    derivatives.force_velocity(row, row) -= bristle.torque_by_v;
    derivatives.force_auxiliary(row, z) -= bristle.torque_by_z;
    derivatives.rate_velocity(z, row) += bristle.zd_by_v;
    derivatives.rate_auxiliary(z, z) += bristle.zd_by_z;
  }
  return true;
}

double DryFriction::stored_energy(const Situation& situation) const {
  return sum(joints_, situation, [](const Bristle& b) { return 0.5 * b.stiffness * b.z * b.z; });
}

double DryFriction::stored_power(const Situation& situation) const {
  return sum(joints_, situation, [](const Bristle& b) { return b.stiffness * b.z * b.zd; });
}

double DryFriction::dissipated_power(const Situation& situation) const {
  return sum(joints_, situation,
             [](const Bristle& b) { return b.torque * b.v - b.stiffness * b.z * b.zd; });
}

}  // namespace spacedyn
