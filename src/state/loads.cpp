#include "spacedyn/state/loads.hpp"

namespace spacedyn {

Loads::Loads(const Model& model)
    : tau(VectorX::Zero(model.joint_count())),
      force(Matrix3X::Zero(3, model.body_count())),
      moment(Matrix3X::Zero(3, model.body_count())) {}

void Loads::clear() {
  F_b.setZero();
  tau.setZero();
  force.setZero();
  moment.setZero();
}

}  // namespace spacedyn
