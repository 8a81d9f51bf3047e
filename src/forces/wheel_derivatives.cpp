// How the loads of wheels on soil, and the ruts they follow, depend on motion and states.
#include <algorithm>

#include "forces/wheel_loads.hpp"
#include "forces/wheel_slips.hpp"

namespace spacedyn {
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
