#include "spacedyn/state/configuration.hpp"

#include "spacedyn/assert.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

void displace_joints(const Model& model, ConstVectorRef displacement, VectorRef q) {
  SPACEDYN_ASSERT(q.size() == model.joint_count() && displacement.size() == q.size());
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.joint(i).spherical == 0) q(i - 1) += displacement(i - 1);
  }
  for (const int first : model.spherical_joints()) {
    const Vector3 turn = displacement.segment<3>(first - 1);
    if (turn.isZero(0.0)) continue;
    q.segment<3>(first - 1) = turn_spherical(q, first, turn);
  }
}

VectorX joint_difference(const Model& model, ConstVectorRef from, ConstVectorRef to) {
  SPACEDYN_ASSERT(from.size() == model.joint_count() && to.size() == from.size());
  VectorX displacement = to - from;
  for (const int first : model.spherical_joints()) {
    displacement.segment<3>(first - 1) =
        log_so3(spherical_rotation(from, first).transpose() * spherical_rotation(to, first));
  }
  return displacement;
}

void joint_position_rate(const Model& model, ConstVectorRef q, ConstVectorRef qd, VectorRef rate) {
  SPACEDYN_ASSERT(q.size() == model.joint_count() && rate.size() == q.size());
  if (rate.data() != qd.data()) rate = qd;
  for (const int first : model.spherical_joints()) {
    rate.segment<3>(first - 1) =
        apply_dexp_inverse_so3(-q.segment<3>(first - 1), Vector3(qd.segment<3>(first - 1)));
  }
}

}  // namespace spacedyn
