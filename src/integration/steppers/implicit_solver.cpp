#include "integration/steppers/implicit_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

constexpr double kPartOfStep = 1e-3;  // truncation far below the method's, rounding as well

/// Adds H⁻¹ Q_x, column by column; loads depend on few coordinates.
void add_response(const MatrixX& response, const MatrixX& loads, MatrixX& accelerations) {
  for (Eigen::Index column = 0; column < loads.cols(); ++column) {
    for (Eigen::Index row = 0; row < loads.rows(); ++row) {
      const double load = loads(row, column);
      if (load != 0.0) accelerations.col(column) += load * response.col(row);
    }
  }
}

/// Free rows and columns of derivatives of accelerations, those of ż below.
void gather_columns(const std::vector<int>& free, const MatrixX& accelerations,
                    const MatrixX& rates, MatrixX& gathered) {
  const auto f = static_cast<Eigen::Index>(free.size());
  for (Eigen::Index column = 0; column < f; ++column) {
    const Eigen::Index from = free[static_cast<std::size_t>(column)];
    for (Eigen::Index row = 0; row < f; ++row) {
      gathered(row, column) = accelerations(free[static_cast<std::size_t>(row)], from);
    }
    gathered.col(column).tail(rates.rows()) = rates.col(from);
  }
}

/// Derivatives of accelerations, with the loops that hold. @returns whether H is positive definite
bool differentiate_motion(EquationsOfMotion& equations, DerivativesWorkspace& workspace,
                          ForwardDynamicsDerivatives& forward) {
  if (equations.held().loops() == nullptr) {
    return forward_dynamics_derivatives(equations.state(), equations.loads(), equations.mobility(),
                                        workspace, forward) == DynamicsStatus::ok;
  }
  try {
    forward = constrained_derivatives(equations.model(), equations.held().active_loops(),
                                      equations.state(), equations.loads(), equations.mobility(),
                                      forward.acceleration)
                  .motion;
  } catch (const NumericalError&) {
    return false;
  }
  return true;
}

bool holds_contacts(const EquationsOfMotion& equations) {
  return RigidDynamics::any_holds(equations.discrete());
}

/// Of differences: parts of the length and the speed of the system, and of the slowest sliding,
/// whose direction friction has. Between truncation and rounding.
constexpr double kReachOfPlaces = 1e-6;
constexpr double kPartOfSliding = 1e-4;
constexpr double kLeastReach = 1e-12;
/// Of numbers that are large beside that, as of places far from the origin, in roundings.
constexpr double kLeastRoundings = 1e3;

/// As a part of the length and the speed.
double reach_of(const EquationsOfMotion& equations) {
  const RigidDynamics& rigid = *equations.rigid();
  double part = kReachOfPlaces;
  for (std::size_t i = 0; i < rigid.points().size(); ++i) {
    const RigidDynamics::PointState& state = equations.discrete().contact_points[i];
    const bool is_turned = state.mode == RigidDynamics::PointState::Mode::sliding &&
                           !RigidDynamics::goes_straight(state);
    if (!is_turned || !(rigid.speed() > 0.0)) continue;
    part = std::min(part, kPartOfSliding * rigid.motion(i).sliding().norm() / rigid.speed());
  }
  return std::max(part, kLeastReach);
}

/// Whether a coordinate is a length, not an angle.
bool is_length(const Model& model, int row) {
  return row < 3 || (row >= 6 && model.joint(row - 5).type == JointType::prismatic);
}

/// Derivatives of accelerations and auxiliary rates while points of rigid contacts hold, whose
/// forces are part of them: central differences. @pre the equations are evaluated at x
void difference(EquationsOfMotion& equations, const VectorX& x, double time,
                MotionJacobian& jacobian) {
  const StateLayout& layout = equations.layout();
  const double part = reach_of(equations), length = equations.rigid()->points().length();
  const AbsoluteTolerance& least = equations.setup().integrator.absolute_tolerance;
  const double rate = std::max(equations.rigid()->speed(), least.linear_velocity) / length;
  VectorX changed = x, ahead = x, behind = x;
  const auto differ = [&](Eigen::Index place, double least_reach, auto column) {
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(x(place));
    const double reach = std::max(least_reach, kLeastRoundings * rounding);
    changed(place) = x(place) + reach;
    const double farthest = changed(place);
    equations(changed, ahead, time);
    changed(place) = x(place) - reach;
    equations(changed, behind, time);
    ahead = (ahead - behind) / (farthest - changed(place));
    changed(place) = x(place);
    for (std::size_t i = 0; i < jacobian.free.size(); ++i) {
      column(static_cast<Eigen::Index>(i)) = ahead(layout.v_0() + jacobian.free[i]);
    }
    column.tail(layout.auxiliaries) = ahead.segment(layout.z(), layout.auxiliaries);
  };
  for (std::size_t i = 0; i < jacobian.free.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const int row = jacobian.free[i];
    const double arm = is_length(equations.model(), row) ? length : 1.0;
    differ(row, arm * part, jacobian.by_position.col(column));
    differ(layout.v_0() + row, arm * part * rate, jacobian.by_velocity.col(column));
  }
  for (Eigen::Index k = 0; k < layout.auxiliaries; ++k) {
    const double reach = std::max(kReachOfPlaces * std::abs(x(layout.z() + k)), least.auxiliary);
    differ(layout.z() + k, reach, jacobian.by_auxiliary.col(k));
  }
}

}  // namespace

MotionJacobian::MotionJacobian(const EquationsOfMotion& equations)
    : differentiator_(equations.model(), equations.layout().auxiliaries,
                      largest_command(equations.elements().system()), equations.loads().gravity),
      loads_(equations.model(), equations.layout().auxiliaries),
      workspace_(equations.model()),
      forward_(equations.model()),
      auxiliary_(loads_.force_auxiliary),
      time_(loads_.force_time),
      ahead_(VectorX::Zero(equations.layout().size())),
      farther_(ahead_) {
  resize(equations);
}

void MotionJacobian::resize(const EquationsOfMotion& equations) {
  free = equations.mobility().free();
  turns.clear();
  if (equations.mobility().base_free())
    turns.push_back({StateLayout::theta, Matrix3::Zero(), Matrix3::Zero()});
  for (const int first : equations.model().spherical_joints()) {
    const auto found = std::find(free.begin(), free.end(), first + 5);
    if (found != free.end())
      turns.push_back({found - free.begin(), Matrix3::Zero(), Matrix3::Zero()});
  }
  const auto f = static_cast<Eigen::Index>(free.size());
  const Eigen::Index z = equations.layout().auxiliaries;
  by_position = MatrixX::Zero(f + z, f);
  by_velocity = by_position;
  by_auxiliary = MatrixX::Zero(f + z, z);
  by_time = VectorX::Zero(equations.layout().integrals());
}

void MotionJacobian::compute(EquationsOfMotion& equations, const Step& step) {
  const double delay = kPartOfStep * (step.t_new - step.t_old);
  if (!differentiate(equations, step.x_old, step.t_old, delay)) return;
  if (equations.has_prescribed_motion() || equations.held().motions() != nullptr ||
      holds_contacts(equations)) {
    fill_time_by_differences(equations, step, delay);
  } else {
    fill_time(equations.layout());
  }
}

bool MotionJacobian::differentiate(EquationsOfMotion& equations, const VectorX& x, double time,
                                   double delay) {
  if (free != equations.mobility().free()) resize(equations);
  if (holds_contacts(equations)) {
    if (!equations.evaluate_inside(x, time)) return false;
    differentiate_turns(equations, x);
    difference(equations, x, time, *this);
    return !equations.failure();
  }
  loads_.clear();
  if (!equations.differentiate_loads(x, time, delay, differentiator_, loads_)) return false;
  forward_.acceleration = equations.acceleration();
  if (!differentiate_motion(equations, workspace_, forward_)) {
    return equations.failure().note(Failure::Cause::inertia_not_positive_definite);
  }
  add_loads();
  if (!close_motions(equations)) return false;
  gather();
  differentiate_turns(equations, x);
  return true;
}

void MotionJacobian::add_loads() {
  add_response(forward_.force, loads_.force_configuration, forward_.configuration);
  add_response(forward_.force, loads_.force_velocity, forward_.velocity);
  auxiliary_.setZero();
  add_response(forward_.force, loads_.force_auxiliary, auxiliary_);
  time_.noalias() = forward_.force * loads_.force_time;
}

bool MotionJacobian::close_motions(EquationsOfMotion& equations) {
  MotionForces* motions = equations.held().motions();
  if (motions == nullptr || !motions->any_holds(equations.discrete())) return true;
  const EvaluationContext context = equations.context();
  const MotionDerivatives changes = motions->differentiate(context, equations.acceleration());
  add_response(forward_.force, changes.force_configuration, forward_.configuration);
  motions->close(changes.residual_configuration, forward_.configuration);
  motions->close(changes.residual_velocity, forward_.velocity);
  motions->close(MatrixX::Zero(changes.residual_velocity.rows(), auxiliary_.cols()), auxiliary_);
  return true;
}

void MotionJacobian::gather() {
  gather_columns(free, forward_.configuration, loads_.rate_configuration, by_position);
  gather_columns(free, forward_.velocity, loads_.rate_velocity, by_velocity);
  const auto f = static_cast<Eigen::Index>(free.size());
  for (Eigen::Index row = 0; row < f; ++row) {
    by_auxiliary.row(row) = auxiliary_.row(free[static_cast<std::size_t>(row)]);
  }
  by_auxiliary.bottomRows(loads_.rate_auxiliary.rows()) = loads_.rate_auxiliary;
}

void MotionJacobian::differentiate_turns(const EquationsOfMotion& equations, const VectorX& x) {
  for (Turn& turn : turns) {
    // places of positions in x; those of velocities are as far apart
    const int row = free[static_cast<std::size_t>(turn.column)];
    const double side = row < StateLayout::q ? 1.0 : -1.0;  // of a spherical joint on the right
    const Vector3 theta = side * x.segment<3>(row);
    const Vector3 omega = x.segment<3>(equations.layout().v_0() + row);
    turn.by_turn = side * dexp_inverse_derivative(theta, omega);
    turn.by_omega = dexp_inverse_so3(theta);
    const Matrix3 to_displacement = dexp_so3(theta);
    for (Eigen::Index i = 0; i < by_position.rows(); ++i) {
      const Eigen::RowVector3d by_displacement = by_position.row(i).segment<3>(turn.column);
      by_position.row(i).segment<3>(turn.column) = by_displacement * to_displacement;
    }
  }
}

void MotionJacobian::fill_time(const StateLayout& layout) {
  by_time.setZero();
  for (const int row : free) by_time(layout.v_0() + row) = time_(row);
  by_time.segment(layout.z(), layout.auxiliaries) = loads_.rate_time;
}

void MotionJacobian::fill_time_by_differences(EquationsOfMotion& equations, const Step& step,
                                              double delay) {
  // to one side and not beyond the step: elsewhere elements need not be smooth
  equations(step.x_old, ahead_, step.t_old + delay);
  equations(step.x_old, farther_, step.t_old + 2.0 * delay);
  const auto motion = by_time.size();
  by_time =
      (4.0 * (ahead_ - step.rate_old) - (farther_ - step.rate_old)).head(motion) / (2.0 * delay);
}

namespace {

/// Fewer are not worth their sorting.
constexpr std::size_t kFewest = 32;

/// Whether row i is the only one from `first` on that has an entry in column i.
bool acts_on_itself_alone(const MatrixX& matrix, Eigen::Index first, Eigen::Index i) {
  const auto above = matrix.col(i).segment(first, i - first);
  return above.isZero(0.0) && matrix.col(i).tail(matrix.rows() - i - 1).isZero(0.0);
}

}  // namespace

void ArrowLu::compute(const MatrixX& matrix, Eigen::Index first, double least) {
  lone_.clear();
  for (Eigen::Index i = first; i < matrix.rows(); ++i) {
    if (matrix(i, i) >= least && acts_on_itself_alone(matrix, first, i)) lone_.push_back(i);
  }
  if (lone_.size() < kFewest) {
    lone_.clear();
    factorization_.compute(matrix);
    return;
  }
  kept_.clear();
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (next < lone_.size() && lone_[next] == i) {
      ++next;
    } else {
      kept_.push_back(i);
    }
  }
  pivots_ = matrix.diagonal()(lone_);
  of_kept_ = matrix(lone_, kept_);
  to_kept_ = matrix(kept_, lone_);
  to_kept_.array().rowwise() /= pivots_.transpose().array();
  rest_ = matrix(kept_, kept_);
  rest_.noalias() -= to_kept_ * of_kept_;
  factorization_.compute(rest_);
}

void ArrowLu::solve(VectorX& b) {
  if (lone_.empty()) {
    solved_ = factorization_.solve(b);
    b = solved_;
    return;
  }
  lone_side_ = b(lone_);
  kept_side_ = b(kept_);
  kept_side_.noalias() -= to_kept_ * lone_side_;
  solved_ = factorization_.solve(kept_side_);
  b(kept_) = solved_;
  lone_side_.noalias() -= of_kept_ * solved_;
  b(lone_) = lone_side_.cwiseQuotient(pivots_);
}

void ImplicitSolver::factorize(const MotionJacobian& jacobian, double shift) {
  jacobian_ = &jacobian;
  position_ = 1.0 / shift;
  const Eigen::Index f = jacobian.by_position.cols(), z = jacobian.by_auxiliary.cols();
  matrix_.resize(f + z, f + z);
  matrix_.leftCols(f) = -jacobian.by_velocity - position_ * jacobian.by_position;
  turns_.resize(jacobian.turns.size());
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const MotionJacobian::Turn& turn = jacobian.turns[k];
    turns_[k].by_turn = (shift * Matrix3::Identity() - turn.by_turn).inverse();
    turns_[k].by_omega = turns_[k].by_turn * turn.by_omega;
    const auto by_turn = jacobian.by_position.middleCols<3>(turn.column);
    matrix_.middleCols<3>(turn.column) = -jacobian.by_velocity.middleCols<3>(turn.column);
    matrix_.middleCols<3>(turn.column) -= by_turn.lazyProduct(turns_[k].by_omega);
  }
  matrix_.rightCols(z) = -jacobian.by_auxiliary;
  matrix_.diagonal().array() += shift;
  factorization_.compute(matrix_, f, shift);
}

void ImplicitSolver::solve(const StateLayout& layout, VectorX& g) {
  const std::vector<int>& free = jacobian_->free;
  const auto f = static_cast<Eigen::Index>(free.size());
  const Eigen::Index z = layout.auxiliaries;
  positions_.resize(f);
  right_side_.resize(f + z);
  for (Eigen::Index i = 0; i < f; ++i) {
    const Eigen::Index row = free[static_cast<std::size_t>(i)];
    positions_(i) = position_ * g(row);
    right_side_(i) = g(layout.v_0() + row);
  }
  const auto row_of = [&](const MotionJacobian::Turn& turn) {
    return free[static_cast<std::size_t>(turn.column)];
  };
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const MotionJacobian::Turn& turn = jacobian_->turns[k];
    positions_.segment<3>(turn.column) = turns_[k].by_turn * g.segment<3>(row_of(turn));
  }
  right_side_.tail(z) = g.segment(layout.z(), z);
  right_side_.noalias() += jacobian_->by_position * positions_;
  solution_ = right_side_;
  factorization_.solve(solution_);

  g.head(layout.z()).setZero();
  for (Eigen::Index i = 0; i < f; ++i) {
    const Eigen::Index row = free[static_cast<std::size_t>(i)];
    g(row) = positions_(i) + position_ * solution_(i);
    g(layout.v_0() + row) = solution_(i);
  }
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const MotionJacobian::Turn& turn = jacobian_->turns[k];
    g.segment<3>(row_of(turn)) =
        positions_.segment<3>(turn.column) + turns_[k].by_omega * solution_.segment<3>(turn.column);
  }
  g.segment(layout.z(), z) = solution_.tail(z);
}

}  // namespace spacedyn
