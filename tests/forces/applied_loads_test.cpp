#include "spacedyn/forces/applied_loads.hpp"

#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/contexts.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::applied_loads_test {
namespace {

using testing::reference;
using testing::Snapshot;
using ::testing::ThrowsMessage;

constexpr double kRoundOff = 1e-13;  // relative to forces of order one, arms of a few metres

class AppliedLoads : public ::testing::Test {
 protected:
  Model model = testing::reference_model(reference("tree12").at("model"));
  State state =
      testing::reference_inputs(model, reference("tree12").at("states").at(1).at("inputs")).state;
  Snapshot snapshot{model, state};
  Loads loads{model};
  Vector6 wrench = (Vector6() << 1.0, -2.0, 0.5, 0.3, 0.7, -0.2).finished();
};

/// Generalized force of the wrenches in loads: what inverse dynamics saves at rest.
VectorX generalized_force(const Model& model, State state, const Loads& loads) {
  state.v_0.setZero();
  state.omega_0.setZero();
  state.qd.setZero();
  return -inverse_dynamics(model, state, VectorX::Zero(model.velocity_size()), loads);
}

TEST_F(AppliedLoads, WrenchActsThroughTheTransposedEndpointJacobian) {
  const Frame hand = model.frames().back();
  AppliedWrench(std::string("push"), hand, WrenchAxes::inertial, TimeTable::constant(wrench))
      .apply(snapshot.at(0.5), loads);

  Matrix6X J_m(6, model.joint_count());
  frame_jacobian(model, snapshot.frames(), hand, J_m);
  VectorX expected(model.velocity_size());
  expected << base_jacobian(snapshot.frames(), hand).transpose() * wrench, J_m.transpose() * wrench;
  EXPECT_LT(testing::relative_difference(generalized_force(model, state, loads), expected),
            kRoundOff);
}

TEST_F(AppliedLoads, BodyAxesAreThoseOfTheFrame) {
  Frame hand = model.frames().front();
  hand.rotation = matrix_from_rpy({0.4, -0.3, 1.1});
  AppliedWrench("push", hand, WrenchAxes::body, TimeTable::constant(wrench))
      .apply(snapshot.at(0.0), loads);

  const Matrix3 A = frame_orientation(snapshot.frames(), hand);
  Vector6 turned;
  turned << A * wrench.head<3>(), A * wrench.tail<3>();
  Loads expected(model);
  AppliedWrench("push", hand, WrenchAxes::inertial, TimeTable::constant(turned))
      .apply(snapshot.at(0.0), expected);
  EXPECT_LT((loads.force - expected.force).cwiseAbs().maxCoeff(), kRoundOff);
  EXPECT_LT((loads.moment - expected.moment).cwiseAbs().maxCoeff(), kRoundOff);
}

TEST_F(AppliedLoads, FollowTheirScheduleAndAnnounceItsBreaks) {
  const AppliedJointTorque hum("hum", 3, TimeTable({1.0, 2.0}, (MatrixX(1, 2) << 0, 4).finished()));
  hum.apply(snapshot.at(1.5), loads);
  hum.apply(snapshot.at(2.5), loads);
  VectorX expected = VectorX::Zero(model.joint_count());
  expected(2) = 2.0;
  EXPECT_EQ(loads.tau, expected);

  std::vector<double> times{0.5};
  hum.append_discontinuities(times);
  EXPECT_THAT(times, ::testing::ElementsAre(0.5, 1.0, 2.0));
}

TEST_F(AppliedLoads, FunctionForceAddsWhatItsFunctionAdds) {
  const FunctionForce drag("drag", [](const EvaluationContext& context, Loads& sum) {
    sum.force.col(0) -= 2.0 * context.velocities.v[0];
  });
  drag.apply(snapshot.at(0.0), loads);
  EXPECT_EQ(Vector3(loads.force.col(0)), Vector3(-2.0 * state.v_0));
}

TEST_F(AppliedLoads, RefuseWhatDoesNotFit) {
  EXPECT_THAT([] { AppliedJointTorque("hum", 1, TimeTable::constant(VectorX::Ones(2))); },
              ThrowsMessage<DimensionError>("the schedule of 'hum' has 2 rows, expected 1"));
  EXPECT_THAT(
      [] {
        AppliedWrench("push", Frame{}, WrenchAxes::body, TimeTable::constant(VectorX::Ones(3)));
      },
      ThrowsMessage<DimensionError>("the schedule of 'push' has 3 rows, expected 6"));

  const AppliedJointTorque hum("hum", 13, TimeTable::constant(VectorX::Ones(1)));
  EXPECT_THAT(
      [&] { hum.check(model); },
      ThrowsMessage<DomainError>("'hum' acts on joint 13, but model 'tree12' has joints 1 to 12"));
  Frame nowhere;
  nowhere.body = 13;
  const AppliedWrench push("push", nowhere, WrenchAxes::body, TimeTable::constant(wrench));
  EXPECT_THAT(
      [&] { push.check(model); },
      ThrowsMessage<DomainError>("'push' acts on body 13, but model 'tree12' has bodies 0 to 12"));
}

}  // namespace
}  // namespace spacedyn::applied_loads_test
