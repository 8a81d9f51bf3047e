#include <algorithm>

#include <Eigen/Cholesky>

#include "control/tasks/task_unknowns.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {

TaskUnknowns::~TaskUnknowns() = default;

TaskUnknowns::TaskUnknowns(const WholeBody::Settings& settings, const Model& model)
    : settings_(settings),
      J_(Matrix6X::Zero(6, model.velocity_size())),
      J_F_(J_),
      D_(Matrix6X::Zero(6, static_cast<Eigen::Index>(settings.joints.size()))),
      lower_by_position_(settings.joints.size(), false),
      upper_by_position_(settings.joints.size(), false) {
  const bool floats = settings.robot ? settings.robot->floats : settings.known.base_floats;
  const Eigen::Index first = settings.robot ? settings.robot->first + 5 : 0;
  for (Eigen::Index i = 0; floats && i < 6; ++i) base_.push_back(first + i);
}

void TaskUnknowns::respond(const Matrix6& H_b, const Eigen::Ref<const Matrix6X>& H_rows) {
  const Eigen::LLT<Matrix6> factors(H_b);
  for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
    D_.col(static_cast<Eigen::Index>(i)) = -factors.solve(H_rows.col(element(i)));
  }
}

WholeBody::Limit TaskUnknowns::limit_of(int limit, int side) const {
  const std::size_t count = settings_.joints.size();
  const auto at = static_cast<std::size_t>(limit);
  if (at >= 2 * count) return WholeBody::Limit::thrust;
  if (settings_.level == WholeBody::Level::torque && at < count) return WholeBody::Limit::effort;
  const auto& by_position = side > 0 ? upper_by_position_ : lower_by_position_;
  return by_position[at % count] ? WholeBody::Limit::position : WholeBody::Limit::rate;
}

bool TaskUnknowns::is_own(const Frame& frame) const {
  if (!settings_.robot) return true;
  return frame.body >= settings_.robot->first && frame.body < settings_.robot->end;
}

RelativePose TaskUnknowns::relate(const EvaluationContext& context, const Task& task) {
  const RelativePose motion(context, task.frame, task.relative_to);
  full_jacobian(context, task.frame, J_);
  if (task.relative_to) full_jacobian(context, *task.relative_to, J_F_);
  motion.relate(J_, task.relative_to ? &J_F_ : nullptr);
  lead(context.model, J_);
  return motion;
}

Eigen::Index TaskUnknowns::place_of(int joint) const {
  return std::find(settings_.joints.begin(), settings_.joints.end(), joint) -
         settings_.joints.begin();
}

void TaskUnknowns::base_twists(const EvaluationContext& context, Matrix6X& twists) {
  if (!settings_.robot) {
    twists = D_;
    return;
  }
  full_jacobian(context, settings_.robot->base, J_);
  twists.noalias() = J_.middleCols<6>(base_.front()).lazyProduct(D_);
}

Vector6 pose_error(const PoseMotion& goal, const Pose& now) {
  Vector6 error;
  error << goal.position - now.position, orientation_error(goal.rotation, now.rotation);
  return error;
}

double known_effort_limit(const WholeBody::Settings& settings, const Model& model, std::size_t i) {
  if (settings.effort_limit.size() > 0) return settings.effort_limit(static_cast<Eigen::Index>(i));
  const int joint = settings.joints[i];
  const WheelDrive* wheel = model.wheel(joint);
  const double own = model.joint(joint).effort_limit;
  return wheel == nullptr ? own : std::min(own, wheel->torque_limit);
}

double known_rate_limit(const Model& model, int joint) {
  const WheelDrive* wheel = model.wheel(joint);
  const double own = model.joint(joint).velocity_limit;
  return wheel == nullptr ? own : std::min(own, wheel->momentum_limit / wheel->spin_inertia);
}

}  // namespace spacedyn
