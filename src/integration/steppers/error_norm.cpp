#include "integration/steppers/error_norm.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {

ErrorNorm::Result ErrorNorm::operator()(const VectorX& error, const VectorX& magnitude_1,
                                        const VectorX& magnitude_2) const {
  Result largest;
  const auto take = [&](int component, double ratio) {
    if (ratio > largest.value) largest = {ratio, component};
  };
  const auto vector = [&](int first, double absolute) {
    const double magnitude =
        std::max(magnitude_1.segment<3>(first).norm(), magnitude_2.segment<3>(first).norm());
    take(first, error.segment<3>(first).norm() / (absolute + relative_ * magnitude));
  };
  const auto numbers = [&](int first, int count, double absolute) {
    for (int i = first; i < first + count; ++i) {
      const double magnitude = std::max(std::abs(magnitude_1(i)), std::abs(magnitude_2(i)));
      take(i, std::abs(error(i)) / (absolute + relative_ * magnitude));
    }
  };
  vector(StateLayout::r_0, absolute_.position);
  take(StateLayout::theta,
       error.segment<3>(StateLayout::theta).norm() / (absolute_.attitude + relative_));
  numbers(StateLayout::q, layout_.joints, absolute_.joint);
  vector(layout_.v_0(), absolute_.linear_velocity);
  vector(layout_.omega_0(), absolute_.angular_velocity);
  numbers(layout_.qd(), layout_.joints, absolute_.joint_velocity);
  numbers(layout_.z(), layout_.auxiliaries, absolute_.auxiliary);
  const int flow = layout_.integrals() + StateLayout::throughput;
  const double flowed = relative_ * std::max(magnitude_1(flow), magnitude_2(flow));
  if (all_imposed_ && flowed > 0.0) {
    for (int i = flow + 1; i < layout_.size(); ++i) take(i, std::abs(error(i)) / flowed);
  }
  return largest;
}

}  // namespace spacedyn
