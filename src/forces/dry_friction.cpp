#include "spacedyn/forces/dry_friction.hpp"

#include <algorithm>
#include <cmath>

#include "forces/bristle.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

Bristle bristle_of(const JointFriction& friction, double v, double z) {
  const double breakaway = std::max(friction.breakaway, friction.coulomb);
  return bristle_at({friction.coulomb, breakaway, friction.stribeck_velocity, friction.presliding},
                    v, z);
}

Bristle bristle_of(const EvaluationContext& context, int joint, Eigen::Index i) {
  return bristle_of(context.model.joint(joint).friction, context.state.qd(joint - 1),
                    context.auxiliary(i));
}

/// Sums over the joints with friction.
template <typename Term>
double sum(const std::vector<int>& joints, const EvaluationContext& context, Term term) {
  double total = 0.0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    total += term(bristle_of(context, joints[i], static_cast<Eigen::Index>(i)));
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

void DryFriction::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    zd(row) = bristle_of(context, joints_[i], row).zd;
  }
}

void DryFriction::apply(const EvaluationContext& context, Loads& loads) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    loads.tau(joints_[i] - 1) -=
        bristle_of(context, joints_[i], static_cast<Eigen::Index>(i)).force;
  }
}

bool DryFriction::differentiate(const EvaluationContext& context,
                                LoadDerivatives& derivatives) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto own = static_cast<Eigen::Index>(i);
    const Bristle bristle = bristle_of(context, joints_[i], own);
    const Eigen::Index row = LoadDerivatives::joint(joints_[i]), z = derivatives.slice + own;
    derivatives.force_velocity(row, row) -= bristle.force_by_v;
    derivatives.force_auxiliary(row, z) -= bristle.force_by_z;
    derivatives.rate_velocity(z, row) += bristle.zd_by_v;
    derivatives.rate_auxiliary(z, z) += bristle.zd_by_z;
  }
  return true;
}

double DryFriction::stored_energy(const EvaluationContext& context) const {
  return sum(joints_, context, [](const Bristle& b) { return b.stored_energy(); });
}

EnergyRates DryFriction::energy_rates(const EvaluationContext& context) const {
  return {sum(joints_, context, [](const Bristle& b) { return b.stored_power(); }),
          sum(joints_, context, [](const Bristle& b) { return b.dissipated_power(); })};
}

namespace {

/// Twice the fraction of the greatest friction that the bristle's damper reaches at v_s.
constexpr double kBristleDamping = 0.2;

/// φ and dφ/du: which fraction of a motion slips.
struct Slip {
  double fraction, slope;
};

Slip slip_at(double u) {
  if (u <= Bristle::kElastic) return {0.0, 0.0};
  if (u >= 1.0) return {u, 1.0};
  // u times the quintic step
  constexpr double kWidth = 1.0 - Bristle::kElastic;
  const double s = (u - Bristle::kElastic) / kWidth;
  const double step = s * s * s * (10.0 + s * (6.0 * s - 15.0));
  const double rest = 1.0 - s;
  return {u * step, step + u * 30.0 * s * s * rest * rest / kWidth};
}

}  // namespace

Bristle bristle_at(const BristleSettings& settings, double v, double z) {
  const double v_s = settings.stribeck_velocity;
  const double ratio = v / v_s;
  const double bump = (settings.breakaway - settings.coulomb) * std::exp(-ratio * ratio);
  const double g = settings.coulomb + bump;
  Bristle bristle{v, z, settings.coulomb / settings.presliding, v, 0.0, 1.0, 0.0, 0.0, 0.0};
  if (v * z > 0.0 || v == 0.0) {
    const double u = bristle.stiffness * std::abs(z) / g;
    const Slip slip = slip_at(u);
    const double u_by_v = u / g * 2.0 * ratio / v_s * bump;
    // v − |v| sign(z) φ(u) = v (1 − φ) here
    bristle.zd = v * (1.0 - slip.fraction);
    bristle.zd_by_v =
        v == 0.0 ? 1.0 - 0.5 * slip.fraction : 1.0 - slip.fraction - v * slip.slope * u_by_v;
    bristle.zd_by_z = -std::abs(v) * slip.slope * bristle.stiffness / g;
  }
  const double spread = 1.0 + ratio * ratio;
  const double sigma_1 = kBristleDamping * settings.breakaway / (v_s * spread);
  const double sigma_1_by_v = -2.0 * sigma_1 * ratio / (v_s * spread);
  bristle.force = bristle.stiffness * z + sigma_1 * bristle.zd;
  bristle.force_by_v = sigma_1_by_v * bristle.zd + sigma_1 * bristle.zd_by_v;
  bristle.force_by_z = bristle.stiffness + sigma_1 * bristle.zd_by_z;
  return bristle;
}

}  // namespace spacedyn
