#include "spacedyn/kinematics/points.hpp"

#include <string>

#include "spacedyn/error.hpp"

namespace spacedyn {

Frame material_point(const Model& model, int body, const Vector3& position_L) {
  Frame point{"", body, position_L, Matrix3::Identity()};
  check_frame(model, point);
  return point;
}

Frame material_point_at(const Model& model, const LinkFrames& frames, int body,
                        const Vector3& position) {
  // the index must be good before it is used
  Frame point = material_point(model, body, Vector3::Zero());
  const auto i = static_cast<std::size_t>(body);
  point.position = frames.A[i].transpose() * (position - frames.o[i]);
  check_frame(model, point);
  return point;
}

void check_frame(const Model& model, const Frame& frame) {
  const std::string what = frame.name.empty() ? "a point" : "frame '" + frame.name + "'";
  if (frame.body < 0 || frame.body > model.joint_count()) {
    throw DomainError(what + " is on body " + std::to_string(frame.body) + ", expected 0 to " +
                      std::to_string(model.joint_count()));
  }
  if (!frame.position.allFinite() || !frame.rotation.allFinite()) {
    throw DomainError("the position or orientation of " + what + " is not finite");
  }
}

Vector3 point_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                       const Frame& point) {
  const auto i = static_cast<std::size_t>(point.body);
  return velocities.v[i] + velocities.omega[i].cross(frame_position(frames, point) - frames.r[i]);
}

}  // namespace spacedyn
