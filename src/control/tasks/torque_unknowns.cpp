#include <algorithm>
#include <cmath>
#include <limits>

#include "control/tasks/known_motion.hpp"
#include "control/tasks/task_unknowns.hpp"
#include "spacedyn/dynamics/composite_rigid_body.hpp"
#include "spacedyn/dynamics/inertia_factorization.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"

namespace spacedyn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Part of a column outside of those before it, below which it depends on them.
constexpr double kDependent = 1e-12;

Mobility known_mobility(const KnownSurroundings& known, const Model& model) {
  std::vector<bool> is_free(static_cast<std::size_t>(model.joint_count()), true);
  for (const PrescribedJoint& joint : known.prescribed) {
    is_free[static_cast<std::size_t>(joint.joint - 1)] = false;
  }
  for (const int joint : known.locked) is_free[static_cast<std::size_t>(joint - 1)] = false;
  return {known.base_floats && !model.has_fixed_base(), is_free};
}

/// y = τ. With H⁻¹ = R Rᵀ and Rᵀ B = Q U, x = U y: then |x|² = yᵀ Bᵀ H⁻¹ B y, and
/// J_x H⁻¹ B y = (Rᵀ J_xᵀ)ᵀ Q x.
class TorqueUnknowns final : public TaskUnknowns {
 public:
  TorqueUnknowns(const WholeBody::Settings& settings, const Model& model)
      : TaskUnknowns(settings, model),
        mobility_(known_mobility(settings.known, model)),
        workspace_(model, mobility_),
        factors_(model, mobility_),
        known_(settings, model),
        row_(VectorX::Zero(model.velocity_size())),
        H_(model.velocity_size(), model.velocity_size()),
        Q_(model.velocity_size(), D_.cols()),
        U_(MatrixX::Zero(D_.cols(), D_.cols())),
        C_(MatrixX::Zero(2 * D_.cols(), D_.cols())),
        lower_(2 * D_.cols()),
        upper_(2 * D_.cols()),
        first_(VectorX::Zero(D_.cols())),
        rates_(D_.cols()),
        free_motion_(D_.cols()) {
    limit_count_ = 2 * static_cast<int>(D_.cols());
    const auto joints = static_cast<int>(D_.cols());
    feasibility_ = HierarchicalLeastSquares({2 * joints, 2 * joints, joints});
    slack_C_ = MatrixX::Zero(2 * D_.cols(), 2 * D_.cols());
    slack_A_ = MatrixX::Zero(D_.cols(), 2 * D_.cols());
    slack_A_.rightCols(D_.cols()).setIdentity();
    slack_start_ = VectorX::Zero(2 * D_.cols());
    for (const Task& task : settings.tasks) {
      complies_ = complies_ || task.type == Task::Type::compliance;
    }
    if (complies_) {
      momentum_ = Matrix6X::Zero(6, model.velocity_size());
      holding_ = VectorX::Zero(model.velocity_size());
      inverse_ = MatrixX::Zero(D_.cols(), D_.cols());
    }
    const auto turns = [](const Task& task) { return task.type == Task::Type::base_reaction; };
    if (std::any_of(settings.tasks.begin(), settings.tasks.end(), turns)) {
      rates_workspace_ = std::make_unique<InertiaRatesWorkspace>(model);
      inertia_rates_ = std::make_unique<InertiaRates>(model);
      H_dot_ = MatrixX::Zero(model.velocity_size(), model.velocity_size());
      momentum_ = J_dot_ = Matrix6X::Zero(6, model.velocity_size());
      D_dot_ = coordinates_dot_ = twists_ = Matrix6X::Zero(6, D_.cols());
    }
  }

  void update(const EvaluationContext& context) override {
    take_mobility(context);
    known_.update(context, workspace_);
    composite_rigid_body(context.state, workspace_, H_);
    const bool is_regular = factors_.factorize(H_) == DynamicsStatus::ok;
    orthogonalize(is_regular);
    for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      rates_(at) = context.state.qd(settings_.joints[i] - 1);
      free_motion_(at) = known_.acceleration()(element(i));
    }
    if (floats()) compute_responses(context);
    if (complies_ && !floats()) holding_ = known_.holding(context, workspace_);
    set_limits(context);
  }

  void rows(const EvaluationContext& context, const Task& task, const Pose& start,
            Eigen::Ref<MatrixX> A, VectorRef b) override {
    if (task.type == Task::Type::posture) {
      posture(context, task, A, b);
    } else if (task.type == Task::Type::base_reaction) {
      base_reaction(task, A, b);
    } else if (task.type == Task::Type::compliance) {
      compliance(context, task, start, A, b);
    } else {
      frame(context, task, start, A, b);
    }
  }

  bool start(HierarchicalLeastSquares& solver) override {
    if (is_unlimited_) {
      solver.start();
      return false;
    }
    find_feasible();
    solver.start(C_, lower_, upper_, first_);
    return true;
  }

  bool keeps_limits(ConstVectorRef x) const override {
    for (Eigen::Index i = 0; !is_unlimited_ && i < lower_.size(); ++i) {
      const double value = C_.row(i).dot(x);
      if (value < lower_(i) || value > upper_(i)) return false;
    }
    return true;
  }

  void to_solution(ConstVectorRef x, VectorRef y) const override {
    y = x;
    for (Eigen::Index i = y.size(); i-- > 0;) {
      y(i) /= U_(i, i);
      y.head(i) -= y(i) * U_.col(i).head(i);
    }
  }
  MatrixX for_solution(const MatrixX& A) const override { return A * U_; }

 private:
  /// Sizes memory anew where joints have been locked or released.
  void take_mobility(const EvaluationContext& context) {
    if (context.mobility == nullptr || context.mobility->free() == mobility_.free()) return;
    mobility_ = *context.mobility;
    workspace_ = TreeWorkspace(context.model, mobility_);
    factors_ = InertiaFactorization(context.model, mobility_);
  }

  /// Rᵀ B = Q U by the Gram-Schmidt process, twice, so that Q is orthogonal to rounding.
  void orthogonalize(bool is_regular) {
    U_.setZero();
    for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      auto column = Q_.col(at);
      column.setZero();
      if (is_regular) {
        column(element(i)) = 1.0;
        factors_.solve_from_tips(column);
      }
      const double before = column.norm();
      for (int pass = 0; pass < 2; ++pass) {
        for (Eigen::Index j = 0; j < at; ++j) {
          const double part = Q_.col(j).dot(column);
          column -= part * Q_.col(j);
          U_(j, at) += part;
        }
      }
      const double rest = column.norm();
      // a joint that does not move
      const bool is_idle = !(rest > kDependent * before) || !(before > 0.0);
      U_(at, at) = is_idle ? 1.0 : rest;
      if (is_idle) {
        column.setZero();
      } else {
        column /= rest;
      }
    }
  }

  /// D of the base coordinates, and Ḋ for reactions.
  void compute_responses(const EvaluationContext& context) {
    if (!complies_ && !inertia_rates_) return;
    momentum_ = H_.middleRows<6>(base_.front());
    const Matrix6 H_b = momentum_.middleCols<6>(base_.front());
    respond(H_b, momentum_);
    if (!inertia_rates_) return;
    compute_inertia_rates(context.model, context.frames, context.velocities, *rates_workspace_,
                          *inertia_rates_);
    assemble_inertia_matrix_derivative(*inertia_rates_, H_dot_);
    momentum_ = H_dot_.middleRows<6>(base_.front());
    const Eigen::LLT<Matrix6> factors(H_b);
    for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      const Vector6 rate = momentum_.col(element(i)) +
                           momentum_.middleCols<6>(base_.front()).lazyProduct(D_.col(at));
      D_dot_.col(at) = -factors.solve(rate);
    }
    base_twists(context, twists_);
    if (!settings_.robot) return;
    // of the base's twist, which these coordinates move
    const Frame& base = settings_.robot->base;
    frame_jacobian_derivative(context.model, context.frames, context.velocities, base,
                              J_dot_.rightCols(J_dot_.cols() - 6));
    coordinates_dot_ = D_dot_;
    D_dot_.noalias() = J_.middleCols<6>(base_.front()).lazyProduct(coordinates_dot_);
    D_dot_.noalias() += J_dot_.middleCols<6>(base_.front()).lazyProduct(D_);
  }

  void set_limits(const EvaluationContext& context) {
    const Eigen::Index count = D_.cols();
    const double kappa = settings_.limit_gain;
    is_unlimited_ = true;
    for (Eigen::Index i = 0; i < count; ++i) {
      const int joint = settings_.joints[static_cast<std::size_t>(i)];
      const Joint& own = context.model.joint(joint);
      const double q = context.state.q(joint - 1), qd = rates_(i);
      const double effort =
          settings_.limits.effort
              ? known_effort_limit(settings_, context.model, static_cast<std::size_t>(i))
              : kInfinity;
      lower_(i) = -effort;
      upper_(i) = effort;
      const double most =
          settings_.limits.rate ? known_rate_limit(context.model, joint) : kInfinity;
      const double slow = -kappa * (most + qd), fast = kappa * (most - qd);
      double least = slow, greatest = fast;
      if (settings_.limits.position) {
        const double drift = 2.0 * kappa * qd;
        least = std::clamp(-kappa * kappa * (q - own.position_lower) - drift, slow, fast);
        greatest = std::clamp(kappa * kappa * (own.position_upper - q) - drift, slow, fast);
      }
      lower_by_position_[static_cast<std::size_t>(i)] = least > slow;
      upper_by_position_[static_cast<std::size_t>(i)] = greatest < fast;
      // of q̈ = q̈_0 + (Uᵀ x)
      lower_(count + i) = least - free_motion_(i);
      upper_(count + i) = greatest - free_motion_(i);
      is_unlimited_ =
          is_unlimited_ && std::isinf(effort) && std::isinf(least) && std::isinf(greatest);
    }
    if (is_unlimited_) return;
    invert(C_.topRows(count));
    C_.bottomRows(count) = U_.transpose();
  }

  /// U⁻¹, column by column.
  void invert(Eigen::Ref<MatrixX> inverse) const {
    inverse.setIdentity();
    for (Eigen::Index j = 0; j < inverse.cols(); ++j) {
      auto column = inverse.col(j);
      for (Eigen::Index i = j + 1; i-- > 0;) {
        column(i) /= U_(i, i);
        column.head(i) -= column(i) * U_.col(i).head(i);
      }
    }
  }

  /// x within the limits; where efforts do not reach the others, as near to them as they do, and
  /// these are moved there.
  void find_feasible() {
    const Eigen::Index count = D_.cols();
    first_.setZero();
    const bool fits =
        (lower_.tail(count).array() <= 0.0).all() && (upper_.tail(count).array() >= 0.0).all();
    if (fits || reach_least_accelerations()) return;
    slack_C_.leftCols(count) = C_;
    slack_C_.bottomRightCorner(count, count).setZero();
    slack_start_.setZero();
    for (Eigen::Index i = 0; i < count; ++i) {
      slack_C_(count + i, count + i) = -1.0;
      // at x = 0
      const double inside = std::clamp(0.0, lower_(count + i), upper_(count + i));
      slack_start_(count + i) = -inside;
    }
    feasibility_.start(slack_C_, lower_, upper_, slack_start_);
    feasibility_.minimize(slack_A_, first_);
    const VectorX& found = feasibility_.solution();
    first_ = found.head(count);
    move_limits_to_first();
  }

  /// Whether efforts give the least accelerations within the other limits: Uᵀ x of these.
  bool reach_least_accelerations() {
    const Eigen::Index count = D_.cols();
    for (Eigen::Index i = 0; i < count; ++i) {
      const double least = std::clamp(0.0, lower_(count + i), upper_(count + i));
      first_(i) = (least - U_.col(i).head(i).dot(first_.head(i))) / U_(i, i);
    }
    for (Eigen::Index i = 0; i < count; ++i) {
      const double effort = C_.row(i).dot(first_);
      if (effort >= lower_(i) && effort <= upper_(i)) continue;
      first_.setZero();
      return false;
    }
    move_limits_to_first();
    return true;
  }

  void move_limits_to_first() {
    for (Eigen::Index i = 0; i < D_.cols(); ++i) {
      const double reached = C_.row(D_.cols() + i).dot(first_);
      lower_(D_.cols() + i) = std::min(lower_(D_.cols() + i), reached);
      upper_(D_.cols() + i) = std::max(upper_(D_.cols() + i), reached);
    }
  }

  void frame(const EvaluationContext& context, const Task& task, const Pose& start,
             Eigen::Ref<MatrixX> A, VectorRef b) {
    const RelativePose motion = relate(context, task);
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      row_ = J_.row(task.axes[r]).transpose();
      factors_.solve_from_tips(row_);
      A.row(static_cast<Eigen::Index>(r)).noalias() = row_.transpose().lazyProduct(Q_);
    }
    const Vector6 own = known_.acceleration_of(context, task.frame, J_);
    const Vector6 free =
        task.relative_to
            ? motion.acceleration(own, known_.acceleration_of(context, *task.relative_to, J_))
            : own;
    const PoseMotion goal = task.pose->evaluate(context.instant(), start);
    const Vector6 error = pose_error(goal, motion.pose);
    const Vector6 push =
        task.mass.size() > 0 ? known_.wrench(context, task) : Vector6(Vector6::Zero());
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const int axis = task.axes[r];
      b(row) = goal.acceleration(axis) +
               task.damping(row) * (goal.velocity(axis) - motion.velocity(axis)) +
               task.stiffness(row) * error(axis) - free(axis);
      if (task.mass.size() > 0) b(row) += push(axis) / task.mass(row);
    }
  }

  void base_reaction(const Task& task, Eigen::Ref<MatrixX> A, VectorRef b) const {
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const int axis = task.axes[r];
      A.row(row).noalias() = twists_.row(axis).lazyProduct(U_.transpose());
      b(row) = -D_dot_.row(axis).dot(rates_.transpose()) -
               task.damping(row) * twists_.row(axis).dot(rates_.transpose()) -
               twists_.row(axis).dot(free_motion_.transpose());
    }
  }

  void compliance(const EvaluationContext& context, const Task& task, const Pose& start,
                  Eigen::Ref<MatrixX> A, VectorRef b) {
    const RelativePose motion = relate(context, task);
    const PoseMotion goal = task.pose->evaluate(context.instant(), start);
    const Vector6 error = pose_error(goal, motion.pose);
    Vector6 force = Vector6::Zero();
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const int axis = task.axes[r];
      force(axis) = task.stiffness(row) * error(axis) +
                    task.damping(row) * (goal.velocity(axis) - motion.velocity(axis));
    }
    invert(inverse_);
    for (std::size_t r = 0; r < task.joints.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const Eigen::Index driven = place_of(task.joints[r]), own = task.joints[r] + 5;
      Vector6 column = J_.col(own);
      if (floats()) column.noalias() += J_.middleCols<6>(base_.front()).lazyProduct(D_.col(driven));
      A.row(row) = inverse_.row(driven);
      b(row) = column.dot(force) + holding_(own);
    }
  }

  void posture(const EvaluationContext& context, const Task& task, Eigen::Ref<MatrixX> A,
               VectorRef b) const {
    for (std::size_t r = 0; r < task.joints.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const int joint = task.joints[r];
      const Eigen::Index driven = place_of(joint);
      A.row(row) = U_.col(driven).transpose();
      const ReferenceValue goal = task.reference->at(static_cast<int>(r), context.instant());
      b(row) =
          goal.acceleration + task.damping(row) * (goal.velocity - context.state.qd(joint - 1)) +
          task.stiffness(row) * (goal.position - context.state.q(joint - 1)) - free_motion_(driven);
    }
  }

  Mobility mobility_;
  TreeWorkspace workspace_;
  InertiaFactorization factors_;
  KnownMotion known_;
  VectorX row_;
  MatrixX H_, Q_, U_, C_;
  VectorX lower_, upper_, first_, rates_, free_motion_;
  bool is_unlimited_ = true;
  bool complies_ = false;  // a task is a compliance
  VectorX holding_;        // [F_b; τ] against gravity
  MatrixX inverse_;        // U⁻¹
  HierarchicalLeastSquares feasibility_{HierarchicalLeastSquares::Sizes{}};
  MatrixX slack_C_, slack_A_;
  VectorX slack_start_;
  // of the reactions of the base
  std::unique_ptr<InertiaRatesWorkspace> rates_workspace_;
  std::unique_ptr<InertiaRates> inertia_rates_;
  MatrixX H_dot_;
  Matrix6X momentum_, J_dot_, twists_, D_dot_, coordinates_dot_;
};

}  // namespace

std::unique_ptr<TaskUnknowns> torque_unknowns(const WholeBody::Settings& settings,
                                              const Model& model) {
  return std::make_unique<TorqueUnknowns>(settings, model);
}

}  // namespace spacedyn
