// Laws that hold for every robot, checked on each file of models/robots: a file added is a test
// added.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::shipped_robots_test {
namespace {

constexpr unsigned kSeed = 20261;
constexpr int kStates = 5;

/// Torques that swing each joint at its own pace, sized to its inertia: about ±0.3 rad/s².
class Excitation final : public ForceElement {
 public:
  explicit Excitation(const Model& model)
      : ForceElement("excitation"),
        amplitude_(0.3 * inertia_matrix(model, State(model)).diagonal().tail(model.joint_count())) {
  }

  void apply(const EvaluationContext& context, Loads& loads) const override {
    for (Eigen::Index j = 0; j < amplitude_.size(); ++j) {
      const double pace = 1.0 + 0.37 * static_cast<double>(j);
      loads.tau(j) += amplitude_(j) * std::sin(pace * context.time + 0.5);
    }
  }

 private:
  VectorX amplitude_;
};

class ShippedRobot : public ::testing::TestWithParam<std::string> {
 protected:
  /// Spinning a little, joints at rest, everything about to be excited.
  State start() const {
    State state(*robot);
    if (!robot->has_fixed_base()) state.omega_0 = Vector3(0.05, -0.1, 0.08);
    return state;
  }

  /// A flight at tight tolerances whose joints, if any, are driven by torques from inside.
  SimulationSetup excited() const {
    SimulationSetup setup = tight_setup(robot);
    if (robot->joint_count() > 0) setup.forces.push_back(std::make_shared<Excitation>(*robot));
    return setup;
  }

  const std::shared_ptr<const Model> robot = shipped_robot(GetParam());
  RandomModels random{kSeed};  // the same states in every run
};

TEST_P(ShippedRobot, StatesItsProvenance) {
  const std::string file = GetParam().substr(GetParam().rfind('/') + 1);
  EXPECT_EQ(robot->name(), file);
  EXPECT_FALSE(robot->description().notes.description.empty());
  EXPECT_THAT(robot->description().notes.source,
              ::testing::ContainsRegex("[Pp]ublished|[Dd]erived|[Aa]ssumed"))
      << "source: should give the provenance of the numbers";
}

TEST_P(ShippedRobot, ReadsBackEqual) {
  const auto copy = parse_model(write_model(*robot), "copy.yaml").model;
  const Vector3 gravity(0.1, -0.2, -9.8);
  for (int i = 0; i < kStates; ++i) {
    const State state = random.state(*robot);
    EXPECT_EQ(inertia_matrix(*copy, state), inertia_matrix(*robot, state));
    EXPECT_EQ(bias_forces(*copy, state, gravity), bias_forces(*robot, state, gravity));
  }
}

TEST_P(ShippedRobot, InertiaIsDefinite) {
  for (int i = 0; i < kStates; ++i) {
    MatrixX H = inertia_matrix(*robot, random.state(*robot));
    // rotated tensors are symmetric to rounding only
    EXPECT_LT(relative_difference(H, H.transpose()), 1e-15);
    // a fixed base may be massless: only the joints' block counts then
    if (robot->has_fixed_base()) H = MatrixX(H.bottomRightCorner(H.rows() - 6, H.cols() - 6));
    EXPECT_EQ(H.llt().info(), Eigen::Success) << "seed " << kSeed << ", state " << i;
  }
}

TEST_P(ShippedRobot, InverseDynamicsAgrees) {
  for (int i = 0; i < kStates; ++i) {
    const State state = random.state(*robot);
    Loads loads(*robot);
    loads.gravity = Vector3(1.0, -2.0, -9.8);
    const VectorX acceleration = random.vector(robot->velocity_size());
    const VectorX expected =
        inertia_matrix(*robot, state) * acceleration + bias_forces(*robot, state, loads.gravity);
    // both sum at most 6 + n terms of the size of the largest
    EXPECT_LT(relative_difference(inverse_dynamics(*robot, state, acceleration, loads), expected),
              1e-12);
  }
}

TEST_P(ShippedRobot, ForwardUndoesInverse) {
  for (int i = 0; i < kStates; ++i) {
    const State state = random.state(*robot);
    const Loads loads = random.loads(*robot);
    const VectorX acceleration = forward_dynamics(*robot, state, loads);
    const VectorX forces = inverse_dynamics(*robot, state, acceleration, loads);
    // a long arm of small segments adds terms of H a far larger than what they leave
    const VectorX terms = inertia_matrix(*robot, state).cwiseAbs() * acceleration.cwiseAbs();
    const auto largest = [](const VectorX& x) {
      return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
    };
    // a fixed base takes its support force from the ground, whatever F_b is
    if (!robot->has_fixed_base()) {
      EXPECT_LE(largest(forces.head(6) - loads.F_b), 1e-12 * largest(terms.head(6)));
    }
    const int n = robot->joint_count();
    EXPECT_LE(largest(forces.tail(n) - loads.tau), 1e-12 * largest(terms.tail(n)));
  }
}

TEST_P(ShippedRobot, MomentumAgrees) {
  for (int i = 0; i < kStates; ++i) {
    const State state = random.state(*robot);
    LinkFrames frames(*robot);
    LinkVelocities velocities(*robot);
    compute_link_frames(*robot, state, frames);
    compute_link_velocities(*robot, state, frames, velocities);
    const MatrixX H = inertia_matrix(*robot, state);
    const VectorX u = state.velocity();
    const Momentum sum = momentum(*robot, frames, velocities);
    Vector6 stacked;
    stacked << sum.linear, sum.angular_base;
    EXPECT_LT(relative_difference(stacked, H.topRows(6) * u), 1e-12);
    const double energy = kinetic_energy(*robot, frames, velocities);
    EXPECT_NEAR(energy, 0.5 * u.dot(H * u), 1e-12 * energy);
  }
}

TEST_P(ShippedRobot, TorquesKeepMomentum) {
  const SimulationResult result = fly(excited(), start(), 3.0);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
  // the motion is not trivial: a stiff beam bends by a thousand times the resolution of the audit
  if (robot->joint_count() > 0) {
    EXPECT_GT(result.state.q.cwiseAbs().maxCoeff(), 1e-4);
  }
  // the ground of a fixed base takes momentum
  if (!robot->has_fixed_base()) {
    EXPECT_LT(result.audit.momentum_drift(), 1e-11);
    EXPECT_GT((result.state.A_0 - Matrix3::Identity()).norm(), 0.1);
  }
}

TEST_P(ShippedRobot, BalancesWork) {
  SimulationSetup setup = excited();
  setup.gravity = Vector3(0.2, -0.1, -0.3);
  // of the size of the robot: what spins a satellite would tear small things to pieces
  const MatrixX H = inertia_matrix(*robot, start());
  const double light = std::min(1.0, H(0, 0)),
               slight = std::min(1.0, 10.0 * H.diagonal().segment<3>(3).minCoeff());
  VectorX wrench(6);
  wrench << light * Vector3(0.5, -1.0, 0.7), slight * Vector3(0.1, 0.2, -0.3);
  setup.forces.push_back(
      std::make_shared<AppliedWrench>("push", robot->frame(robot->body(robot->joint_count()).name),
                                      WrenchAxes::body, TimeTable::constant(wrench, 0.3, 1.4)));
  const SimulationResult result = fly(setup, start(), 3.0);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
  if (!robot->has_fixed_base()) {
    // each step may add its tolerance of 1e-12, and the impulse is not under error control
    EXPECT_LT(result.audit.momentum_drift(), 3e-11);
  }
  EXPECT_GT(result.integrals.throughput, 0.01 * light);
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedRobot, ::testing::ValuesIn(shipped_names("robots")),
                         [](const auto& robot) {
                           std::string name = robot.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

}  // namespace
}  // namespace spacedyn::testing::shipped_robots_test
