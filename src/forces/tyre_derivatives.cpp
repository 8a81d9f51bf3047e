// How the loads of tyres and the rates of their deflections depend on motion and states.
#include "forces/tyre_grip.hpp"
#include "forces/wheel_change.hpp"

namespace spacedyn {

bool TyreForce::differentiate(const EvaluationContext& context,
                              LoadDerivatives& derivatives) const {
  constexpr int kStanceVariables = 7;  // the scalars of a stance and the deflection
  using Number = Dual<kStanceVariables>;
  const WheelVariation wheel(context, mount());
  const WheelStance& at = wheel.stance();
  const bool touches = at.stands && at.sinkage > 0.0;
  const Number u_x = Number::variable(context.auxiliary(0), 5),
               u_y = Number::variable(context.auxiliary(1), 6);
  const TyreGrip<Number> grip =
      touches ? tyre_grip(settings_, variables_of<kStanceVariables>(at), u_x, u_y)
              : released_tyre(settings_, u_x, u_y);
  const Eigen::Index row = derivatives.slice;
  const WheelLoads<double> now = values_of(grip.loads);
  if (touches) {
    wheel.for_each_change([&](const WheelChange& change, bool by_velocity, Eigen::Index column) {
      wheel.add(
          change, now, change_of(grip.loads, change.scalars),
          (by_velocity ? derivatives.force_velocity : derivatives.force_configuration).col(column));
      auto rate =
          (by_velocity ? derivatives.rate_velocity : derivatives.rate_configuration).col(column);
      rate(row) += change_of(grip.rate_x, change.scalars);
      rate(row + 1) += change_of(grip.rate_y, change.scalars);
    });
  }
  for (const Eigen::Index k : {0, 1}) {
    const auto variable = static_cast<std::size_t>(5 + k);
    if (touches)
      wheel.add({}, {}, slopes_of(grip.loads, variable), derivatives.force_auxiliary.col(row + k));
    derivatives.rate_auxiliary(row, row + k) += grip.rate_x.slope[variable];
    derivatives.rate_auxiliary(row + 1, row + k) += grip.rate_y.slope[variable];
  }
  return true;
}

}  // namespace spacedyn
