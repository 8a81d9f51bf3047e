/// @file
/// The Rosenbrock method once more: all components in one dense system, derivatives by differences,
/// dynamics by the inertia matrix, public functions only.
#pragma once

#include <cmath>

// before the Eigen adapter, which it does not need here
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>

#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/finite_differences.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing {

/// x = [r_0; θ; q; v_0; ω_0; q̇; z] with A_0 = Exp(θ) A_ref. The elements own z one after the other,
/// and all of the controllers are continuous.
class DenseRosenbrock {
 public:
  DenseRosenbrock(const SimulationSetup& setup, Mobility mobility)
      : setup_(setup),
        model_(*setup.model),
        mobility_(std::move(mobility)),
        workspace_(model_, mobility_) {}

  /// @param reference  A_ref, moved along where θ has grown beyond 1 rad as simulations do
  State fly(const State& start, Matrix3 reference, double from, double h, int steps) {
    reference_ = reference;
    VectorX x(2 * model_.velocity_size() + start.z.size());
    x << start.r_0, log_so3(start.A_0 * reference.transpose()), start.q, start.v_0, start.omega_0,
        start.qd, start.z;
    for (int i = 0; i < steps; ++i) {
      recentre(x);
      x = step(x, from + i * h, h);
    }
    return state_of(x, from + steps * h);
  }

 private:
  void recentre(VectorX& x) {
    if (x.segment<3>(3).norm() <= 1.0) return;
    reference_ = exp_so3(x.segment<3>(3)) * reference_;
    x.segment<3>(3).setZero();
  }

  State state_of(const VectorX& x, double time) const {
    const int n = model_.joint_count();
    State state(model_);
    state.r_0 = x.head<3>();
    state.A_0 = exp_so3(x.segment<3>(3)) * reference_;
    state.q = x.segment(6, n);
    state.v_0 = x.segment<3>(6 + n);
    state.omega_0 = x.segment<3>(9 + n);
    state.qd = x.segment(12 + n, n);
    state.z = x.tail(x.size() - 12 - 2 * n);
    Vector6 ignored;
    if (setup_.prescribed_base) setup_.prescribed_base->evaluate(time, state, ignored);
    for (const PrescribedJoint& joint : setup_.prescribed_joints) {
      const ReferenceValue value = joint.reference->evaluate(0, time);
      state.q(joint.joint - 1) = value.position;
      state.qd(joint.joint - 1) = value.velocity;
    }
    return state;
  }

  VectorX prescribed_acceleration(double time) const {
    VectorX acceleration = VectorX::Zero(model_.velocity_size());
    Vector6 base;
    State ignored(model_);
    if (setup_.prescribed_base) {
      setup_.prescribed_base->evaluate(time, ignored, base);
      acceleration.head<6>() = base;
    }
    for (const PrescribedJoint& joint : setup_.prescribed_joints) {
      acceleration(joint.joint + 5) = joint.reference->evaluate(0, time).acceleration;
    }
    return acceleration;
  }

  VectorX rate(const VectorX& x, double time) {
    const State state = state_of(x, time);
    update_kinematics(model_, state, workspace_);
    Loads loads(model_);
    loads.gravity = setup_.gravity;
    VectorX zd = VectorX::Zero(state.z.size());
    apply_elements(state, time, loads, zd);
    VectorX acceleration = prescribed_acceleration(time), forces(acceleration.size());
    EXPECT_EQ(hybrid_dynamics(model_, state, loads, mobility_, workspace_, acceleration, forces),
              DynamicsStatus::ok);
    VectorX velocity = state.velocity();
    velocity.segment<3>(3) = apply_dexp_inverse_so3(x.segment<3>(3), state.omega_0);
    for (const int row : mobility_.prescribed()) velocity(row) = acceleration(row) = 0.0;
    VectorX result(x.size());
    result << velocity, acceleration, zd;
    return result;
  }

  void apply_elements(const State& state, double time, Loads& loads, VectorX& zd) const {
    int used = 0;
    const auto context = [&](const Element& element) {
      return EvaluationContext{time,
                               model_,
                               state,
                               workspace_.frames,
                               workspace_.velocities,
                               state.z.segment(used, element.auxiliary_size())};
    };
    const auto finish = [&](const Element& element) {
      const int size = element.auxiliary_size();
      element.auxiliary_rate(context(element), zd.segment(used, size));
      used += size;
    };
    const PassiveJoints passive;
    passive.apply(context(passive), loads);
    for (const auto& force : setup_.forces) {
      force->apply(context(*force), loads);
      finish(*force);
    }
    for (const auto& controller : setup_.controllers) {
      VectorX command(controller->command_size());
      controller->command(context(*controller), command);
      controller->apply(context(*controller), command, loads);
      finish(*controller);
    }
  }

  /// The six stages of Hairer and Wanner, d4 negative as they have it.
  VectorX step(const VectorX& x, double t, double h) {
    const boost::numeric::odeint::default_rosenbrock_coefficients<double> k;
    constexpr double kReach = 1e-3;
    MatrixX J(x.size(), x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto along = [&](double s) -> MatrixX {
        return rate(x + s * VectorX::Unit(x.size(), i), t);
      };
      J.col(i) = derivative(along, kReach).value;
    }
    const auto in_time = [&](double s) -> MatrixX { return rate(x, t + s); };
    const VectorX ft = derivative(in_time, kReach).value;
    const Eigen::PartialPivLU<MatrixX> lu(MatrixX::Identity(x.size(), x.size()) / (k.gamma * h) -
                                          J);
    const VectorX g1 = lu.solve(rate(x, t) + h * k.d1 * ft);
    const VectorX g2 =
        lu.solve(rate(x + k.a21 * g1, t + k.c2 * h) + h * k.d2 * ft + k.c21 / h * g1);
    const VectorX g3 = lu.solve(rate(x + k.a31 * g1 + k.a32 * g2, t + k.c3 * h) + h * k.d3 * ft +
                                (k.c31 * g1 + k.c32 * g2) / h);
    const VectorX g4 =
        lu.solve(rate(x + k.a41 * g1 + k.a42 * g2 + k.a43 * g3, t + k.c4 * h) -
                 h * std::abs(k.d4) * ft + (k.c41 * g1 + k.c42 * g2 + k.c43 * g3) / h);
    VectorX end = x + k.a51 * g1 + k.a52 * g2 + k.a53 * g3 + k.a54 * g4;
    const VectorX g5 =
        lu.solve(rate(end, t + h) + (k.c51 * g1 + k.c52 * g2 + k.c53 * g3 + k.c54 * g4) / h);
    end += g5;
    const VectorX g6 = lu.solve(
        rate(end, t + h) + (k.c61 * g1 + k.c62 * g2 + k.c63 * g3 + k.c64 * g4 + k.c65 * g5) / h);
    return end + g6;
  }

  const SimulationSetup& setup_;
  const Model& model_;
  Mobility mobility_;
  DynamicsWorkspace workspace_;
  Matrix3 reference_ = Matrix3::Identity();
};

}  // namespace spacedyn::testing
