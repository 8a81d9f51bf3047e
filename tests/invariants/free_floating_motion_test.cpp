// What the quantities of free-floating robots promise, seen along simulated motions.
#include "invariants/null_space_path.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "support/recorders.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::free_floating_motion_test {
namespace {

struct Robot {
  explicit Robot(const std::string& name)
      : model(std::make_shared<Model>(reference_model(reference(name).at("model")))),
        state(reference_inputs(*model, reference(name).at("states").at(0).at("inputs")).state) {}

  std::shared_ptr<const Model> model;
  State state;
};

/// Base twist that gives the state a momentum [P; L] about the inertial origin.
void give_momentum(const Model& model, const Vector6& momentum, State& state) {
  LinkFrames frames(model);
  InertiaBlocks blocks(model);
  JacobianWorkspace workspace(model);
  compute_link_frames(model, state, frames);
  compute_inertia_blocks(model, frames, workspace, blocks);
  const Vector6 twist =
      base_twist(base_response(model, state), state.qd,
                 momentum_about_base(momentum, MomentumPoint::inertial_origin, state.r_0, blocks));
  state.v_0 = twist.head<3>();
  state.omega_0 = twist.tail<3>();
}

/// Torques that wave the arms about, internal ones only.
std::shared_ptr<const Controller> waving(const Model& model) {
  return std::make_shared<FunctionController>(
      "waving", model.joint_count(), [](const EvaluationContext& now, VectorRef tau) {
        for (Eigen::Index i = 0; i < tau.size(); ++i) {
          tau(i) = 0.5 * std::sin(now.time + static_cast<double>(i)) - 0.8 * now.state.qd(i);
        }
      });
}

class FlownEndpoints : public ::testing::TestWithParam<std::string> {};

TEST_P(FlownEndpoints, MoveByTheJacobian) {
  Robot robot(GetParam());
  Vector6 kick;
  kick << 3.0, -2.0, 1.0, 0.4, 0.5, -0.3;
  for (const Vector6& momentum : {Vector6(Vector6::Zero()), kick}) {
    give_momentum(*robot.model, momentum, robot.state);
    SimulationSetup setup;
    setup.model = robot.model;
    setup.controllers.push_back(waving(*robot.model));
    setup.integrator = dopri5(1e-12);
    Trajectory flight;
    Simulator(setup).run(robot.state, 5.0, 0.25, flight);

    double moved_joints = 0.0;
    for (const TrajectoryPoint& sample : flight.points) {
      LinkFrames frames(*robot.model);
      LinkVelocities velocities(*robot.model);
      compute_link_frames(*robot.model, sample.state, frames);
      compute_link_velocities(*robot.model, sample.state, frames, velocities);
      for (const Frame& frame : robot.model->frames()) {
        const Vector6 predicted =
            generalized_jacobian(*robot.model, sample.state, frame) * sample.state.qd +
            twist_offset(*robot.model, sample.state, frame, momentum,
                         MomentumPoint::inertial_origin);
        // momentum drifts within the tolerance of the integrator only
        EXPECT_LE(relative_difference(predicted, frame_velocity(frames, velocities, frame)), 1e-10)
            << frame.name << " at " << sample.time << " s";
      }
      moved_joints = std::max(moved_joints, (sample.state.q - robot.state.q).norm());
    }
    EXPECT_GT(moved_joints, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(Arms, FlownEndpoints,
                         ::testing::Values("planar_2r", "ets7_like", "dual_arm", "prismatic_mix"),
                         [](const auto& instance) { return instance.param; });

class FlownNullSpace : public ::testing::TestWithParam<std::string> {
 protected:
  FlownNullSpace() : robot_(GetParam()) {
    State& state = robot_.state;
    state.v_0.setZero();
    state.omega_0.setZero();
    state.qd.setZero();
    const VectorX zeta = VectorX::LinSpaced(state.q.size(), 0.5, -0.35);
    path_ = std::make_shared<NullSpacePath>(*robot_.model, state, zeta, kDuration);
    setup_.model = robot_.model;
  }

  /// Largest |ω_0|, having checked that the joints move.
  double worst_rate() {
    Trajectory flight;
    Simulator(setup_).run(robot_.state, kDuration, 0.1, flight);
    double worst = 0.0, moved_joints = 0.0;
    for (const TrajectoryPoint& sample : flight.points) {
      worst = std::max(worst, sample.state.omega_0.norm());
      moved_joints = std::max(moved_joints, (sample.state.q - robot_.state.q).norm());
    }
    EXPECT_GT(moved_joints, 0.3);
    return worst;
  }

  static constexpr double kDuration = 4.0;
  Robot robot_;
  std::shared_ptr<const NullSpacePath> path_;
  SimulationSetup setup_;
};

TEST_P(FlownNullSpace, DoesNotTurnTheBase) {
  for (int joint = 1; joint <= robot_.model->joint_count(); ++joint) {
    setup_.prescribed_joints.push_back(
        {joint, std::make_shared<NullSpaceReference>(path_, robot_.state, joint)});
  }
  setup_.integrator = rk4(0.02);
  EXPECT_LT(worst_rate(), 1e-12);
}

TEST_P(FlownNullSpace, TorquesKeepTheTolerance) {
  const auto path = path_;
  setup_.controllers.push_back(std::make_shared<FunctionController>(
      "null_space", robot_.model->joint_count(),
      [path](const EvaluationContext& now, VectorRef tau) {
        // computed torque on the floating base, with a pull towards the rates of the path
        State wanted = now.state;
        VectorX acceleration = VectorX::Zero(now.model.velocity_size());
        VectorX qdd;
        path->evaluate_at(now.time, wanted, qdd);
        joint_part(acceleration) = qdd + 4.0 * (wanted.qd - now.state.qd);
        const VectorX bias = bias_forces(now.model, now.state, Vector3::Zero());
        const MatrixX H = inertia_matrix(now.model, now.state);
        const VectorX base_forces = H.topRows<6>() * acceleration + bias.head<6>();
        acceleration.head<6>() = -H.topLeftCorner<6, 6>().llt().solve(base_forces);
        tau = (H * acceleration + bias).tail(tau.size());
      }));
  const double tolerance = 1e-9;
  setup_.integrator = dopri5(tolerance);
  EXPECT_LT(worst_rate(), 10.0 * tolerance);
}

TEST_P(FlownNullSpace, OtherSpeedsTurnTheBase) {
  // what the two tests above would be worth if nothing turned the base
  const VectorX zeta = VectorX::LinSpaced(robot_.state.q.size(), 0.5, -0.35);
  for (int joint = 1; joint <= robot_.model->joint_count(); ++joint) {
    const VectorX from = robot_.state.q.segment(joint - 1, 1);
    const VectorX to = from + 2.0 * zeta.segment(joint - 1, 1);
    setup_.prescribed_joints.push_back(
        {joint, std::make_shared<QuinticReference>(from, to, 0.0, kDuration)});
  }
  setup_.integrator = rk4(0.02);
  EXPECT_GT(worst_rate(), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Arms, FlownNullSpace,
                         ::testing::Values("planar_2r", "ets7_like", "dual_arm"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace spacedyn::testing::free_floating_motion_test
