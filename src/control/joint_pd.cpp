#include "spacedyn/control/joint_pd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

void check_gain(const std::string& owner, const char* name, const VectorX& gain) {
  check_finite(owner + name, gain);
  if (gain.size() > 0 && gain.minCoeff() < 0.0) {
    throw DomainError(owner + name + " must not be negative");
  }
}

void check_limits(const std::string& owner, const char* name, const VectorX& limit) {
  for (Eigen::Index i = 0; i < limit.size(); ++i) {
    if (limit(i) > 0.0) continue;
    throw DomainError(owner + name + " " + std::to_string(i + 1) + " must be positive");
  }
}

/// An empty vector has no limits.
void check_velocity_limit(const std::string& owner, const VectorX& limits, Eigen::Index i,
                          double effort_limit) {
  if (limits.size() == 0 || std::isinf(limits(i)) || std::isfinite(effort_limit)) return;
  throw DomainError(owner + "velocity_limit " + std::to_string(i + 1) +
                    " needs a finite effort_limit: effort falls from there to zero");
}

/// A torque between the straight lines of a drive, and how it changes.
struct LimitedTorque {
  double value;
  bool is_limited;
  double by_velocity;  // of the line it is on, if it is limited
};

/// τ of a drive with effort limit L and no-load speed v_0; lets NaN through.
LimitedTorque limited(double torque, double velocity, double L, double v_0) {
  const double ratio = velocity / v_0;
  const double highest = L * std::clamp(1.0 - ratio, 0.0, 1.0);
  const double lowest = -L * std::clamp(1.0 + ratio, 0.0, 1.0);
  if (torque > highest) return {highest, true, ratio > 0.0 && ratio < 1.0 ? -L / v_0 : 0.0};
  if (torque < lowest) return {lowest, true, ratio < 0.0 && ratio > -1.0 ? -L / v_0 : 0.0};
  return {torque, false, 0.0};
}

void check_distinct(const std::string& owner, const std::vector<int>& joints) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (std::count(joints.begin(), joints.end(), joints[i]) == 1) continue;
    throw DomainError(owner + "joint " + std::to_string(joints[i]) + " is controlled twice");
  }
}

}  // namespace

JointPd::JointPd(std::string name, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  const std::string owner = owner_prefix(*this);
  const auto count = static_cast<Eigen::Index>(settings_.joints.size());
  const auto check_size = [&](const char* what, Eigen::Index size) {
    check_same_size(owner + what, size, count);
  };
  if (!settings_.reference) throw DomainError("'" + this->name() + "' has no reference");
  check_size("stiffness", settings_.stiffness.size());
  check_size("damping", settings_.damping.size());
  if (settings_.velocity_limit.size() == 0) {
    settings_.velocity_limit = VectorX::Constant(count, std::numeric_limits<double>::infinity());
  }
  check_size("velocity_limit", settings_.velocity_limit.size());
  const bool own_efforts = settings_.effort_limit.size() > 0;
  if (own_efforts) check_size("effort_limit", settings_.effort_limit.size());
  check_size("the reference", settings_.reference->size());
  check_gain(owner, "stiffness", settings_.stiffness);
  check_gain(owner, "damping", settings_.damping);
  check_limits(owner, "effort_limit", settings_.effort_limit);
  check_limits(owner, "velocity_limit", settings_.velocity_limit);
  for (Eigen::Index i = 0; own_efforts && i < count; ++i) {
    check_velocity_limit(owner, settings_.velocity_limit, i, settings_.effort_limit(i));
  }
  check_distinct(owner, settings_.joints);
  if (!(settings_.sample_period >= 0.0) || std::isinf(settings_.sample_period)) {
    throw DomainError(owner + "sample_period must be finite and not negative");
  }
}

void JointPd::check(const Model& model) const {
  for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
    check_scalar_joint(*this, settings_.joints[i], model);
    const auto component = static_cast<Eigen::Index>(i);
    check_velocity_limit(owner_prefix(*this), settings_.velocity_limit, component,
                         effort_limit(model, component));
  }
}

double JointPd::effort_limit(const Model& model, Eigen::Index i) const {
  if (settings_.effort_limit.size() > 0) return settings_.effort_limit(i);
  return model.joint(settings_.joints[static_cast<std::size_t>(i)]).effort_limit;
}

struct JointPd::Drive {
  int joint;
  double by_time;  // of the unlimited torque
  LimitedTorque torque;
};

JointPd::Drive JointPd::drive(const EvaluationContext& context, Eigen::Index i) const {
  const int joint = settings_.joints[static_cast<std::size_t>(i)];
  const ReferenceValue desired = settings_.reference->evaluate(static_cast<int>(i), context.time);
  const double qd = context.state.qd(joint - 1);
  const double torque = settings_.stiffness(i) * (desired.position - context.state.q(joint - 1)) +
                        settings_.damping(i) * (desired.velocity - qd);
  return {joint,
          settings_.stiffness(i) * desired.velocity + settings_.damping(i) * desired.acceleration,
          limited(torque, qd, effort_limit(context.model, i), settings_.velocity_limit(i))};
}

void JointPd::command(const EvaluationContext& context, VectorRef command) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    command(i) = drive(context, i).torque.value;
  }
}

bool JointPd::differentiate(const EvaluationContext& context, ConstVectorRef command,
                            CommandMode mode, LoadDerivatives& derivatives) const {
  if (mode == CommandMode::held) return true;
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const Drive now = drive(context, i);
    const Eigen::Index row = LoadDerivatives::joint(now.joint);
    if (now.torque.is_limited) {
      derivatives.force_velocity(row, row) += now.torque.by_velocity;
      continue;
    }
    derivatives.force_configuration(row, row) -= settings_.stiffness(i);
    derivatives.force_velocity(row, row) -= settings_.damping(i);
    derivatives.force_time(row) += now.by_time;
  }
  return true;
}

void JointPd::apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    loads.tau(settings_.joints[static_cast<std::size_t>(i)] - 1) += command(i);
  }
}

void JointPd::append_discontinuities(std::vector<double>& times) const {
  // a sampled law sees its reference at sample instants only
  if (settings_.sample_period == 0.0) settings_.reference->append_discontinuities(times);
}

}  // namespace spacedyn
