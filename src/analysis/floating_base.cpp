#include <algorithm>

#include "analysis/base_flight.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"

namespace spacedyn {

FloatingBase::FloatingBase(const Model& model, const State& start, const FlightOptions& options,
                           double joint_speed)
    : model_(model),
      flight_(model, start, options),
      speed_(VectorX::Constant(model.joint_count(), joint_speed)),
      jacobians_(model),
      blocks_(model),
      response_(model) {
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    speed_(joint - 1) = std::min(joint_speed, model.joint(joint).velocity_limit);
  }
}

void FloatingBase::update(const LinkFrames& frames) {
  compute_inertia_blocks(model_, frames, jacobians_, blocks_);
  if (compute_base_response(model_, blocks_, response_) != InertiaStatus::ok) {
    throw NumericalError("the inertia of the base is singular: no mass, or all mass on one line",
                         0.0, 0, "base inertia");
  }
  momentum_about_base_ =
      momentum_about_base(flight_.momentum(), MomentumPoint::system_centroid, frames.r[0], blocks_);
}

void FloatingBase::frame_jacobian(const LinkFrames& frames, const Frame& frame,
                                  Eigen::Ref<Matrix6X> J) const {
  Matrix6X J_m(6, model_.joint_count());
  spacedyn::frame_jacobian(model_, frames, frame, J_m);
  generalized_jacobian(J_m, base_jacobian(frames, frame), response_, J);
}

Vector6 FloatingBase::drift(const LinkFrames& frames, const Frame& frame) const {
  return twist_offset(base_jacobian(frames, frame), response_, momentum_about_base_);
}

double FloatingBase::duration(const VectorX& displacement) const {
  return displacement.size() == 0 ? 0.0 : displacement.cwiseAbs().cwiseQuotient(speed_).maxCoeff();
}

State FloatingBase::move(const State& from, const VectorX& q) const {
  return flight_.fly(from, q, duration(q - from.q), {});
}

}  // namespace spacedyn
