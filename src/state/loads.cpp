#include "spacedyn/state/loads.hpp"

#include <string>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

void require_finite(bool finite, const char* name) {
  if (!finite) throw DomainError(std::string(name) + " of the loads is not finite");
}

}  // namespace

Loads::Loads(const Model& model)
    : tau(VectorX::Zero(model.joint_count())),
      force(Matrix3X::Zero(3, model.body_count())),
      moment(Matrix3X::Zero(3, model.body_count())) {}

void Loads::check(const Model& model) const {
  const int joints = model.joint_count();
  const int bodies = model.body_count();
  if (tau.size() != joints || force.cols() != bodies || moment.cols() != bodies) {
    throw DimensionError("loads are sized for " + std::to_string(tau.size()) + " joints and " +
                         std::to_string(force.cols()) + " bodies, expected " +
                         std::to_string(joints) + " and " + std::to_string(bodies));
  }
  require_finite(gravity.allFinite(), "gravity");
  require_finite(F_b.allFinite(), "F_b");
  require_finite(tau.allFinite(), "tau");
  require_finite(force.allFinite(), "force");
  require_finite(moment.allFinite(), "moment");
}

void Loads::clear() {
  F_b.setZero();
  tau.setZero();
  force.setZero();
  moment.setZero();
}

}  // namespace spacedyn
