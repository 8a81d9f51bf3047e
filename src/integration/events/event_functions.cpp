#include "spacedyn/integration/events.hpp"

namespace spacedyn {

std::function<double(const EvaluationContext&)> time_event(double time) {
  return [time](const EvaluationContext& now) { return now.time - time; };
}

std::function<double(const EvaluationContext&)> joint_position_event(int joint, double position) {
  return [=](const EvaluationContext& now) { return now.state.q(joint - 1) - position; };
}

std::function<double(const EvaluationContext&)> joint_velocity_event(int joint, double velocity) {
  return [=](const EvaluationContext& now) { return now.state.qd(joint - 1) - velocity; };
}

std::function<double(const EvaluationContext&)> frame_distance_event(const Frame& a, const Frame& b,
                                                                     double distance) {
  return [=](const EvaluationContext& now) {
    return (frame_position(now.frames, a) - frame_position(now.frames, b)).norm() - distance;
  };
}

std::function<double(const EvaluationContext&)> plane_event(const Frame& frame,
                                                            const Vector3& normal, double height) {
  return [=](const EvaluationContext& now) {
    return normal.dot(frame_position(now.frames, frame)) - height;
  };
}

}  // namespace spacedyn
