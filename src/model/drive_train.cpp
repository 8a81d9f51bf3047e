#include "spacedyn/model/drive_train.hpp"

#include <algorithm>

namespace spacedyn {

double Transmission::twist(ConstVectorRef q) const {
  const double angle = q(motor - 1) / gear_ratio - q(joint - 1);
  const double play = 0.5 * backlash;
  return angle - std::clamp(angle, -play, play);
}

double elastic_energy(const JointCoupling& coupling, ConstVectorRef q) {
  const auto stretch = [&](std::size_t i) {
    return q(coupling.joints[i] - 1) - coupling.rest_position(static_cast<Eigen::Index>(i));
  };
  double twice = 0.0;
  for (std::size_t i = 0; i < coupling.joints.size(); ++i) {
    for (std::size_t j = 0; j < coupling.joints.size(); ++j) {
      twice += stretch(i) * stretch(j) *
               coupling.stiffness(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  return 0.5 * twice;
}

double elastic_energy(const Transmission& transmission, ConstVectorRef q) {
  const double twist = transmission.twist(q);
  return 0.5 * transmission.stiffness * twist * twist;
}

}  // namespace spacedyn
