#include "spacedyn/forces/load_derivatives.hpp"

#include "kinematics/jacobian_columns.hpp"

namespace spacedyn {

LoadDerivatives::LoadDerivatives(const Model& model, int auxiliaries)
    : force_configuration(MatrixX::Zero(model.velocity_size(), model.velocity_size())),
      force_velocity(force_configuration),
      force_auxiliary(MatrixX::Zero(model.velocity_size(), auxiliaries)),
      force_time(VectorX::Zero(model.velocity_size())),
      rate_configuration(MatrixX::Zero(auxiliaries, model.velocity_size())),
      rate_velocity(rate_configuration),
      rate_auxiliary(MatrixX::Zero(auxiliaries, auxiliaries)),
      rate_time(VectorX::Zero(auxiliaries)) {}

void LoadDerivatives::clear() {
  for (MatrixX* part : {&force_configuration, &force_velocity, &force_auxiliary,
                        &rate_configuration, &rate_velocity, &rate_auxiliary}) {
    part->setZero();
  }
  force_time.setZero();
  rate_time.setZero();
}

void add_generalized_force(const Model& model, const LinkFrames& frames, int body,
                           const Vector3& force, const Vector3& moment, VectorRef generalized) {
  const Vector3& r = frames.r[static_cast<std::size_t>(body)];
  // J_bᵀ F, then J_mᵀ F, (16)
  generalized.head<3>() += force;
  generalized.segment<3>(3) += moment + (r - frames.r[0]).cross(force);
  for_each_joint_below(model, body, [&](int joint) {
    generalized(LoadDerivatives::joint(joint)) +=
        linear_column(model, frames, joint, r).dot(force) +
        angular_column(model, frames, joint).dot(moment);
  });
}

}  // namespace spacedyn
