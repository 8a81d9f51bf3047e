#include <algorithm>

#include "control/tasks/known_motion.hpp"
#include "control/tasks/own_inertia.hpp"
#include "control/tasks/task_stack.hpp"
#include "control/tasks/task_unknowns.hpp"
#include "dynamics/tree/tree_sums.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {
namespace {

/// Part of a column outside of those before it, below which it depends on them.
constexpr double kDependent = 1e-12;
/// Element of U of such a column, in parts of its size.
constexpr double kShare = 1e-3;

Mobility known_mobility(const KnownSurroundings& known, const Model& model) {
  std::vector<bool> is_free(static_cast<std::size_t>(model.joint_count()), true);
  for (const PrescribedJoint& joint : known.prescribed) {
    is_free[static_cast<std::size_t>(joint.joint - 1)] = false;
  }
  for (const int joint : known.locked) is_free[static_cast<std::size_t>(joint - 1)] = false;
  return {known.base_floats && !model.has_fixed_base(), is_free};
}

/// y = τ and the forces of thrusters. With H⁻¹ = R Rᵀ and Rᵀ B = Q U, x = U y: then
/// |x|² = yᵀ Bᵀ H⁻¹ B y, and J_x H⁻¹ B y = (Rᵀ J_xᵀ)ᵀ Q x. A column of B that depends on those
/// before it has none in Q and a small number in U.
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
        Q_(model.velocity_size(), count()),
        U_(MatrixX::Zero(count(), count())),
        inverse_(U_),
        limits_(settings, count()),
        rates_(D_.cols()),
        free_motion_(D_.cols()),
        chosen_(MatrixX::Zero(count(), count())),
        none_(VectorX::Zero(count())) {
    limit_count_ = limits_.count();
    for (const Task& task : settings.tasks) {
      complies_ = complies_ || task.type == Task::Type::compliance;
    }
    if (complies_) {
      momentum_ = Matrix6X::Zero(6, model.velocity_size());
      holding_ = VectorX::Zero(model.velocity_size());
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
    update_tank_masses(workspace_, context.model);
    known_.update(context, workspace_);
    composite_rigid_body(context.state, workspace_, H_);
    const bool is_regular = factors_.factorize(H_) == DynamicsStatus::ok;
    if (is_regular) factors_.constrain(H_, known_.acceleration());
    orthogonalize(context, is_regular);
    for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      rates_(at) = context.state.qd(settings_.joints[i] - 1);
      free_motion_(at) = known_.acceleration()(element(i));
    }
    if (floats()) compute_responses(context);
    if (complies_ && !floats()) holding_ = known_.holding(context, workspace_);
    const bool has_limits =
        limits_.update(context, free_motion_, upper_by_position_, lower_by_position_);
    if (has_limits || complies_) invert();
    if (has_limits) limits_.take(U_, inverse_);
  }

  void rows(const EvaluationContext& context, const Task& task, const Pose& start,
            Eigen::Ref<MatrixX> A, VectorRef b) override {
    if (task.type == Task::Type::posture) {
      posture(context, task, A, b);
    } else if (task.type == Task::Type::base_reaction) {
      base_reaction(task, A, b);
    } else if (task.type == Task::Type::momentum) {
      momentum(context, task, A, b);
    } else if (task.type == Task::Type::compliance) {
      compliance(context, task, start, A, b);
    } else {
      frame(context, task, start, A, b);
    }
  }

  bool start(HierarchicalLeastSquares& solver) override {
    if (!limits_.act()) {
      solver.start();
      return false;
    }
    limits_.start(solver, U_);
    return true;
  }

  void settle(HierarchicalLeastSquares& solver) override {
    if (!is_dependent_) return;
    // least |y| of motion, then least forces of the thrusters that are left
    for (Eigen::Index i = 0; i < chosen_.cols(); ++i) {
      chosen_(i, i) = Q_.col(i).isZero(0.0) ? 0.0 : 1.0;
    }
    solver.minimize(chosen_, none_);
    const Eigen::Index thrusters = count() - D_.cols();
    solver.minimize(inverse_.bottomRows(thrusters), none_.head(thrusters));
  }

  bool keeps_limits(ConstVectorRef x) const override { return limits_.keep(x); }

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
    factors_ = OwnInertia(context.model, mobility_);
  }

  /// Rᵀ B = Q U by the Gram-Schmidt process, twice, so that Q is orthogonal to rounding.
  void orthogonalize(const EvaluationContext& context, bool is_regular) {
    U_.setZero();
    is_dependent_ = false;
    for (Eigen::Index at = 0; at < Q_.cols(); ++at) {
      auto column = Q_.col(at);
      column.setZero();
      if (is_regular) {
        take_column(context, at, column);
        factors_.halve(column);
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
      if (rest > kDependent * before) {
        U_(at, at) = rest;
        column /= rest;
        continue;
      }
      // a joint that does not move, or a thruster that others can replace
      U_(at, at) = before > 0.0 ? kShare * before : 1.0;
      is_dependent_ = is_dependent_ || before > 0.0;
      column.setZero();
    }
  }

  /// B of a joint or thruster, whose force is 1 N.
  void take_column(const EvaluationContext& context, Eigen::Index at, VectorRef column) {
    if (at < D_.cols()) {
      column(element(static_cast<std::size_t>(at))) = 1.0;
      return;
    }
    const Thruster& jet = thruster(at);
    full_jacobian(context, jet.at, J_);
    const Vector3 push = frame_orientation(context.frames, jet.at) * jet.drive.direction;
    column.noalias() = J_.topRows<3>().transpose().lazyProduct(push);
  }
  const Thruster& thruster(Eigen::Index at) const {
    return settings_.thrusters->thrusters()[static_cast<std::size_t>(at - D_.cols())];
  }

  /// D of the base coordinates, and Ḋ for reactions.
  void compute_responses(const EvaluationContext& context) {
    if (!complies_ && !inertia_rates_) return;
    momentum_ = H_.middleRows<6>(base_.front());
    lead(context.model, momentum_);
    const Matrix6 H_b = momentum_.middleCols<6>(base_.front());
    respond(H_b, momentum_);
    if (!inertia_rates_) return;
    compute_inertia_rates(context.model, context.frames, context.velocities, *rates_workspace_,
                          *inertia_rates_);
    assemble_inertia_matrix_derivative(*inertia_rates_, H_dot_);
    momentum_ = H_dot_.middleRows<6>(base_.front());
    lead(context.model, momentum_);
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

  /// U⁻¹, column by column.
  void invert() {
    inverse_.setIdentity();
    for (Eigen::Index j = 0; j < inverse_.cols(); ++j) {
      auto column = inverse_.col(j);
      for (Eigen::Index i = j + 1; i-- > 0;) {
        column(i) /= U_(i, i);
        column.head(i) -= column(i) * U_.col(i).head(i);
      }
    }
  }

  void frame(const EvaluationContext& context, const Task& task, const Pose& start,
             Eigen::Ref<MatrixX> A, VectorRef b) {
    const RelativePose motion = relate(context, task);
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      row_ = J_.row(task.axes[r]).transpose();
      factors_.halve(row_);
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
      A.row(row).noalias() = twists_.row(axis).lazyProduct(U_.leftCols(twists_.cols()).transpose());
      b(row) = -D_dot_.row(axis).dot(rates_.transpose()) -
               task.damping(row) * twists_.row(axis).dot(rates_.transpose()) -
               twists_.row(axis).dot(free_motion_.transpose());
    }
  }

  /// Joints do not change it: of thrusters their wrench about the centroid.
  void momentum(const EvaluationContext& context, const Task& task, Eigen::Ref<MatrixX> A,
                VectorRef b) const {
    const auto& robot = settings_.robot;
    Momentum now;
    Vector3 r_g;
    if (robot) {
      const RobotSums sums = robot_sums(context.model, *robot, context.frames, context.velocities);
      now = sums.momentum;
      r_g = sums.r_g;
    } else {
      now = spacedyn::momentum(context.model, context.frames, context.velocities);
      r_g = center_of_mass(context.model, context.frames);
    }
    Vector6 h;
    h << now.linear, now.angular_centroid;
    const Vector6 load = known_.load(context, robot ? robot->first : 0,
                                     robot ? robot->end : context.model.body_count(), r_g);
    A.setZero();
    for (Eigen::Index i = D_.cols(); i < count(); ++i) {
      const Frame& at = thruster(i).at;
      const Vector3 push = frame_orientation(context.frames, at) * thruster(i).drive.direction;
      Vector6 wrench;
      wrench << push, (frame_position(context.frames, at) - r_g).cross(push);
      for (std::size_t r = 0; r < task.axes.size(); ++r) {
        A.row(static_cast<Eigen::Index>(r)) += wrench(task.axes[r]) * inverse_.row(i);
      }
    }
    for (std::size_t r = 0; r < task.axes.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const int axis = task.axes[r];
      b(row) = task.gain(row) * (task.value(row) - h(axis)) - load(axis);
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
    for (std::size_t r = 0; r < task.joints.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const Eigen::Index driven = place_of(task.joints[r]), own = task.joints[r] + 5;
      Vector6 column = J_.col(own);
      if (floats()) column.noalias() += J_.middleCols<6>(base_.front()).lazyProduct(D_.col(driven));
      A.row(row) = inverse_.row(driven);
      b(row) = column.dot(force) +
               own_force(context.model, holding_.tail(context.model.joint_count()), task.joints[r]);
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
  OwnInertia factors_;
  KnownMotion known_;
  VectorX row_;
  MatrixX H_, Q_, U_, inverse_;  // inverse_: U⁻¹
  TorqueLimits limits_;
  VectorX rates_, free_motion_;
  bool is_dependent_ = false;
  MatrixX chosen_;
  VectorX none_;
  bool complies_ = false;  // a task is a compliance
  VectorX holding_;        // [F_b; τ] against gravity
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
