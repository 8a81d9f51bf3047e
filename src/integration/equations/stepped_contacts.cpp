// What methods that step over contacts ask of the equations.
#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

void EquationsOfMotion::receive_contacts(VectorX& rate) const {
  if (contact_wrenches_.empty()) return;
  const Vector3 r_g = center_of_mass(model(), frames());
  auto impulse = rate.segment<3>(layout_.integrals() + StateLayout::impulse);
  auto angular = rate.segment<3>(layout_.integrals() + StateLayout::angular_impulse);
  for (const BodyWrench& wrench : contact_wrenches_) {
    impulse += wrench.force;
    const Vector3 arm = frames().r[static_cast<std::size_t>(wrench.body)] - r_g;
    angular += wrench.moment + arm.cross(wrench.force);
  }
}

void EquationsOfMotion::impose(double time, VectorRef velocities) {
  time_ = std::clamp(time, segment_start_, segment_last_);
  prescribe();
  for (const int row : mobility_.prescribed()) velocities(row) = velocity(row);
}

void EquationsOfMotion::differentiate_known(LoadDifferentiator& differentiator,
                                            LoadDerivatives& derivatives) {
  elements_.differentiate({context(), mobility_, 0.0, false}, discrete_, differentiator,
                          element_workspace_, derivatives);
}

}  // namespace spacedyn
