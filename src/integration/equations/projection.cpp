#include "integration/equations/projection.hpp"

#include <Eigen/LU>

#include "spacedyn/math/rotations.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {
namespace {

/// Inertia of the whole system about its centroid, joints locked.
Matrix3 locked_inertia(const Model& model, const LinkFrames& frames, const Vector3& r_g) {
  Matrix3 inertia = Matrix3::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 arm = frames.r[i] - r_g;
    inertia +=
        frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose() +
        model.body(body).mass * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
  }
  return inertia;
}

}  // namespace

void MomentumProjection::start(const EquationsOfMotion& equations) {
  reference_ = equations.momentum();
  centroid_ = center_of_mass(equations.model(), equations.frames());
}

void remove_momentum(const EquationsOfMotion& equations, const Vector3& linear,
                     const Vector3& angular, VectorX& x) {
  // δω_0 turns the locked system about its centroid, δv_g moves the centroid
  const Model& model = equations.model();
  const Vector3 r_g = center_of_mass(model, equations.frames());
  const Vector3 spin =
      -locked_inertia(model, equations.frames(), r_g).partialPivLu().solve(angular);
  x.segment<3>(equations.layout().omega_0()) += spin;
  x.segment<3>(equations.layout().v_0()) +=
      spin.cross(equations.frames().r[0] - r_g) - linear / model.total_mass();
}

MomentumProjection::Removed MomentumProjection::apply(EquationsOfMotion& equations, VectorX& x,
                                                      double time) const {
  if (!equations.update_kinematics(x, time)) return {};
  const Model& model = equations.model();
  const AuditIntegrals integrals = equations.balance().integrals(x);
  const Momentum momentum = equations.momentum();
  Removed removed{
      momentum.linear - reference_.linear - integrals.impulse,
      momentum.angular_centroid - reference_.angular_centroid - integrals.angular_impulse};
  remove_momentum(equations, removed.linear, removed.angular, x);
  if (integrals.impulse.isZero(0.0)) {
    x.segment<3>(StateLayout::r_0) += centroid_ + time / model.total_mass() * reference_.linear -
                                      center_of_mass(model, equations.frames());
  }
  return removed;
}

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
  if (!is_possible_ || !equations.balance().integrals(x).impulse.isZero(0.0))
    return Vector3::Zero();
  const double mass = equations.model().total_mass();
  Vector3 excess = point.momentum.linear - momentum_;
  x.segment<3>(StateLayout::r_0) += centroid_ + time / mass * momentum_ - point.r_g;
  x.segment<3>(equations.layout().v_0()) -= excess / mass;
  return excess;
}

}  // namespace spacedyn
