#include "spacedyn/state/loads.hpp"

#include <string>

#include "spacedyn/error.hpp"

namespace spacedyn {

Loads::Loads(const Model& model)
    : tau(VectorX::Zero(model.joint_count())),
      force(Matrix3X::Zero(3, model.body_count())),
      moment(Matrix3X::Zero(3, model.body_count())) {}

void Loads::check(const Model& model) const {
  const int joints = model.joint_count();
  const int bodies = model.body_count();
  if (tau.size() == joints && force.cols() == bodies && moment.cols() == bodies) return;
  throw DimensionError("loads are sized for " + std::to_string(tau.size()) + " joints and " +
                       std::to_string(force.cols()) + " bodies, expected " +
                       std::to_string(joints) + " and " + std::to_string(bodies));
}

void Loads::clear() {
  F_b.setZero();
  tau.setZero();
  force.setZero();
  moment.setZero();
}

}  // namespace spacedyn
