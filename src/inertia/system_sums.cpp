#include "inertia/system_sums.hpp"

namespace spacedyn {

SystemSums system_sums(const Model& model, const LinkFrames& frames,
                       const LinkVelocities& velocities) noexcept {
  SystemSums sums;
  sums.r_g = center_of_mass(model, frames);
  sums.v_g = center_of_mass_velocity(model, velocities);
  const Vector3& r_0 = frames.r[0];
  const Vector3& v_0 = velocities.v[0];
  Vector3 spin_sum = Vector3::Zero();
  double twice = 0.0, inertia = 0.0;
  for (int i = 0; i < model.body_count(); ++i) {
    const auto body = static_cast<std::size_t>(i);
    const double m = model.body(i).mass;
    const Matrix3& I = model.body(i).inertia_L;
    const Vector3 &r = frames.r[body], &v = velocities.v[body];
    // I_i ω_i in body axes: its length is the same in any
    const Vector3 omega = frames.A[body].transpose() * velocities.omega[body];
    const Vector3 spin = I * omega;
    spin_sum.noalias() += frames.A[body] * spin;
    const Vector3 arm = r - sums.r_g, relative = v - sums.v_g;
    sums.momentum.linear += m * v;
    sums.momentum.angular_base += m * (r - r_0).cross(v);
    sums.momentum.angular_centroid += m * arm.cross(relative);
    sums.scale.linear += m * v.norm();
    sums.scale.angular += spin.norm() + m * arm.norm() * relative.norm();
    sums.relative_linear += m * (v - v_0).norm();
    twice += m * v.squaredNorm() + omega.dot(spin);
    inertia += 0.5 * I.trace() + m * (r - r_0).squaredNorm();
  }
  for (int i = 1; i <= model.joint_count(); ++i) {
    const double rate = velocities.qd(i - 1);
    twice += model.joint(i).armature * rate * rate;
  }
  sums.momentum.angular_base += spin_sum;
  sums.momentum.angular_centroid += spin_sum;
  sums.momentum.angular_origin = sums.momentum.angular_base + r_0.cross(sums.momentum.linear);
  sums.kinetic_energy = 0.5 * twice;
  if (model.total_mass() > 0.0) sums.radius_squared = inertia / model.total_mass();
  return sums;
}

}  // namespace spacedyn
