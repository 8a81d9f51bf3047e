#include "spacedyn/forces/passive_joints.hpp"

#include "support/contexts.hpp"
#include "support/small_models.hpp"

namespace spacedyn::passive_joints_test {
namespace {

using testing::Snapshot;

Model springy() {
  ModelDescription description = testing::one_link_description();
  JointDescription& joint = description.links[0].joint;
  joint.stiffness = 50.0;
  joint.damping = 4.0;
  joint.rest_position = 0.1;
  return ModelBuilder(description).build();
}

TEST(PassiveJoints, PullBackToRestAndAgainstMotion) {
  const Model model = springy();
  State state(model);
  state.q(0) = 0.3;
  state.qd(0) = -0.5;
  Loads loads(model);
  PassiveJoints().apply(Snapshot(model, state).at(0.0), loads);
  EXPECT_NEAR(loads.tau(0), -50.0 * 0.2 + 4.0 * 0.5, 1e-14);
  EXPECT_EQ(passive_torque(model, state)(0), loads.tau(0));
}

TEST(PassiveJoints, PowerIsWhatIsStoredAndDissipated) {
  const Model model = springy();
  State state(model);
  state.q(0) = 0.3;
  state.qd(0) = -0.5;
  const PassiveJoints springs;
  Loads loads(model);
  const Snapshot snapshot(model, state);
  springs.apply(snapshot.at(0.0), loads);
  EXPECT_NEAR(springs.stored_energy(snapshot.at(0.0)), 0.5 * 50.0 * 0.04, 1e-14);
  EXPECT_NEAR(springs.energy_rates(snapshot.at(0.0)).dissipated, 4.0 * 0.25, 1e-14);
  EXPECT_NEAR(loads.tau(0) * state.qd(0),
              -springs.energy_rates(snapshot.at(0.0)).stored -
                  springs.energy_rates(snapshot.at(0.0)).dissipated,
              1e-14);
}

}  // namespace
}  // namespace spacedyn::passive_joints_test
