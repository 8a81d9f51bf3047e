#include "spacedyn/control/whole_body.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "control/reference_checks.hpp"
#include "control/tasks/task_stack.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {
namespace {

/// Numbers of the memory that a captured pose takes: position, attitude, whether the path has
/// begun.
constexpr Eigen::Index kPoseSize = 13;
/// Controllers whose memory a thread keeps.
constexpr std::size_t kKept = 16;
/// Postures in which a frame is tried, and the part of its fastest axis below which one stands
/// still in all of them.
constexpr int kPostures = 4;
constexpr double kNoMotion = 1e-10;

void store(const Pose& pose, bool has_begun, VectorRef z) {
  z.head<3>() = pose.position;
  z.segment<9>(3) = pose.rotation.reshaped();
  z(12) = has_begun ? 1.0 : 0.0;
}

/// An empty vector means the same value for all rows.
void fill(const std::string& what, VectorX& values, int rows, double usual) {
  if (values.size() == 0) values = VectorX::Constant(rows, usual);
  check_same_size(what, values.size(), rows);
  check_finite(what, values);
  if (values.size() > 0 && values.minCoeff() < 0.0) {
    throw DomainError(what + " must not be negative");
  }
}

void check_task(const std::string& owner, WholeBody::Level level, Task& task) {
  const int rows = task.rows();
  if (task.priority < 1) throw DomainError(owner + "a priority must be at least 1");
  if (rows == 0) throw DomainError(owner + "a task has no axes or joints");
  for (std::size_t i = 0; i < task.axes.size(); ++i) {
    const bool ascends = i == 0 || task.axes[i] > task.axes[i - 1];
    if (task.axes[i] < 0 || task.axes[i] > 5 || !ascends) {
      throw DomainError(owner + "axes must be among 0…5 and ascend");
    }
  }
  fill(owner + "weight", task.weight, rows, 1.0);
  check_positive(owner + "weight", task.weight);
  const bool is_compliance = task.type == Task::Type::compliance;
  const int gains = is_compliance ? static_cast<int>(task.axes.size()) : rows;
  fill(owner + "gain", task.gain, gains, 0.0);
  fill(owner + "stiffness", task.stiffness, gains, 0.0);
  fill(owner + "damping", task.damping, gains, 0.0);
  if (task.mass.size() > 0) {
    check_same_size(owner + "mass", task.mass.size(), rows);
    check_positive(owner + "mass", task.mass);
  }
  if (task.has_frame() && !task.pose) {
    throw DomainError(owner + "a frame task has no reference");
  }
  if (task.type == Task::Type::posture) {
    if (!task.reference) throw DomainError(owner + "a posture task has no reference");
    check_same_size(owner + "the reference of a posture", task.reference->size(), rows);
  }
  if (level == WholeBody::Level::rate && (task.mass.size() > 0 || is_compliance)) {
    throw DomainError(owner + "an impedance needs level torque");
  }
}

}  // namespace

WholeBody::WholeBody(std::string name, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  static std::atomic<long> next{0};
  id_ = next++;
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
  for (std::size_t i = 0; i < settings_.tasks.size(); ++i) {
    Task& task = settings_.tasks[i];
    check_task(owner, settings_.level, task);
    for (const int joint : task.joints) {
      if (std::count(settings_.joints.begin(), settings_.joints.end(), joint) == 1) continue;
      throw DomainError(owner + "joint " + std::to_string(joint) +
                        " of a posture is not among those that it drives");
    }
    if (task.pose && task.pose->takes_start()) captured_.push_back(i);
  }
}

WholeBody::Stack& WholeBody::stack(const Model& model) const {
  thread_local std::vector<std::unique_ptr<Stack>> kept;
  for (const auto& each : kept) {
    if (each->id == id_) return *each;
  }
  if (kept.size() >= kKept) kept.erase(kept.begin());
  return *kept.emplace_back(std::make_unique<Stack>(*this, model));
}

Pose WholeBody::pose_of(const EvaluationContext& context, std::size_t task) const {
  const Task& own = settings_.tasks[task];
  return RelativePose(context, own.frame, own.relative_to).pose;
}

Pose WholeBody::start_of(const EvaluationContext& context, std::size_t task) const {
  const auto at = std::find(captured_.begin(), captured_.end(), task);
  if (at == captured_.end()) return {};
  // outside of its samples a sampled controller remembers nothing
  if (context.auxiliary.size() == 0) return pose_of(context, task);
  const auto z = context.auxiliary.segment(kPoseSize * (at - captured_.begin()), kPoseSize);
  // the first sample, and the first of a path; a controller that has been switched on since
  const bool is_new = z.segment<9>(3).isZero(0.0);
  const bool begins = settings_.sample_period > 0.0 && z(12) == 0.0 &&
                      settings_.tasks[task].pose->since_start(context.instant()) >= 0.0;
  if (is_new || begins) return pose_of(context, task);
  Pose pose;
  pose.position = z.head<3>();
  pose.rotation.reshaped() = z.segment<9>(3);
  return pose;
}

int WholeBody::auxiliary_size() const {
  const bool is_sampled = settings_.sample_period > 0.0;
  return is_sampled ? 0 : static_cast<int>(kPoseSize * static_cast<int>(captured_.size()));
}

int WholeBody::memory_size() const {
  const bool is_sampled = settings_.sample_period > 0.0;
  return is_sampled ? static_cast<int>(kPoseSize * static_cast<int>(captured_.size())) : 0;
}

void WholeBody::advance(const EvaluationContext& context, VectorRef memory) const {
  for (std::size_t i = 0; i < captured_.size(); ++i) {
    auto z = memory.segment(kPoseSize * static_cast<Eigen::Index>(i), kPoseSize);
    const PoseReference& path = *settings_.tasks[captured_[i]].pose;
    const bool has_begun = path.since_start(context.instant()) >= 0.0;
    const bool is_new = z.segment<9>(3).isZero(0.0);
    if (is_new || (has_begun && z(12) == 0.0)) {
      store(pose_of(context, captured_[i]), has_begun, z);
    }
  }
}

void WholeBody::check(const Model& model) const {
  for (const int joint : settings_.joints) check_scalar_joint(*this, joint, model);
  bool has_frames = false;
  for (const Task& task : settings_.tasks) {
    if (!task.has_frame()) continue;
    has_frames = true;
    check_frame(model, task.frame);
    if (task.relative_to) check_frame(model, *task.relative_to);
  }
  if (has_frames) check_rows(model);
}

void WholeBody::check_rows(const Model& model) const {
  // without what acts on links, which may not be in any posture
  Settings settings = settings_;
  settings.forces.clear();
  for (Task& task : settings.tasks) {
    task.mass.resize(0);
    if (task.type != Task::Type::compliance) continue;
    // rows of a frame, for the same joints
    task.type = Task::Type::frame;
    task.joints.clear();
    task.weight.resize(0);
  }
  const WholeBody probe(name(), settings);
  const VectorX z = VectorX::Zero(probe.auxiliary_size() + probe.memory_size());
  std::vector<VectorX> sizes(settings.tasks.size());
  State state(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  for (int posture = 0; posture < kPostures; ++posture) {
    for (Eigen::Index i = 0; i < state.q.size(); ++i) {
      state.q(i) = 0.4 * std::sin(1.7 * static_cast<double>(i) + 2.1 * posture);
    }
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    MatrixX J;
    VectorX b;
    for (std::size_t i = 0; i < settings.tasks.size(); ++i) {
      probe.task_rows({0.0, model, state, frames, velocities, z}, static_cast<int>(i), J, b);
      const VectorX own = J.rowwise().norm();
      sizes[i] = posture == 0 ? own : VectorX(sizes[i].cwiseMax(own));
    }
  }
  constexpr const char* kAxes[] = {"x", "y", "z", "rx", "ry", "rz"};
  for (std::size_t i = 0; i < settings.tasks.size(); ++i) {
    const Task& task = settings.tasks[i];
    if (!task.has_frame()) continue;
    for (Eigen::Index r = 0; r < sizes[i].size(); ++r) {
      if (sizes[i](r) > kNoMotion * std::max(sizes[i].maxCoeff(), 1e-3)) continue;
      throw DomainError(owner_prefix(*this) + "the driven joints do not move frame '" +
                        task.frame.name + "' along " +
                        kAxes[task.axes[static_cast<std::size_t>(r)]]);
    }
  }
}

void WholeBody::command(const EvaluationContext& context, VectorRef command) const {
  Stack& stack = this->stack(context.model);
  stack.update(context);
  command = stack.solve();
  for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
    double& torque = command(static_cast<Eigen::Index>(i));
    if (settings_.level == Level::rate) {
      torque = settings_.rate_gain(static_cast<Eigen::Index>(i)) *
               (torque - context.state.qd(settings_.joints[i] - 1));
    }
    const double most = known_effort_limit(settings_, context.model, i);
    // lets NaN through
    if (torque > most) torque = most;
    if (torque < -most) torque = -most;
  }
}

void WholeBody::apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const {
  for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
    loads.tau(settings_.joints[i] - 1) += command(static_cast<Eigen::Index>(i));
  }
}

void WholeBody::auxiliary_rate(const EvaluationContext&, VectorRef zd) const { zd.setZero(); }

void WholeBody::append_discontinuities(std::vector<double>& times) const {
  if (settings_.sample_period > 0.0) return;  // it looks at sample instants only
  for (const Task& task : settings_.tasks) {
    if (task.pose) task.pose->append_discontinuities(times);
    if (task.reference) task.reference->append_discontinuities(times);
  }
}

void WholeBody::append_event_discontinuities(const EventTimes& events,
                                             std::vector<double>& times) const {
  if (settings_.sample_period > 0.0) return;
  for (const Task& task : settings_.tasks) {
    if (task.pose) task.pose->append_event_discontinuities(events, times);
    if (task.reference) task.reference->append_event_discontinuities(events, times);
  }
}

void WholeBody::append_events(std::vector<ElementEvent>& events) const {
  if (settings_.sample_period > 0.0) return;
  for (std::size_t i = 0; i < captured_.size(); ++i) {
    const Task& task = settings_.tasks[captured_[i]];
    ElementEvent event;
    event.name = name() + " begins";
    event.is_noted = false;
    event.direction = CrossingDirection::rising;
    event.value = [path = task.pose](const EvaluationContext& now) {
      return std::max(path->since_start(now.instant()), -1.0);
    };
    event.reset = [this, i](const EvaluationContext& now, VectorRef z) {
      const bool has_begun = settings_.tasks[captured_[i]].pose->since_start(now.instant()) >= 0.0;
      store(pose_of(now, captured_[i]), has_begun,
            z.segment(kPoseSize * static_cast<Eigen::Index>(i), kPoseSize));
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
