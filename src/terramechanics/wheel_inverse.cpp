#include <cmath>
#include <string>

#include "math/gauss_legendre.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

namespace spacedyn {

double WheelSoilModel::sinkage(double load, double slip, double slip_angle, double pressed) const {
  if (!(std::isfinite(load) && load >= 0.0)) {
    throw DomainError("the load of a wheel must be finite and not negative");
  }
  if (load == 0.0) return 0.0;
  const double r = wheel_.radius;
  const double lateral = (1.0 - slip) * std::tan(slip_angle);
  const auto excess = [&](double h) {
    return force({h, slip, lateral, slip_angle, 1.0, pressed}).vertical_force - load;
  };
  double low = 0.0, high = r, f_low = -load, f_high = excess(high);
  if (!(f_high >= 0.0)) {
    throw DomainError("the soil carries " + std::to_string(f_high + load) +
                      " N at a sinkage of one radius, less than the load of " +
                      std::to_string(load) + " N");
  }
  // Illinois' rule, every fourth step a bisection
  int side = 0;
  double h = high;
  for (int i = 0; i < 200 && high - low > 1e-15 * r; ++i) {
    h = low + (high - low) * (f_low / (f_low - f_high));
    if (i % 4 == 3) h = 0.5 * (low + high);
    const double f = excess(h);
    if (f == 0.0 || std::abs(f) < 1e-15 * load) return h;
    if (f < 0.0) {
      low = h;
      f_low = f;
      if (side == -1) f_high *= 0.5;
      side = -1;
    } else {
      high = h;
      f_high = f;
      if (side == 1) f_low *= 0.5;
      side = 1;
    }
  }
  return h;
}

double WheelSoilModel::pressing_work(double sinkage) const {
  static constexpr GaussLegendre<10> kRule;
  if (!(sinkage > 0.0)) return 0.0;
  double work = 0.0;
  for (std::size_t i = 0; i < kRule.node.size(); ++i) {
    const double u = kRule.node[i];  // h ~ u²: the force grows with h^(n + 1/2)
    work += kRule.weight[i] * 2.0 * u * sinkage * force(sinkage * u * u, 0.0, 0.0).vertical_force;
  }
  return work;
}

}  // namespace spacedyn
