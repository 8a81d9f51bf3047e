#include "spacedyn/control/joint_pd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

/// An empty vector has no limits.
void check_velocity_limit(const std::string& owner, const VectorX& limits, Eigen::Index i,
                          double effort_limit) {
  if (limits.size() == 0 || std::isinf(limits(i)) || std::isfinite(effort_limit)) return;
  throw DomainError(owner + "velocity_limit " + std::to_string(i + 1) +
                    " needs a finite effort_limit: effort falls from there to zero");
}

/// One end of what a drive can do at a velocity.
struct Line {
  double torque;
  double by_velocity;
};

/// The upper end, or the lower one, of a drive with effort limit L and no-load speed v_0.
Line line_of(bool upper, double velocity, double L, double v_0) {
  const double sign = upper ? 1.0 : -1.0, ratio = sign * velocity / v_0;
  return {sign * L * std::clamp(1.0 - ratio, 0.0, 1.0),
          ratio > 0.0 && ratio < 1.0 ? -L / v_0 : 0.0};
}

/// Where the torque of an integral counts as being at the limit of its drive, as a part of the
/// limit: half of it evenly, and twice as far it is beyond.
constexpr double kAtLimit = 1e-7;
/// Where it comes there from within, likewise.
constexpr double kEntry = 0.75 * kAtLimit;
/// Rounding of an integral that has reached its limit.
constexpr double kReached = 1e-9;

}  // namespace

JointPd::JointPd(std::string name, Settings settings)
    : JointController(std::move(name)), settings_(std::move(settings)) {
  const std::string owner = owner_prefix(*this);
  if (settings_.velocity_limit.size() == 0) {
    settings_.velocity_limit =
        VectorX::Constant(command_size(), std::numeric_limits<double>::infinity());
  }
  check_tracking();
  check_limit("velocity_limit", settings_.velocity_limit);
  for (Eigen::Index i = 0; i < settings_.effort_limit.size(); ++i) {
    check_velocity_limit(owner, settings_.velocity_limit, i, settings_.effort_limit(i));
  }
  if (has_integral()) check_gain("integral", settings_.integral);
  if (settings_.integral_limit.size() == 0) return;
  if (!has_integral()) throw DomainError(owner + "integral_limit needs an integral");
  check_limit("integral_limit", settings_.integral_limit);
}

void JointPd::check(const Model& model) const {
  JointController::check(model);
  for (Eigen::Index i = 0; i < command_size(); ++i) {
    check_velocity_limit(owner_prefix(*this), settings_.velocity_limit, i, effort_limit(model, i));
  }
}

struct JointPd::Drive {
  int joint;
  ReferenceValue desired;
  double error, error_rate;
  double wanted;  // torque before it is limited; may be NaN
  Line highest, lowest;

  bool is_above() const { return wanted > highest.torque; }
  bool is_below() const { return wanted < lowest.torque; }
  double torque() const {
    return is_above() ? highest.torque : is_below() ? lowest.torque : wanted;
  }
};

JointPd::Drive JointPd::drive(const EvaluationContext& context, Eigen::Index i) const {
  Drive drive;
  drive.joint = settings_.joints[static_cast<std::size_t>(i)];
  drive.desired = settings_.reference->at(static_cast<int>(i), context.instant());
  const double qd = context.state.qd(drive.joint - 1);
  drive.error = drive.desired.position - context.state.q(drive.joint - 1);
  drive.error_rate = drive.desired.velocity - qd;
  drive.wanted = settings_.stiffness(i) * drive.error + settings_.damping(i) * drive.error_rate;
  // derivatives of a sampled one take what it remembers for constant
  const bool has_z = has_integral() && context.auxiliary.size() > 0;
  if (has_z) drive.wanted += settings_.integral(i) * context.auxiliary(i);
  const double L = effort_limit(context.model, i), v_0 = settings_.velocity_limit(i);
  drive.highest = line_of(true, qd, L, v_0);
  drive.lowest = line_of(false, qd, L, v_0);
  return drive;
}

void JointPd::command(const EvaluationContext& context, VectorRef command) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) command(i) = drive(context, i).torque();
}

void JointPd::declare(Declarations& declared) const {
  JointController::declare(declared);
  declared.batch_law = this;
}

int JointPd::auxiliary_size() const {
  return has_integral() && settings_.sample_period == 0.0 ? command_size() : 0;
}

int JointPd::memory_size() const {
  return has_integral() && settings_.sample_period > 0.0 ? command_size() : 0;
}

double JointPd::greatest_integral(const Model& model, Eigen::Index i) const {
  const double limit =
      settings_.integral_limit.size() > 0 ? settings_.integral_limit(i) : effort_limit(model, i);
  return limit / settings_.integral(i);
}

double JointPd::integral_rate(const EvaluationContext& context, const Drive& drive,
                              Eigen::Index i) const {
  const double I = settings_.integral(i), z = context.auxiliary(i), e = drive.error;
  if (I == 0.0 || e == 0.0) return 0.0;
  if (e * z > 0.0 && std::abs(z) >= greatest_integral(context.model, i)) return 0.0;
  const Line& line = e > 0.0 ? drive.highest : drive.lowest;
  if (std::isinf(line.torque)) return e;
  const double sign = e > 0.0 ? 1.0 : -1.0;
  // < −1: within the limit, > 1: beyond it
  const double excess =
      sign * (drive.wanted - line.torque) / (kAtLimit * effort_limit(context.model, i));
  if (excess <= -1.0) return e;
  if (excess >= 1.0) return 0.0;
  // the rate that keeps τ on the line, as far as z may follow: I ż = d(line)/dt − K ė − D ë
  const double qdd =
      context.acceleration == nullptr ? 0.0 : (*context.acceleration)(drive.joint + 5);
  const double follows = (line.by_velocity * qdd - settings_.stiffness(i) * drive.error_rate -
                          settings_.damping(i) * (drive.desired.acceleration - qdd)) /
                         I;
  const double kept = e > 0.0 ? std::clamp(follows, 0.0, e) : std::clamp(follows, e, 0.0);
  // evenly around the line, from there on to what holds on either side
  const double outside = 2.0 * std::max(0.0, std::abs(excess) - 0.5);
  return kept + outside * ((excess < 0.0 ? e : 0.0) - kept);
}

void JointPd::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  for (Eigen::Index i = 0; i < zd.size(); ++i) {
    zd(i) = integral_rate(context, drive(context, i), i);
  }
}

void JointPd::advance(const EvaluationContext& context, VectorRef memory) const {
  for (Eigen::Index i = 0; i < memory.size(); ++i) {
    if (settings_.integral(i) == 0.0) continue;
    const Drive now = drive(context, i);
    const bool is_beyond = now.error > 0.0 ? now.is_above() : now.is_below();
    const double greatest = greatest_integral(context.model, i);
    const double next = memory(i) + (is_beyond ? 0.0 : settings_.sample_period * now.error);
    memory(i) = std::clamp(next, -greatest, greatest);
  }
}

void JointPd::append_events(std::vector<ElementEvent>& events) const {
  if (auxiliary_size() == 0) return;
  for (Eigen::Index i = 0; i < settings_.integral.size(); ++i) {
    if (settings_.integral(i) == 0.0) continue;
    const auto add = [&](const char* what, auto value, auto reset) {
      events.push_back({name() + ' ' + std::to_string(i + 1) + what,
                        value,
                        {},
                        CrossingDirection::rising,
                        false,
                        reset});
    };
    add(
        " integral",
        [this, i](const EvaluationContext& context) {
          const double greatest = greatest_integral(context.model, i);
          return std::isinf(greatest) ? -1.0 : std::abs(context.auxiliary(i)) / greatest - 1.0;
        },
        // exactly there, so that it stops
        [this, i](const EvaluationContext& context, VectorRef z) {
          const double greatest = greatest_integral(context.model, i);
          if (std::abs(z(i)) >= greatest * (1.0 - kReached)) z(i) = std::copysign(greatest, z(i));
        });
    for (const double sign : {1.0, -1.0}) {
      add(
          sign > 0.0 ? " upper limit" : " lower limit",
          [this, i, sign](const EvaluationContext& context) {
            const Drive now = drive(context, i);
            const double line = (sign > 0.0 ? now.highest : now.lowest).torque;
            if (std::isinf(line)) return -1.0;
            return sign * (now.wanted - line) + kEntry * effort_limit(context.model, i);
          },
          // to the line, where z may follow it
          [this, i, sign](const EvaluationContext& context, VectorRef z) {
            const Drive now = drive(context, i);
            const double over = now.wanted - (sign > 0.0 ? now.highest : now.lowest).torque;
            const bool is_there = std::abs(over) <= kAtLimit * effort_limit(context.model, i);
            if (std::isfinite(over) && is_there && sign * now.error > 0.0) {
              z(i) -= over / settings_.integral(i);
            }
          });
    }
  }
}

bool JointPd::differentiate(const EvaluationContext& context, ConstVectorRef command,
                            CommandMode mode, LoadDerivatives& derivatives) const {
  if (mode == CommandMode::held) return true;
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const Drive now = drive(context, i);
    const Eigen::Index row = LoadDerivatives::joint(now.joint), z = derivatives.slice + i;
    // where there is no error z rests, but does not stop
    const bool has_z = auxiliary_size() > 0 && settings_.integral(i) > 0.0;
    if (has_z && (now.error == 0.0 || integral_rate(context, now, i) != 0.0)) {
      derivatives.rate_configuration(z, row) -= 1.0;
      derivatives.rate_time(z) += now.desired.velocity;
    }
    if (now.is_above() || now.is_below()) {
      const Line& line = now.is_above() ? now.highest : now.lowest;
      derivatives.force_velocity(row, row) += line.by_velocity;
      continue;
    }
    derivatives.force_configuration(row, row) -= settings_.stiffness(i);
    derivatives.force_velocity(row, row) -= settings_.damping(i);
    derivatives.force_time(row) += settings_.stiffness(i) * now.desired.velocity +
                                   settings_.damping(i) * now.desired.acceleration;
    if (auxiliary_size() > 0) derivatives.force_auxiliary(row, z) += settings_.integral(i);
  }
  return true;
}

}  // namespace spacedyn
