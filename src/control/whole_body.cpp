#include "spacedyn/control/whole_body.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
#include "control/tasks/task_stack.hpp"
#include "control/tasks/task_unknowns.hpp"
#include "control/thread_memory.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {
namespace {

/// Numbers of the memory that a captured pose takes: position, attitude, whether the path has
/// begun.
constexpr Eigen::Index kPoseSize = 13;

void store(const Pose& pose, bool has_begun, VectorRef z) {
  z.head<3>() = pose.position;
  z.segment<9>(3) = pose.rotation.reshaped();
  z(12) = has_begun ? 1.0 : 0.0;
}

/// Of the frame of a task, in the axes of its reference.
Pose pose_of(const EvaluationContext& context, const Task& task) {
  return RelativePose(context, task.frame, task.relative_to).pose;
}

/// Between two limits; lets NaN through.
double cut(double value, double least, double most) {
  if (value > most) return most;
  return value < least ? least : value;
}

}  // namespace

WholeBody::WholeBody(std::string name, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  id_ = next_controller_id();
  const std::string owner = owner_prefix(*this);
  const auto count = static_cast<Eigen::Index>(settings_.joints.size());
  if (count == 0) throw DomainError(owner + "it drives no joint");
  if (settings_.tasks.empty()) throw DomainError(owner + "it has no tasks");
  for (const int joint : settings_.joints) {
    if (std::count(settings_.joints.begin(), settings_.joints.end(), joint) > 1) {
      throw DomainError(owner + "joint " + std::to_string(joint) + " is driven twice");
    }
  }
  if (settings_.level == Level::rate) {
    check_same_size(owner + "rate_gain", settings_.rate_gain.size(), count);
    check_positive(owner + "rate_gain", settings_.rate_gain);
  }
  check_finite(owner + "damping", settings_.damping);
  if (settings_.damping < 0.0) throw DomainError(owner + "damping must not be negative");
  check_positive(owner + "limit_gain", settings_.limit_gain);
  if (settings_.effort_limit.size() > 0) {
    check_same_size(owner + "effort_limit", settings_.effort_limit.size(), count);
    if (!(settings_.effort_limit.minCoeff() > 0.0)) {
      throw DomainError(owner + "effort_limit must be positive");
    }
  }
  if (!(settings_.sample_period >= 0.0) || std::isinf(settings_.sample_period)) {
    throw DomainError(owner + "sample_period must be finite and not negative");
  }
  check_thrusters(owner, settings_);
  for (std::size_t i = 0; i < settings_.tasks.size(); ++i) {
    Task& task = settings_.tasks[i];
    check_task(owner, settings_, task);
    for (const int joint : task.joints) {
      if (std::count(settings_.joints.begin(), settings_.joints.end(), joint) == 1) continue;
      throw DomainError(owner + "joint " + std::to_string(joint) +
                        " of a posture is not among those that it drives");
    }
    if (task.pose && task.pose->takes_start()) captured_.push_back(i);
  }
}

WholeBody::Stack& WholeBody::stack(const Model& model) const {
  return thread_memory_of<Stack>(id_, *this, model);
}

Pose WholeBody::start_of(const EvaluationContext& context, std::size_t task) const {
  const auto at = std::find(captured_.begin(), captured_.end(), task);
  if (at == captured_.end()) return {};
  const Task& own = settings_.tasks[task];
  const Eigen::Index first = thruster_count() + kPoseSize * (at - captured_.begin());
  // outside of its samples a sampled controller remembers nothing
  if (context.auxiliary.size() < first + kPoseSize) return pose_of(context, own);
  const auto z = context.auxiliary.segment(first, kPoseSize);
  // the first sample, and the first of a path; a controller that has been switched on since
  const bool is_new = z.segment<9>(3).isZero(0.0);
  const bool begins = settings_.sample_period > 0.0 && z(12) == 0.0 &&
                      own.pose->since_start(context.instant()) >= 0.0;
  if (is_new || begins) return pose_of(context, own);
  Pose pose;
  pose.position = z.head<3>();
  pose.rotation.reshaped() = z.segment<9>(3);
  return pose;
}

int WholeBody::auxiliary_size() const {
  const bool is_sampled = settings_.sample_period > 0.0;
  const int poses = is_sampled ? 0 : static_cast<int>(captured_.size());
  return thruster_count() + static_cast<int>(kPoseSize) * poses;
}

int WholeBody::memory_size() const {
  const bool is_sampled = settings_.sample_period > 0.0;
  if (!is_sampled || captured_.empty()) return 0;
  return thruster_count() + static_cast<int>(kPoseSize) * static_cast<int>(captured_.size());
}

void WholeBody::advance(const EvaluationContext& context, VectorRef memory) const {
  for (std::size_t i = 0; i < captured_.size(); ++i) {
    auto z = memory.segment(thruster_count() + kPoseSize * static_cast<Eigen::Index>(i), kPoseSize);
    const Task& task = settings_.tasks[captured_[i]];
    const bool has_begun = task.pose->since_start(context.instant()) >= 0.0;
    const bool is_new = z.segment<9>(3).isZero(0.0);
    if (is_new || (has_begun && z(12) == 0.0)) {
      store(pose_of(context, task), has_begun, z);
    }
  }
}

void WholeBody::check(const Model& model) const {
  for (const int joint : settings_.joints) check_own_joint(*this, joint, model);
  for (const Task& task : settings_.tasks) {
    if (!task.has_frame()) continue;
    check_frame(model, task.frame);
    if (task.relative_to) check_frame(model, *task.relative_to);
  }
  check_rows(*this, model);
}

void WholeBody::check_start(const EvaluationContext& start) const {
  for (std::size_t i = 0; i < settings_.tasks.size(); ++i) {
    if (settings_.tasks[i].type != Task::Type::momentum) continue;
    MatrixX J;
    VectorX b;
    task_rows(start, static_cast<int>(i), J, b);
    check_momentum(*this, i, J);
  }
}

void WholeBody::declare(Declarations& declared) const {
  Controller::declare(declared);
  if (settings_.thrusters) settings_.thrusters->append_outputs(declared.actuators);
  declared.shortfall = [this](const EvaluationContext& context) -> std::optional<std::string> {
    constexpr const char* kLimits[] = {"rate", "effort", "position", "thrust"};
    const Shortfall found = shortfall(context);
    if (!(found.part > 0.0)) return std::nullopt;
    if (found.joint == 0 && found.thruster < 0) return "";
    const auto thruster = static_cast<std::size_t>(std::max(found.thruster, 0));
    const std::string& limited = found.joint > 0 ? context.model.joint(found.joint).name
                                                 : valves()->thrusters()[thruster].name;
    return "at the " + std::string(kLimits[static_cast<int>(found.limit)]) + " limit of " +
           limited + ", priority " + std::to_string(found.priority);
  };
}

void WholeBody::command(const EvaluationContext& context, VectorRef command) const {
  Stack& stack = this->stack(context.model);
  stack.update(context);
  const VectorX& y = stack.solve();
  const auto joints = static_cast<Eigen::Index>(settings_.joints.size());
  const Eigen::Index thrusters = thruster_count();
  for (Eigen::Index i = 0; i < thrusters; ++i) {
    const Thruster& thruster = settings_.thrusters->thrusters()[static_cast<std::size_t>(i)];
    command(i) = cut(y(joints + i) / thruster.drive.force, 0.0, 1.0);
  }
  for (Eigen::Index i = 0; i < joints; ++i) {
    const auto joint = static_cast<std::size_t>(i);
    double torque = y(i);
    if (settings_.level == Level::rate) {
      torque = settings_.rate_gain(i) * (torque - context.state.qd(settings_.joints[joint] - 1));
    }
    const double most = known_effort_limit(settings_, context.model, joint);
    command(thrusters + i) = cut(torque, -most, most);
  }
}

void WholeBody::apply(const EvaluationContext& context, ConstVectorRef command,
                      Loads& loads) const {
  if (settings_.thrusters) {
    settings_.thrusters->apply(context, command.head(thruster_count()), loads);
  }
  for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
    loads.tau(settings_.joints[i] - 1) += command(thruster_count() + static_cast<Eigen::Index>(i));
  }
}

void WholeBody::state_rate(const EvaluationContext&, ConstVectorRef command, VectorRef zd) const {
  zd.setZero();
  if (settings_.thrusters) settings_.thrusters->flow(command, zd);
}

std::vector<const Schedule*> WholeBody::schedules() const {
  std::vector<const Schedule*> followed;
  for (const Task& task : settings_.tasks) {
    followed.push_back(task.pose.get());
    followed.push_back(task.reference.get());
  }
  return followed;
}

void WholeBody::append_events(std::vector<ElementEvent>& events) const {
  if (settings_.sample_period > 0.0) return;
  for (std::size_t i = 0; i < captured_.size(); ++i) {
    const Task& task = settings_.tasks[captured_[i]];
    ElementEvent event;
    event.name = name() + " begins";
    event.is_noted = false;
    event.resets_when_due = true;
    event.direction = CrossingDirection::rising;
    event.value = [path = task.pose](const EvaluationContext& now) {
      return std::max(path->since_start(now.instant()), -1.0);
    };
    event.reset = [this, i](const EvaluationContext& now, VectorRef z) {
      const Task& own = settings_.tasks[captured_[i]];
      const bool has_begun = own.pose->since_start(now.instant()) >= 0.0;
      store(pose_of(now, own), has_begun,
            z.segment(thruster_count() + kPoseSize * static_cast<Eigen::Index>(i), kPoseSize));
    };
    events.push_back(std::move(event));
  }
}

VectorX WholeBody::solution(const EvaluationContext& context) const {
  Stack& stack = this->stack(context.model);
  stack.update(context);
  return stack.solve();
}

WholeBody::Shortfall WholeBody::shortfall(const EvaluationContext& context) const {
  Stack& stack = this->stack(context.model);
  stack.update(context);
  return stack.shortfall();
}

void WholeBody::task_rows(const EvaluationContext& context, int task, MatrixX& J,
                          VectorX& b) const {
  Stack& stack = this->stack(context.model);
  stack.update(context);
  J = stack.for_solution(static_cast<std::size_t>(task), b);
}

}  // namespace spacedyn
