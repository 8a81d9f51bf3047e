#include "spacedyn/forces/dry_friction.hpp"

#include <algorithm>

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

}  // namespace spacedyn
