#include "optimization/trajectory_path.hpp"

#include <algorithm>
#include <cmath>

#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/control/spline_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

void require(bool condition, const std::string& what) {
  if (!condition) throw DomainError("a planned motion: " + what);
}

void check_size(const char* what, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return;
  throw DimensionError("a planned motion: " + std::string(what) + " has " + std::to_string(size) +
                       " numbers, expected " + std::to_string(expected));
}

void check_joints(const Model& model, const std::vector<int>& joints) {
  require(!joints.empty(), "it needs joints");
  for (const int joint : joints) {
    require(joint >= 1 && joint <= model.joint_count(),
            "the model has no joint " + std::to_string(joint));
    require(model.joint(joint).spherical == 0,
            "'" + model.joint(joint).name + "' is a part of a spherical joint");
    const Follower* follower = model.follower(joint);
    require(follower == nullptr, "'" + model.joint(joint).name + "' follows '" +
                                     (follower ? model.joint(follower->followed).name : "") + "'");
    require(std::count(joints.begin(), joints.end(), joint) == 1,
            "'" + model.joint(joint).name + "' is named twice");
  }
}

std::string text_of(double number) { return loading::format_number(number); }

}  // namespace

SplineBasis::SplineBasis(int rows) : unit_(MatrixX::Identity(rows, rows)) {
  for (int i = 0; i < rows; ++i) times_.push_back(static_cast<double>(i) / (rows - 1));
  // between rows b″ is a cubic, whose slope four values give exactly, and b‴² a polynomial of the
  // fourth degree, which three points of Gauss integrate exactly
  jerk_products_ = MatrixX::Zero(rows, rows);
  const double h = 1.0 / (rows - 1), d = 0.02 * h, far = 0.5 * std::sqrt(0.6) * h;
  for (int i = 0; i + 1 < rows; ++i) {
    const double middle = (i + 0.5) * h;
    for (const auto& [shift, weight] :
         {std::pair{-far, 5.0 / 18.0}, std::pair{0.0, 8.0 / 18.0}, std::pair{far, 5.0 / 18.0}}) {
      const double s = middle + shift;
      const VectorX jerk = (8.0 * (at(s + d).col(2) - at(s - d).col(2)) -
                            (at(s + 2.0 * d).col(2) - at(s - 2.0 * d).col(2))) /
                           (12.0 * d);
      jerk_products_ += weight * h * jerk * jerk.transpose();
    }
  }
}

Eigen::Matrix<double, Eigen::Dynamic, 3> SplineBasis::at(double s) const {
  const SplineReference splines(times_, unit_);
  Eigen::Matrix<double, Eigen::Dynamic, 3> values(rows(), 3);
  for (int k = 0; k < rows(); ++k) {
    const ReferenceValue value = splines.evaluate(k, s);
    values.row(k) << value.position, value.velocity, value.acceleration;
  }
  return values;
}

TrajectoryLimits trajectory_limits(const Model& model, const std::vector<int>& joints) {
  check_joints(model, joints);
  const auto n = static_cast<Eigen::Index>(joints.size());
  TrajectoryLimits limits{VectorX(n), VectorX(n), VectorX(n), VectorX(n), kNoLimit};
  for (Eigen::Index i = 0; i < n; ++i) {
    const Joint& joint = model.joint(joints[static_cast<std::size_t>(i)]);
    limits.lower(i) = joint.position_lower;
    limits.upper(i) = joint.position_upper;
    limits.rate(i) = joint.velocity_limit;
    limits.effort(i) = joint.effort_limit;
  }
  return limits;
}

TrajectoryTask::TrajectoryTask(const Model& of, const State& at, const TrajectoryGoal& given)
    : model(of), state(at), goal(given) {
  at.check(of);
  require(of.robots().empty(), "the model has several robots; plan for one alone");
  require(!of.has_loops(), "the model has loops");
  check_joints(of, goal.joints);
  limits = goal.limits ? *goal.limits : trajectory_limits(of, goal.joints);
  const auto n = static_cast<Eigen::Index>(goal.joints.size());
  check_size("the goal", goal.to.size(), n);
  for (const VectorX* each : {&limits.lower, &limits.upper, &limits.rate, &limits.effort}) {
    check_size("a limit", each->size(), n);
  }
  from.resize(n);
  require(goal.to.allFinite() && goal.gravity.allFinite(), "a number of the goal is not finite");
  require(!goal.duration || (std::isfinite(*goal.duration) && *goal.duration > 0.0),
          "the duration must be finite and positive");
  require(goal.knots >= 1 && goal.knots <= 40, "it has 1 to 40 inner knots");
  require(goal.max_evaluations >= 1, "it needs evaluations");
  require(limits.base_rate > 0.0, "the limit of the rate of the base must be positive");
  bool is_limited = goal.duration.has_value() || std::isfinite(limits.base_rate);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int joint = goal.joints[static_cast<std::size_t>(i)];
    const std::string name = "'" + of.joint(joint).name + "'";
    from(i) = at.q(joint - 1);
    require(limits.rate(i) > 0.0 && limits.effort(i) > 0.0,
            "limits of " + name + " must be positive");
    is_limited = is_limited || std::isfinite(limits.rate(i)) || std::isfinite(limits.effort(i));
    for (const double q : {from(i), goal.to(i)}) {
      require(q >= limits.lower(i) && q <= limits.upper(i),
              name + " at " + text_of(q) + " is outside of its limits");
    }
  }
  require(is_limited, "without a duration it needs limits of rates, efforts or the base");
  const bool is_floating = !of.has_fixed_base();
  require(is_floating || !goal.base_turn, "a base that is fixed does not turn");
  require(!is_floating || goal.gravity.isZero(0.0), "a base that floats is without gravity");
  require(!goal.base_turn || (goal.base_turn->allFinite() && goal.base_turn->norm() < 3.1),
          "a turn of the base must be less than 3.1 rad");
  if (!goal.clearance) return;
  require(std::isfinite(*goal.clearance) && *goal.clearance >= 0.0,
          "the clearance must be finite and not negative");
  distances = std::make_shared<ShapeDistances>(of, at, goal.joints);
  for (const auto& [when, q] : {std::pair{"first", &from}, std::pair{"last", &goal.to}}) {
    distances->update(*q);
    int pair = 0;
    const double least = distances->least(pair);
    require(least >= *goal.clearance, "in its " + std::string(when) + " posture " +
                                          distances->names(pair) + " are " + text_of(least) +
                                          " m apart");
  }
}

void check_clearance(const TrajectoryTask& task, JointTrajectory& trajectory) {
  if (!task.distances) return;
  const SplineReference spline(trajectory.time, trajectory.position);
  VectorX q(task.count());
  trajectory.clearance = kNoLimit;
  const auto points = static_cast<int>(trajectory.time.size() - 1) * kPointsOfCheck;
  for (int i = 0; i <= points; ++i) {
    const double time = trajectory.duration() * i / points;
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      q(j) = spline.evaluate(static_cast<int>(j), time).position;
    }
    task.distances->update(q);
    int pair = 0;
    trajectory.clearance = std::min(trajectory.clearance, task.distances->least(pair));
  }
}

void check_trajectory(const TrajectoryTask& task, PathDynamics& dynamics,
                      JointTrajectory& trajectory) {
  const SplineReference spline(trajectory.time, trajectory.position);
  const auto n = task.count();
  const TrajectoryLimits& limits = task.limits;
  VectorX q(n), qd(n), qdd(n);
  trajectory.used = {};
  trajectory.base_rate = 0.0;
  const auto look = [&](double time) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const ReferenceValue value = spline.evaluate(static_cast<int>(j), time);
      q(j) = value.position;
      qd(j) = value.velocity;
      qdd(j) = value.acceleration;
    }
    dynamics.update(q, qd, qdd);
    auto& used = trajectory.used;
    for (Eigen::Index j = 0; j < n; ++j) {
      const double half = 0.5 * (limits.upper(j) - limits.lower(j));
      const double middle = 0.5 * (limits.upper(j) + limits.lower(j));
      if (std::isfinite(half) && half > 0.0) {
        used.position = std::max(used.position, std::abs(q(j) - middle) / half);
      } else if (q(j) > limits.upper(j) || q(j) < limits.lower(j)) {
        used.position =
            std::max(used.position, 1.0 + std::max(q(j) - limits.upper(j), limits.lower(j) - q(j)));
      }
      used.rate = std::max(used.rate, std::abs(qd(j)) / limits.rate(j));
      used.effort = std::max(used.effort, std::abs(dynamics.effort()(j)) / limits.effort(j));
    }
    const double rate = dynamics.base_rate().norm();
    trajectory.base_rate = std::max(trajectory.base_rate, rate);
    used.base_rate = std::max(used.base_rate, rate / limits.base_rate);
    return dynamics.base_rate();
  };
  // the turn of the base by the fourth-order method of Magnus, two points in each cell
  Matrix3 A = Matrix3::Identity();
  const double offset = std::sqrt(3.0) / 6.0;
  for (std::size_t i = 0; i + 1 < trajectory.time.size(); ++i) {
    const double h = (trajectory.time[i + 1] - trajectory.time[i]) / kPointsOfCheck;
    for (int k = 0; k < kPointsOfCheck; ++k) {
      const double start = trajectory.time[i] + k * h;
      look(start);
      const Vector3 first = look(start + (0.5 - offset) * h);
      const Vector3 second = look(start + (0.5 + offset) * h);
      A = A *
          exp_so3(0.5 * h * (first + second) + std::sqrt(3.0) / 12.0 * h * h * first.cross(second));
    }
  }
  trajectory.base_turn = log_so3(A);
}

void stretch(const TrajectoryTask& task, PathDynamics& dynamics, JointTrajectory& trajectory) {
  constexpr int kStretches = 60;
  constexpr double kNear = 1e-4;  // of the limits, where efforts that hold weight and springs count
  const std::vector<double> times = trajectory.time;
  // rates go with 1/T; efforts, but for those that hold weight and springs, with 1/T²
  const auto need_at = [&](double scale) {
    for (std::size_t k = 0; k < times.size(); ++k) trajectory.time[k] = scale * times[k];
    check_trajectory(task, dynamics, trajectory);
    const auto& used = trajectory.used;
    return std::max({used.rate, used.base_rate, std::sqrt(used.effort)});
  };
  double slow = 1.0, fast = 0.0;  // scales that keep the limits and that do not
  double need = need_at(slow);
  for (int round = 0; round < kStretches && need > 1.0; ++round) {
    fast = slow;
    // the last digits
    slow *= need * (1.0 + 1e-12) + (round > 2 ? 1e-3 : 0.0);
    need = need_at(slow);
  }
  if (need > 1.0) return;
  for (int round = 0; round < kStretches && fast == 0.0 && need > 0.0 && need < 1.0 - kNear;
       ++round) {
    const double shorter = slow * need, found = need_at(shorter);
    (found > 1.0 ? fast : slow) = shorter;
    if (found <= 1.0) need = found;
  }
  while (fast > 0.0 && need < 1.0 - kNear && slow - fast > kNear * kNear * slow) {
    const double between = 0.5 * (fast + slow), found = need_at(between);
    (found > 1.0 ? fast : slow) = between;
    if (found <= 1.0) need = found;
  }
  need_at(slow);
}

JointTrajectory straight_line(const TrajectoryTask& task, PathDynamics& dynamics,
                              const SplineBasis& basis) {
  JointTrajectory line;
  line.joints = task.goal.joints;
  line.position.resize(task.count(), basis.rows());
  for (int k = 0; k < basis.rows(); ++k) {
    const double s = basis.times()[static_cast<std::size_t>(k)];
    const double part = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    line.position.col(k) = task.from + part * (task.goal.to - task.from);
    line.time.push_back(s * task.goal.duration.value_or(1.0));
  }
  if (task.goal.duration) return line;
  // fast at first, then as slow as it must be
  for (double& time : line.time) time *= 1e-2;
  stretch(task, dynamics, line);
  return line;
}

void add_loop(int number, const TrajectoryTask& task, JointTrajectory& motion) {
  const auto stream = static_cast<std::uint64_t>(number);
  for (Eigen::Index j = 0; j < task.count(); ++j) {
    const auto joint = static_cast<std::uint64_t>(j);
    const double along = 0.5 * standard_normal(1, stream, joint, 0);
    const double across = 0.5 * standard_normal(1, stream, joint, 1);
    for (std::size_t k = 0; k < motion.time.size(); ++k) {
      const double angle = 6.283185307179586 * motion.time[k] / motion.duration();
      double& q = motion.position(j, static_cast<Eigen::Index>(k));
      q += along * std::sin(angle) * (1.0 - std::cos(angle)) + across * (1.0 - std::cos(angle));
      q = std::clamp(q, task.limits.lower(j), task.limits.upper(j));
    }
  }
}

void judge(const TrajectoryTask& task, JointTrajectory& trajectory) {
  const auto& used = trajectory.used;
  std::string missed;
  const auto look = [&](const char* what, double part) {
    if (part <= 1.0 + kPartTolerance) return;
    missed += (missed.empty() ? "" : ", ") + std::string(what) + " uses " + text_of(part) +
              " of its limit";
  };
  look("position", used.position);
  look("rate", used.rate);
  look("effort", used.effort);
  look("base_rate", used.base_rate);
  if (task.distances && trajectory.clearance < *task.goal.clearance - kClearanceTolerance) {
    missed += (missed.empty() ? "" : ", ") + std::string("shapes come within ") +
              text_of(trajectory.clearance) + " m of each other";
  }
  if (task.goal.base_turn) {
    const double error = (trajectory.base_turn - *task.goal.base_turn).norm();
    if (error > kTurnTolerance) {
      missed += (missed.empty() ? "" : ", ") + std::string("the turn of the base is off by ") +
                text_of(error) + " rad";
    }
  }
  trajectory.feasible = missed.empty();
  if (!missed.empty()) trajectory.message += "; " + missed;
}

}  // namespace spacedyn
