#include "integration/equations/centroid_path.hpp"

#include "system/propellant_flow.hpp"

namespace spacedyn {
namespace {

CentroidPathRule rule_of(const SimulationSetup& setup) {
  return method_traits(setup.integrator).centroid_path;
}

}  // namespace

CentroidPath::CentroidPath(const SimulationSetup& setup)
    : is_possible_(setup.base_mode == BaseMode::floating && setup.gravity.isZero(0.0) &&
                   !setup.integrator.project_momentum &&
                   rule_of(setup) != CentroidPathRule::as_computed && !draws_from_tanks(setup) &&
                   setup.model->total_mass() > 0.0),
      moves_steps_(rule_of(setup) == CentroidPathRule::corrected) {}

void CentroidPath::start(const AuditPoint& point) {
  centroid_ = point.r_g;
  momentum_ = point.momentum.linear;
}

Vector3 CentroidPath::apply(const EquationsOfMotion& equations, const AuditPoint& point, VectorX& x,
                            double time) const {
  if (!is_possible_ || !equations.integrals(x).impulse.isZero(0.0)) return Vector3::Zero();
  const double mass = equations.model().total_mass();
  Vector3 excess = point.momentum.linear - momentum_;
  x.segment<3>(StateLayout::r_0) += centroid_ + time / mass * momentum_ - point.r_g;
  x.segment<3>(equations.layout().v_0()) -= excess / mass;
  return excess;
}

}  // namespace spacedyn
