#include "control/tasks/task_unknowns.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/hierarchical_least_squares.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// Postures in which a task is tried, and the part of its fastest axis below which one stands still
/// in all of them.
constexpr int kPostures = 4;
constexpr double kNoMotion = 1e-10;
/// Part of a wanted change of momentum that thrusters may miss, and size of the change against what
/// the strongest of them gives.
constexpr double kMiss = 1e-6, kSmall = 1e-3;

constexpr const char* kAxes[] = {"x", "y", "z", "rx", "ry", "rz"};

enum class Sign { not_negative, any };

/// An empty vector means the same value for all rows.
void fill(const std::string& what, VectorX& values, int rows, double usual,
          Sign sign = Sign::not_negative) {
  if (values.size() == 0) values = VectorX::Constant(rows, usual);
  check_same_size(what, values.size(), rows);
  check_finite(what, values);
  if (sign == Sign::not_negative && values.size() > 0 && values.minCoeff() < 0.0) {
    throw DomainError(what + " must not be negative");
  }
}

void check_momentum_task(const std::string& owner, const WholeBody::Settings& settings,
                         Task& task) {
  fill(owner + "value", task.value, task.rows(), 0.0, Sign::any);
  const bool floats = settings.robot ? settings.robot->floats : settings.known.base_floats;
  if (settings.level == WholeBody::Level::rate) {
    throw DomainError(owner + "a momentum needs level torque");
  }
  if (!settings.thrusters) throw DomainError(owner + "a momentum needs thrusters");
  if (!floats) throw DomainError(owner + "a momentum needs a base that floats");
}

}  // namespace

void check_task(const std::string& owner, const WholeBody::Settings& settings, Task& task) {
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
  if (task.type == Task::Type::momentum) check_momentum_task(owner, settings, task);
  if (settings.level == WholeBody::Level::rate && (task.mass.size() > 0 || is_compliance)) {
    throw DomainError(owner + "an impedance needs level torque");
  }
}

void check_thrusters(const std::string& owner, const WholeBody::Settings& settings) {
  if (!settings.thrusters) return;
  if (settings.level == WholeBody::Level::rate) {
    throw DomainError(owner + "thrusters need level torque");
  }
  if (settings.thrusters->modulation().acts()) {
    throw DomainError(owner + "its thrusters are opened by parts, not modulated");
  }
}

namespace {

/// What moves each row of a task the least in one of both directions: joints pull and push,
/// thrusters only push.
VectorX reach(const MatrixX& J, Eigen::Index joints) {
  const auto pushes = J.rightCols(J.cols() - joints);
  VectorX result = J.leftCols(joints).rowwise().norm();
  for (Eigen::Index r = 0; pushes.cols() > 0 && r < J.rows(); ++r) {
    const double both = std::min(pushes.row(r).maxCoeff(), -pushes.row(r).minCoeff());
    result(r) = std::max(result(r), both);
  }
  return result;
}

/// A row that thrusters do not change to both sides with the others as they are; −1: none.
int idle_row(const WholeBody& law, const MatrixX& J) {
  const auto& thrusters = law.valves()->thrusters();
  const auto count = static_cast<Eigen::Index>(thrusters.size());
  MatrixX pushes = J.rightCols(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    pushes.col(i) *= thrusters[static_cast<std::size_t>(i)].drive.force;
  }
  HierarchicalLeastSquares solver(
      {law.valves()->size(), law.valves()->size(), static_cast<int>(J.rows())});
  const VectorX none = VectorX::Zero(count), all = VectorX::Ones(count);
  for (Eigen::Index r = 0; r < J.rows(); ++r) {
    const double most = pushes.row(r).cwiseAbs().maxCoeff();
    if (!(most > 0.0)) return static_cast<int>(r);
    pushes.row(r) /= most;
  }
  for (Eigen::Index r = 0; r < J.rows(); ++r) {
    for (const double wanted : {kSmall, -kSmall}) {
      const VectorX change = wanted * VectorX::Unit(J.rows(), r);
      solver.start(none, all);
      solver.minimize(pushes, change);
      if ((pushes * solver.solution() - change).norm() > kMiss * kSmall) return static_cast<int>(r);
    }
  }
  return -1;
}

[[noreturn]] void refuse_momentum(const WholeBody& law, const Task& task, int row) {
  throw DomainError(owner_prefix(law) + "its thrusters do not change the momentum along " +
                    kAxes[task.axes[static_cast<std::size_t>(row)]] + " to both sides");
}

/// Tasks without what acts on links, which may not be in any posture, and frames for compliances.
WholeBody::Settings without_forces(const WholeBody& law) {
  WholeBody::Settings settings = law.settings();
  settings.forces.clear();
  for (Task& task : settings.tasks) {
    task.mass.resize(0);
    if (task.type != Task::Type::compliance) continue;
    // rows of a frame, for the same joints
    task.type = Task::Type::frame;
    task.joints.clear();
    task.weight.resize(0);
  }
  return settings;
}

}  // namespace

void check_momentum(const WholeBody& law, std::size_t task, const MatrixX& J) {
  const int row = idle_row(law, J);
  if (row >= 0) refuse_momentum(law, law.settings().tasks[task], row);
}

void check_rows(const WholeBody& law, const Model& model) {
  const WholeBody probe(law.name(), without_forces(law));
  const std::vector<Task>& tasks = probe.settings().tasks;
  const auto joints = static_cast<Eigen::Index>(probe.settings().joints.size());
  const VectorX z = VectorX::Zero(probe.auxiliary_size() + probe.memory_size());
  std::vector<VectorX> sizes(tasks.size());
  std::vector<int> idle(tasks.size(), -1);
  State state(model);
  const Matrix3 upright = state.A_0;
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  for (int posture = 0; posture < kPostures; ++posture) {
    for (Eigen::Index i = 0; i < state.q.size(); ++i) {
      state.q(i) = 0.4 * std::sin(1.7 * static_cast<double>(i) + 2.1 * posture);
    }
    const auto rows = [&](std::size_t task) {
      compute_link_frames(model, state, frames);
      compute_link_velocities(model, state, frames, velocities);
      MatrixX J;
      VectorX b;
      probe.task_rows({0.0, model, state, frames, velocities, z}, static_cast<int>(task), J, b);
      return J;
    };
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].has_frame()) {
        const VectorX own = reach(rows(i), joints);
        sizes[i] = posture == 0 ? own : VectorX(sizes[i].cwiseMax(own));
      } else if (tasks[i].type == Task::Type::momentum && (posture == 0 || idle[i] >= 0)) {
        // thrusters turn with the base
        state.A_0 = exp_so3(posture * Vector3(0.7, -0.4, 0.9)) * upright;
        idle[i] = idle_row(probe, rows(i));
        state.A_0 = upright;
      }
    }
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (idle[i] >= 0) refuse_momentum(law, tasks[i], idle[i]);
    for (Eigen::Index r = 0; r < sizes[i].size(); ++r) {
      if (sizes[i](r) > kNoMotion * std::max(sizes[i].maxCoeff(), 1e-3)) continue;
      throw DomainError(owner_prefix(law) + "the driven joints do not move frame '" +
                        tasks[i].frame.name + "' along " +
                        kAxes[tasks[i].axes[static_cast<std::size_t>(r)]]);
    }
  }
}

}  // namespace spacedyn
