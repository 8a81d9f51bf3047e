#include "spacedyn/forces/passive_joints.hpp"

#include <algorithm>
#include <cmath>

#include "forces/bristle.hpp"
#include "forces/compliant_only.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/forces/dry_friction.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {
namespace {

/// Fraction of the play over which a damper sets in.
constexpr double kOnset = 0.01;

/// Calls `use(i, τ_i)` with the torque of the spring of each joint.
template <typename Use>
void for_each_spring(const Model& model, const State& state, const Use& use) {
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.spherical != 0) continue;
    use(i, -joint.stiffness * (state.q(i - 1) - joint.rest_position));
  }
  for (const int first : model.spherical_joints()) {
    if (!has_spring(model, first)) continue;
    const Vector3 torque = spring_torque(model, state.q.segment<3>(first - 1), first);
    for (int k = 0; k < 3; ++k) use(first + k, torque(k));
  }
}

double stretch(const JointCoupling& coupling, const State& state, std::size_t i) {
  return state.q(coupling.joints[i] - 1) - coupling.rest_position(static_cast<Eigen::Index>(i));
}

double rate(const JointCoupling& coupling, const State& state, std::size_t i) {
  return state.qd(coupling.joints[i] - 1);
}

/// Calls `visit(i, j, K_ij, D_ij)`.
template <typename Visit>
void for_each_element(const JointCoupling& coupling, Visit visit) {
  const Eigen::Index size = coupling.stiffness.rows();
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      visit(static_cast<std::size_t>(i), static_cast<std::size_t>(j), coupling.stiffness(i, j),
            coupling.damping(i, j));
    }
  }
}

/// What a transmission does at a state.
struct Twist {
  double angle = 0.0;   // δ beyond the play
  double rate = 0.0;    // δ̇ in contact
  double torque = 0.0;  // on the driven joint
  double torque_by_angle = 0.0, torque_by_rate = 0.0;
};

Twist twist_of(const Transmission& drive, const State& state) {
  Twist twist;
  twist.angle = drive.twist(state.q);
  if (drive.backlash > 0.0 && twist.angle == 0.0) return twist;
  twist.rate = state.qd(drive.motor - 1) / drive.gear_ratio - state.qd(drive.joint - 1);
  double onset = 1.0;
  if (drive.backlash > 0.0) {
    onset = std::min(1.0, std::abs(twist.angle) / (kOnset * drive.backlash));
  }
  twist.torque = drive.stiffness * twist.angle + onset * drive.damping * twist.rate;
  twist.torque_by_angle = drive.stiffness;
  if (onset < 1.0) twist.torque_by_angle += onset / twist.angle * drive.damping * twist.rate;
  twist.torque_by_rate = onset * drive.damping;
  return twist;
}

void add_torque(const Model& model, const State& state, VectorRef tau) {
  for_each_spring(model, state, [&](int i, double torque) { tau(i - 1) += torque; });
  for (int i = 1; i <= model.joint_count(); ++i) {
    tau(i - 1) -= model.joint(i).damping * state.qd(i - 1);
  }
  for (const JointCoupling& coupling : model.couplings()) {
    for_each_element(coupling, [&](std::size_t i, std::size_t j, double K, double D) {
      tau(coupling.joints[i] - 1) -= K * stretch(coupling, state, j) + D * rate(coupling, state, j);
    });
  }
  for (const Transmission& drive : model.transmissions()) {
    const double torque = twist_of(drive, state).torque;
    tau(drive.joint - 1) += torque;
    tau(drive.motor - 1) -= torque / drive.gear_ratio;
  }
}

/// Adds a transmission's x (1/N, −1)(1/N, −1)ᵀ, rows m of the motor and j of the joint.
void add_transmission(const Transmission& drive, double x, Eigen::Index m, Eigen::Index j,
                      MatrixX& matrix) {
  const double inverse = 1.0 / drive.gear_ratio;
  matrix(m, m) += x * inverse * inverse;
  matrix(m, j) -= x * inverse;
  matrix(j, m) -= x * inverse;
  matrix(j, j) += x;
}

}  // namespace

void PassiveJoints::apply(const EvaluationContext& context, Loads& loads) const {
  add_torque(context.model, context.state, loads.tau);
}

bool PassiveJoints::differentiate(const EvaluationContext& context,
                                  LoadDerivatives& derivatives) const {
  const Model& model = context.model;
  MatrixX& by_position = derivatives.force_configuration;
  MatrixX& by_velocity = derivatives.force_velocity;
  const auto row = [](int joint) { return LoadDerivatives::joint(joint); };
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.joint(i).spherical == 0) by_position(row(i), row(i)) -= model.joint(i).stiffness;
    by_velocity(row(i), row(i)) -= model.joint(i).damping;
  }
  for (const int first : model.spherical_joints()) {
    if (!has_spring(model, first)) continue;
    by_position.block<3, 3>(row(first), row(first)) -=
        spring_stiffness(model, context.state.q.segment<3>(first - 1), first);
  }
  for (const JointCoupling& coupling : model.couplings()) {
    for_each_element(coupling, [&](std::size_t i, std::size_t j, double K, double D) {
      by_position(row(coupling.joints[i]), row(coupling.joints[j])) -= K;
      by_velocity(row(coupling.joints[i]), row(coupling.joints[j])) -= D;
    });
  }
  for (const Transmission& drive : model.transmissions()) {
    const Twist twist = twist_of(drive, context.state);
    add_transmission(drive, -twist.torque_by_angle, row(drive.motor), row(drive.joint),
                     by_position);
    add_transmission(drive, -twist.torque_by_rate, row(drive.motor), row(drive.joint), by_velocity);
  }
  return true;
}

double PassiveJoints::stored_energy(const EvaluationContext& context) const {
  return elastic_energy(context.model, context.state.q);
}

EnergyRates PassiveJoints::energy_rates(const EvaluationContext& context) const {
  const Model& model = context.model;
  const State& state = context.state;
  EnergyRates rates;
  for (int i = 1; i <= model.joint_count(); ++i) {
    rates.dissipated += model.joint(i).damping * state.qd(i - 1) * state.qd(i - 1);
  }
  for_each_spring(model, state,
                  [&](int i, double torque) { rates.stored -= torque * state.qd(i - 1); });
  for (const JointCoupling& coupling : model.couplings()) {
    for_each_element(coupling, [&](std::size_t i, std::size_t j, double K, double D) {
      rates.stored += rate(coupling, state, i) * K * stretch(coupling, state, j);
      rates.dissipated += rate(coupling, state, i) * D * rate(coupling, state, j);
    });
  }
  for (const Transmission& drive : model.transmissions()) {
    const Twist twist = twist_of(drive, state);
    rates.stored += drive.stiffness * twist.angle * twist.rate;
    rates.dissipated += (twist.torque - drive.stiffness * twist.angle) * twist.rate;
  }
  return rates;
}

bool has_passive_joints(const Model& model) noexcept {
  if (!model.couplings().empty() || !model.transmissions().empty()) return true;
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.stiffness != 0.0 || joint.damping != 0.0) return true;
  }
  return false;
}

VectorX passive_torque(const Model& model, const State& state) {
  VectorX torque = VectorX::Zero(model.joint_count());
  add_torque(model, state, torque);
  return torque;
}

MatrixX stiffness_matrix(const Model& model) {
  MatrixX K = MatrixX::Zero(model.joint_count(), model.joint_count());
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.joint(i).spherical == 0) K(i - 1, i - 1) = model.joint(i).stiffness;
  }
  for (const int first : model.spherical_joints()) {
    if (!has_spring(model, first)) continue;
    Vector3 rest;
    for (int k = 0; k < 3; ++k) rest(k) = model.joint(first + k).rest_position;
    K.block<3, 3>(first - 1, first - 1) = spring_stiffness(model, rest, first);
  }
  for (const JointCoupling& coupling : model.couplings()) {
    for_each_element(coupling, [&](std::size_t i, std::size_t j, double K_ij, double) {
      K(coupling.joints[i] - 1, coupling.joints[j] - 1) += K_ij;
    });
  }
  for (const Transmission& drive : model.transmissions()) {
    add_transmission(drive, drive.stiffness, drive.motor - 1, drive.joint - 1, K);
  }
  return K;
}

MatrixX damping_matrix(const Model& model) {
  MatrixX D = MatrixX::Zero(model.joint_count(), model.joint_count());
  for (int i = 1; i <= model.joint_count(); ++i) D(i - 1, i - 1) = model.joint(i).damping;
  for (const JointCoupling& coupling : model.couplings()) {
    for_each_element(coupling, [&](std::size_t i, std::size_t j, double, double D_ij) {
      D(coupling.joints[i] - 1, coupling.joints[j] - 1) += D_ij;
    });
  }
  for (const Transmission& drive : model.transmissions()) {
    add_transmission(drive, drive.damping, drive.motor - 1, drive.joint - 1, D);
  }
  return D;
}

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
