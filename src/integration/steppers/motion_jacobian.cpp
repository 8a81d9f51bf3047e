#include "integration/steppers/motion_jacobian.hpp"

#include <algorithm>

#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3_derivatives.hpp"

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
  if (equations.loops() == nullptr) {
    return forward_dynamics_derivatives(equations.state(), equations.loads(), equations.mobility(),
                                        workspace, forward) == DynamicsStatus::ok;
  }
  try {
    forward =
        constrained_derivatives(equations.model(), equations.active_loops(), equations.state(),
                                equations.loads(), equations.mobility(), forward.acceleration)
            .motion;
  } catch (const NumericalError&) {
    return false;
  }
  return true;
}

}  // namespace

MotionJacobian::MotionJacobian(const EquationsOfMotion& equations)
    : differentiator_(equations.model(), equations.layout().auxiliaries,
                      equations.largest_command(), equations.loads().gravity),
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
  if (equations.base_is_free())
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
  if (free != equations.mobility().free()) resize(equations);
  const double delay = kPartOfStep * (step.t_new - step.t_old);
  loads_.clear();
  if (!equations.differentiate_loads(step.x_old, step.t_old, delay, differentiator_, loads_)) {
    return;
  }
  forward_.acceleration = equations.acceleration();
  if (!differentiate_motion(equations, workspace_, forward_)) {
    equations.fail(Failure::Cause::inertia_not_positive_definite);
    return;
  }
  add_loads();
  gather();
  differentiate_turns(equations, step.x_old);
  if (equations.has_prescribed_motion()) {
    fill_time_by_differences(equations, step, delay);
  } else {
    fill_time(equations.layout());
  }
}

void MotionJacobian::add_loads() {
  add_response(forward_.force, loads_.force_configuration, forward_.configuration);
  add_response(forward_.force, loads_.force_velocity, forward_.velocity);
  auxiliary_.setZero();
  add_response(forward_.force, loads_.force_auxiliary, auxiliary_);
  time_.noalias() = forward_.force * loads_.force_time;
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

}  // namespace spacedyn
