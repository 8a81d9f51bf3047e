#include <algorithm>

#include "spacedyn/terramechanics/wheel_soil.hpp"
#include "terramechanics/contact_integral.hpp"

namespace spacedyn {
namespace {

using Slope = Dual<6>;

WheelSoilForce slope_of(const PatchSums<Slope>& sums, double width, std::size_t i) {
  const auto part = [&](const Slope& sum) { return width * sum.slope[i]; };
  return {part(sums.x),      part(sums.y),           part(sums.z),
          part(sums.torque), part(sums.overturning), part(sums.aligning)};
}

}  // namespace

WheelSoilForce WheelSoilModel::force(const Contact& contact, Slopes& slopes) const {
  slopes = {};
  if (!(contact.sinkage > 0.0) || wheel_.width == 0.0) return {};
  ContactPatch<Slope> patch(
      *this, {Slope::variable(std::min(contact.sinkage, 1.9 * wheel_.radius), 0),
              Slope::variable(contact.slip, 1), Slope::variable(contact.lateral, 2),
              Slope::variable(contact.slip_angle, 3), Slope::variable(contact.pressing, 4),
              Slope::variable(contact.pressed, 5)});
  const PatchSums<Slope> sums = patch.integrate();
  const double b = wheel_.width;
  slopes = {slope_of(sums, b, 0), slope_of(sums, b, 1), slope_of(sums, b, 2),
            slope_of(sums, b, 3), slope_of(sums, b, 4), slope_of(sums, b, 5)};
  if (contact.sinkage > 1.9 * wheel_.radius) slopes.by_sinkage = {};
  return {b * sums.x.value,      b * sums.y.value,           b * sums.z.value,
          b * sums.torque.value, b * sums.overturning.value, b * sums.aligning.value};
}

WheelSoilModel::PressingWork WheelSoilModel::pressing_work(double sinkage, double pressed) const {
  static constexpr GaussLegendre<4> kRule;
  using Number = Dual<2>;
  if (wheel_.width == 0.0) return {};
  const Number h = Number::variable(std::min(sinkage, 1.9 * wheel_.radius), 0);
  const Number deepest = Number::variable(pressed, 1);
  const Number carried =
      Number(stiffness_) * exp(Number(soil_.exponent) * log(deepest * Number(1.0 / unit_)));
  const Number floor = bed_under(soil_, deepest, carried).floor;
  const Number depth = h - floor;
  if (!(depth.value > 0.0)) return {};
  Number work;
  for (std::size_t i = 0; i < kRule.node.size(); ++i) {
    const double u = kRule.node[i];  // as without a floor
    ContactPatch<Number> patch(*this, {floor + depth * Number(u * u), 0.0, 0.0, 0.0, 1.0, deepest});
    work += Number(kRule.weight[i] * 2.0 * u * wheel_.width) * depth * patch.integrate().z;
  }
  return {work.value, work.slope[0], work.slope[1]};
}

}  // namespace spacedyn
