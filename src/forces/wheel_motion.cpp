#include "forces/wheel_motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "forces/element_checks.hpp"
#include "forces/root_bound.hpp"
#include "forces/wheel_loads.hpp"
#include "forces/wheel_slips.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

WheelElement::WheelElement(std::string name, Mount mount)
    : ForceElement(std::move(name)), mount_(std::move(mount)) {}

void WheelElement::check(const Model& model) const {
  check_joint(*this, mount_.link, model);
  if (model.joint(mount_.link).type == JointType::revolute) return;
  throw DomainError(owner_prefix(*this) + "a wheel turns on a revolute joint, '" +
                    model.joint(mount_.link).name + "' is none");
}

void WheelElement::declare(Declarations& declared) const {
  declared.wheel = mount_;
  declared.ground = mount_.terrain.get();
  declared.outputs.push_back({"wheels",
                              {{"sinkage", "_sinkage_m", "m"},
                               {"slip", "_slip", ""},
                               {"slip_angle", "_slip_angle_rad", "rad"},
                               {"drawbar_pull", "_drawbar_pull_N", "N"},
                               {"side_force", "_side_force_N", "N"},
                               {"vertical_force", "_vertical_force_N", "N"},
                               {"resistance_torque", "_resistance_torque_N_m", "N m"}},
                              [this](const EvaluationContext& context, VectorRef values) {
                                const WheelReading now = reading(context);
                                values << now.sinkage, now.slip, now.slip_angle, now.drawbar_pull,
                                    now.side_force, now.vertical_force, now.resistance_torque;
                              }});
  declared.doubt = [this](const EvaluationContext& start, const EvaluationContext& end,
                          const auto& has_happened) -> std::string {
    const WheelReading now = reading(end);
    if (now.sinkage > 0.0 && now.slip > kStallSlip) {
      return fmt::format(
          "wheel '{}' has stalled: at the end it turns on the spot, with a slip of {:.3f}", name(),
          now.slip);
    }
    if (reading(start).sinkage > 0.0 || now.sinkage > 0.0 || has_happened(ground_event()))
      return "";
    return fmt::format("wheel '{}' never touches the ground: at the end it is {:.3g} m above it",
                       name(), -now.sinkage);
  };
}

void WheelElement::append_events(std::vector<ElementEvent>& events) const {
  const auto bound_of = [this](const EvaluationContext& now) {
    const WheelStance there = wheel_stance(mount_, now);
    RootBound bound = smooth_bound(there.sinkage_rate);
    // its own turning moves neither the centre nor the axis
    add_carriers(now, now.model.topology().connection(mount_.link), there.center, bound);
    return bound;
  };
  const auto sinkage = [this](const EvaluationContext& now) {
    return wheel_pose(mount_, now.frames).sinkage;
  };
  events.push_back({ground_event(), BoundedRoot(sinkage, bound_of)});
}

WheelPose wheel_pose(const WheelElement::Mount& mount, const LinkFrames& frames) {
  const auto i = static_cast<std::size_t>(mount.link);
  WheelPose pose;
  pose.center = frames.o[i];
  pose.axis = frames.k[i];
  pose.ground = mount.terrain->nearest(pose.center);
  pose.lean = pose.ground.normal.dot(pose.axis);
  pose.upright = std::sqrt(std::max(0.0, 1.0 - pose.lean * pose.lean));
  pose.stands = pose.upright > 1e-3;
  if (!pose.stands) return pose;
  pose.heading = pose.axis.cross(pose.ground.normal) / pose.upright;
  pose.up = pose.heading.cross(pose.axis);
  pose.sinkage = mount.radius - pose.ground.distance / pose.upright;
  return pose;
}

WheelStance WheelElement::stance(const EvaluationContext& context) const {
  return wheel_stance(mount_, context);
}

WheelStance wheel_stance(const WheelElement::Mount& mount, const EvaluationContext& context) {
  const auto i = static_cast<std::size_t>(mount.link);
  WheelStance stance{wheel_pose(mount, context.frames)};
  stance.omega = context.velocities.omega[i];
  stance.velocity =
      context.velocities.v[i] + stance.omega.cross(stance.center - context.frames.r[i]);
  if (!stance.stands) return stance;
  const SurfacePoint& ground = stance.ground;
  const double upright = stance.upright;
  const double lean_rate = stance.axis.dot(ground.normal_gradient * stance.velocity) +
                           ground.normal.dot(stance.omega.cross(stance.axis));
  stance.sinkage_rate = -ground.normal.dot(stance.velocity) / upright -
                        ground.distance * stance.lean * lean_rate / (upright * upright * upright);
  stance.forward = stance.heading.dot(stance.velocity);
  stance.sideward = stance.axis.dot(stance.velocity);
  stance.rim = mount.radius * stance.axis.dot(stance.omega);
  return stance;
}

namespace {

FramePair pair_of(int link) {
  return {Frame{"", FramePair::kGround, Vector3::Zero(), Matrix3::Identity()},
          Frame{"", link, Vector3::Zero(), Matrix3::Identity()}};
}

}  // namespace

WheelVariation::WheelVariation(const EvaluationContext& context, const WheelElement::Mount& mount)
    : context_(context),
      radius_(mount.radius),
      pair_(pair_of(mount.link)),
      motion_(pair_.motion(context)),
      stance_(wheel_stance(mount, context)),
      normal_rate_(stance_.ground.normal_gradient * stance_.velocity),
      // third derivatives of the distance do not depend on their order
      normal_rate_by_place_(
          mount.terrain->normal_gradient_change(stance_.ground, stance_.velocity)) {}

WheelChange WheelVariation::change_by(const PairMotion& motion) const {
  const WheelStance& at = stance_;
  const SurfacePoint& ground = at.ground;
  const PairMotion::End& move = motion.to;
  const Vector3 &n = ground.normal, &v = at.velocity, &axis = at.axis;
  WheelChange d;
  d.motion = motion;
  d.axis = move.turn.cross(axis);
  const double distance = n.dot(move.r);
  const Vector3 normal = ground.normal_gradient * move.r;
  const Vector3 normal_rate = normal_rate_by_place_ * move.r + ground.normal_gradient * move.v;
  d.place = move.r - distance * n - ground.distance * normal;
  d.ground_velocity = move.v - (normal.dot(v) + n.dot(move.v)) * n - n.dot(v) * normal -
                      distance * normal_rate_ - ground.distance * normal_rate;
  if (!at.stands) return d;
  const double u = at.upright, lean = normal.dot(axis) + n.dot(d.axis),
               upright = -at.lean * lean / u;
  d.heading = (d.axis.cross(n) + axis.cross(normal) - upright * at.heading) / u;
  d.up = d.heading.cross(axis) + at.heading.cross(d.axis);
  // sinkage h = r − ζ/cos γ and its rate
  const Vector3 tilting = at.omega.cross(axis);
  const double lean_rate = axis.dot(normal_rate_) + n.dot(tilting);
  const double lean_rate_change = d.axis.dot(normal_rate_) + axis.dot(normal_rate) +
                                  normal.dot(tilting) +
                                  n.dot(move.omega.cross(axis) + at.omega.cross(d.axis));
  const double u2 = u * u, u3 = u2 * u, per = ground.distance / u3;
  d.scalars.sinkage = -distance / u + ground.distance * upright / u2;
  d.scalars.sinkage_rate = -(normal.dot(v) + n.dot(move.v)) / u + n.dot(v) * upright / u2 -
                           distance * at.lean * lean_rate / u3 -
                           per * (lean * lean_rate + at.lean * lean_rate_change) +
                           3.0 * per / u * at.lean * lean_rate * upright;
  d.scalars.forward = d.heading.dot(v) + at.heading.dot(move.v);
  d.scalars.sideward = d.axis.dot(v) + axis.dot(move.v);
  d.scalars.rim = radius_ * (d.axis.dot(at.omega) + axis.dot(move.omega));
  return d;
}

void WheelVariation::add(const WheelChange& change, const WheelLoads<double>& now,
                         const WheelLoads<double>& loads_change, VectorRef column) const {
  WheelPose axes;  // the change of the wheel's axes in the place of the axes
  axes.heading = change.heading;
  axes.axis = change.axis;
  axes.up = change.up;
  pair_.add(context_, motion_, change.motion, {force_of(now, stance_), moment_of(now, stance_)},
            {force_of(loads_change, stance_) + force_of(now, axes),
             moment_of(loads_change, stance_) + moment_of(now, axes)},
            column);
}

// How the loads of wheels on soil, and the ruts they follow, depend on motion and states.

namespace {

constexpr std::size_t kDepth = 5, kOverlap = kDepth + WheelForce::kMostLeaders;
/// By the scalars of a stance, then by depths and overlaps of ruts.
constexpr int kVariables = static_cast<int>(kOverlap) + WheelForce::kMostLeaders;
using WheelNumber = Dual<kVariables>;

/// WheelSoilForce with derivatives.
template <typename T>
struct SoilForce {
  T drawbar_pull, side_force, vertical_force, resistance_torque, overturning_moment,
      aligning_moment;
};

SoilForce<WheelNumber> soil_force(const WheelSoilModel& model, const SoilContact<WheelNumber>& at) {
  WheelSoilModel::Slopes slopes;
  const WheelSoilForce force =
      model.force({at.sinkage.value, at.slip.value, at.lateral.value, at.slip_angle.value,
                   at.pressing.value, at.pressed.value},
                  slopes);
  const auto part = [&](double WheelSoilForce::*which) {
    WheelNumber number(force.*which);
    const auto add = [&](const WheelSoilForce& slope, const WheelNumber& variable) {
      for (std::size_t i = 0; i < number.slope.size(); ++i) {
        number.slope[i] += slope.*which * variable.slope[i];
      }
    };
    add(slopes.by_sinkage, at.sinkage);
    add(slopes.by_slip, at.slip);
    add(slopes.by_lateral, at.lateral);
    add(slopes.by_slip_angle, at.slip_angle);
    add(slopes.by_pressing, at.pressing);
    add(slopes.by_pressed, at.pressed);
    return number;
  };
  return {part(&WheelSoilForce::drawbar_pull),       part(&WheelSoilForce::side_force),
          part(&WheelSoilForce::vertical_force),     part(&WheelSoilForce::resistance_torque),
          part(&WheelSoilForce::overturning_moment), part(&WheelSoilForce::aligning_moment)};
}

/// Adds ∂ż of a trace, whose states begin at a row.
void add_rates(const RutTrace& trace, const EvaluationContext& context, ConstVectorRef z,
               Eigen::Index first, LoadDerivatives& derivatives) {
  const WheelVariation leader(context, trace.leader());
  const bool presses = leader.stance().sinkage > 0.0;
  Vector3 stretch;
  const auto cells = trace.rate_gradient(leader.stance(), z, stretch);
  leader.for_each_change([&](const WheelChange& change, bool by_velocity, Eigen::Index column) {
    auto rate = (by_velocity ? derivatives.rate_velocity : derivatives.rate_configuration)
                    .col(column)
                    .segment<RutTrace::kStates>(first);
    Vector6 causes;
    causes << 0.0, stretch.dot(change.ground_velocity), presses ? change.scalars.sinkage : 0.0,
        change.place;
    rate(0) += causes(1);
    for (const auto& cell : cells) rate.segment<RutTrace::kPerCell>(cell.first) += cell.by * causes;
  });
  for (const auto& cell : cells) {
    const Eigen::Index row = first + cell.first;
    derivatives.rate_auxiliary.col(first).segment<RutTrace::kPerCell>(row) += cell.by.col(0);
    derivatives.rate_auxiliary.diagonal().segment<RutTrace::kPerCell>(row).array() -= cell.rate;
  }
}

}  // namespace

bool WheelForce::differentiate(const EvaluationContext& context,
                               LoadDerivatives& derivatives) const {
  const std::size_t count = traces_.size();
  const auto row_of = [&](std::size_t trace) {
    return derivatives.slice + static_cast<Eigen::Index>(trace) * RutTrace::kStates;
  };
  for (std::size_t i = 0; i < count; ++i) {
    add_rates(traces_[i], context, RutTrace::states_of(context.auxiliary, i), row_of(i),
              derivatives);
  }
  const WheelVariation wheel(context, mount());
  const WheelStance& at = wheel.stance();
  if (!at.stands || at.sinkage <= 0.0) return true;
  const SoilLayers<WheelNumber> layers{
      count, [&](std::size_t i) -> RutBed<WheelNumber> {
        const auto bed = traces_[i].at(at.ground.point, RutTrace::states_of(context.auxiliary, i));
        return {WheelNumber::variable(bed.depth, static_cast<int>(kDepth + i)),
                WheelNumber::variable(bed.overlap, static_cast<int>(kOverlap + i))};
      }};
  WheelLoads<WheelNumber> loads;
  for_each_soil_contact(
      variables_of<kVariables>(at), settings_, layers,
      [&](const SoilContact<WheelNumber>& contact, const WheelNumber& share, double direction) {
        add_soil_force(soil_force(model_, contact), share, direction, loads);
      });
  const WheelLoads<double> now = values_of(loads);
  wheel.for_each_change([&](const WheelChange& change, bool by_velocity, Eigen::Index column) {
    wheel.add(
        change, now, change_of(loads, change.scalars),
        (by_velocity ? derivatives.force_velocity : derivatives.force_configuration).col(column));
  });
  for (std::size_t i = 0; i < count; ++i) {
    const auto gradient =
        traces_[i].gradient(at.ground.point, RutTrace::states_of(context.auxiliary, i));
    const auto by_depth = slopes_of(loads, kDepth + i), by_overlap = slopes_of(loads, kOverlap + i);
    const auto change_by = [&](const Eigen::Vector2d& bed) {
      return scaled(by_depth, bed(0)) + scaled(by_overlap, bed(1));
    };
    wheel.for_each_change([&](const WheelChange& change, bool by_velocity, Eigen::Index column) {
      if (by_velocity) return;
      wheel.add({}, {}, change_by(gradient.by_place * change.place),
                derivatives.force_configuration.col(column));
    });
    for (Eigen::Index k = 1; k < RutTrace::kStates; ++k) {
      const Eigen::Vector2d bed = gradient.by_state.col(k);
      if (bed.isZero(0.0)) continue;
      wheel.add({}, {}, change_by(bed), derivatives.force_auxiliary.col(row_of(i) + k));
    }
  }
  return true;
}

}  // namespace spacedyn
