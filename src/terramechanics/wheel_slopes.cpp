#include <algorithm>

#include "spacedyn/terramechanics/wheel_soil.hpp"
#include "terramechanics/contact_integral.hpp"

namespace spacedyn {
namespace {

using Slope = Dual<5>;

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
              Slope::variable(contact.slip_angle, 3), Slope::variable(contact.pressing, 4)});
  const PatchSums<Slope> sums = patch.integrate();
  const double b = wheel_.width;
  slopes = {slope_of(sums, b, 0), slope_of(sums, b, 1), slope_of(sums, b, 2), slope_of(sums, b, 3),
            slope_of(sums, b, 4)};
  if (contact.sinkage > 1.9 * wheel_.radius) slopes.by_sinkage = {};
  return {b * sums.x.value,      b * sums.y.value,           b * sums.z.value,
          b * sums.torque.value, b * sums.overturning.value, b * sums.aligning.value};
}

}  // namespace spacedyn
