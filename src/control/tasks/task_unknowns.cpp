#include "control/tasks/task_unknowns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "dynamics/tree/tree_sums.hpp"
#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
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

namespace {

/// y = x = q̇_cmd.
class RateUnknowns final : public TaskUnknowns {
 public:
  RateUnknowns(const WholeBody::Settings& settings, const Model& model)
      : TaskUnknowns(settings, model),
        workspace_(model),
        momentum_(6, model.velocity_size()),
        H_(settings.robot ? model.velocity_size() : 0, settings.robot ? model.velocity_size() : 0),
        J_d_(6, D_.cols()),
        rates_(D_.cols()),
        lower_(D_.cols()),
        upper_(D_.cols()) {
    limit_count_ = static_cast<int>(D_.cols());
  }

  void update(const EvaluationContext& context) override {
    for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
      rates_(static_cast<Eigen::Index>(i)) = context.state.qd(settings_.joints[i] - 1);
    }
    set_limits(context);
    if (!floats()) return;
    update_tank_masses(workspace_, context.model);
    if (settings_.robot) {
      composite_rigid_body(context.state, workspace_, H_);
      momentum_ = H_.middleRows<6>(base_.front());
    } else {
      update_poses(context.state, workspace_);
      momentum_matrix(workspace_, momentum_);
    }
    lead(context.model, momentum_);
    respond(momentum_.middleCols<6>(base_.front()), momentum_);
  }

  void rows(const EvaluationContext& context, const Task& task, const Pose& start,
            Eigen::Ref<MatrixX> A, VectorRef b) override {
    if (task.type == Task::Type::posture) {
      posture(context, task, A, b);
    } else if (task.type == Task::Type::base_reaction) {
      base_twists(context, J_d_);
      select(task, A);
      b.setZero();
    } else {
      frame(context, task, start, A, b);
    }
  }

  bool start(HierarchicalLeastSquares& solver) override {
    if (is_unlimited_) {
      solver.start();
    } else {
      solver.start(lower_, upper_);
    }
    return !is_unlimited_;
  }
  bool keeps_limits(ConstVectorRef x) const override {
    return (x.array() >= lower_.array()).all() && (x.array() <= upper_.array()).all();
  }
  void to_solution(ConstVectorRef x, VectorRef y) const override { y = x; }
  MatrixX for_solution(const MatrixX& A) const override { return A; }

 private:
  void set_limits(const EvaluationContext& context) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double kappa = settings_.limit_gain;
    is_unlimited_ = true;
    for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
      const int joint = settings_.joints[i];
      const double most =
          settings_.limits.rate ? known_rate_limit(context.model, joint) : kInfinity;
      double least_rate = -most, most_rate = most;
      if (settings_.limits.position) {
        const Joint& own = context.model.joint(joint);
        const double q = context.state.q(joint - 1);
        least_rate = std::clamp(-kappa * (q - own.position_lower), -most, most);
        most_rate = std::clamp(kappa * (own.position_upper - q), -most, most);
      }
      lower_by_position_[i] = least_rate > -most;
      upper_by_position_[i] = most_rate < most;
      lower_(static_cast<Eigen::Index>(i)) = least_rate;
      upper_(static_cast<Eigen::Index>(i)) = most_rate;
      is_unlimited_ = is_unlimited_ && std::isinf(least_rate) && std::isinf(most_rate);
    }
  }

  void select(const Task& task, Eigen::Ref<MatrixX> A) const {
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      A.row(static_cast<Eigen::Index>(r)) = J_d_.row(task.axes[r]);
    }
  }

  void frame(const EvaluationContext& context, const Task& task, const Pose& start,
             Eigen::Ref<MatrixX> A, VectorRef b) {
    const RelativePose motion = relate(context, task);
    for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
      J_d_.col(static_cast<Eigen::Index>(i)) = J_.col(element(i));
    }
    Vector6 at_rest = Vector6::Zero();  // ẋ_0
    if (task.jacobian == Task::Jacobian::generalized) {
      if (floats()) J_d_.noalias() += J_.middleCols<6>(base_.front()).lazyProduct(D_);
      at_rest = motion.velocity;
      at_rest.noalias() -= J_d_.lazyProduct(rates_);
    }
    select(task, A);
    const PoseMotion goal = task.pose->evaluate(context.instant(), start);
    const Vector6 error = pose_error(goal, motion.pose);
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const int axis = task.axes[r];
      b(row) = goal.velocity(axis) + task.gain(row) * error(axis) - at_rest(axis);
    }
  }

  void posture(const EvaluationContext& context, const Task& task, Eigen::Ref<MatrixX> A,
               VectorRef b) const {
    A.setZero();
    for (std::size_t r = 0; r < task.joints.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      A(row, place_of(task.joints[r])) = 1.0;
      const ReferenceValue goal = task.reference->at(static_cast<int>(r), context.instant());
      b(row) =
          goal.velocity + task.gain(row) * (goal.position - context.state.q(task.joints[r] - 1));
    }
  }

  TreeWorkspace workspace_;
  Matrix6X momentum_;  // rows of H for the base
  MatrixX H_;
  Matrix6X J_d_;
  VectorX rates_, lower_, upper_;
  bool is_unlimited_ = true;
};

}  // namespace

std::unique_ptr<TaskUnknowns> rate_unknowns(const WholeBody::Settings& settings,
                                            const Model& model) {
  return std::make_unique<RateUnknowns>(settings, model);
}

}  // namespace spacedyn
