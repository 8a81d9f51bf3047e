// Warnings about joints that move faster than they may.
#include "spacedyn/recording/joint_rates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::joint_rates_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::shared_ptr<const Model> limited() {
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.velocity_limit = 0.5;
  return std::make_shared<const Model>(ModelBuilder(description).build());
}

State moving(const Model& model, double rate) {
  State state(model);
  state.qd(0) = rate;
  return state;
}

const VectorX kAtRest = VectorX::Zero(7);

TEST(JointRates, AreFineUpToTheLimit) {
  const auto model = limited();
  JointRateWatch watch(model);
  watch.see(0.0, moving(*model, 0.5), kAtRest);
  watch.see(1.0, moving(*model, -0.5 * (1.0 + 1e-9)), kAtRest);
  EXPECT_THAT(watch.warnings(), IsEmpty());
  JointRateWatch unlimited(std::make_shared<const Model>(testing::one_link()));
  unlimited.see(0.0, moving(*model, 1e9), kAtRest);
  EXPECT_THAT(unlimited.warnings(), IsEmpty());
}

TEST(JointRates, AreToldOnceForEachJointWhereTheyAreGreatest) {
  const auto model = limited();
  JointRateWatch watch(model);
  watch.see(1.0, moving(*model, 0.6), kAtRest);
  watch.see(2.5, moving(*model, -0.75), kAtRest);
  watch.see(3.0, moving(*model, 0.7), kAtRest);
  EXPECT_THAT(watch.warnings(), ElementsAre("joint 'arm' moves at 0.75 rad/s at t = 2.5 s, beyond "
                                            "its velocity_limit of 0.5 rad/s"));
  JointRateWatch later(model);
  later.go_on_from(watch.greatest());
  later.see(4.0, moving(*model, 0.6), kAtRest);
  EXPECT_EQ(later.warnings(), watch.warnings());
  EXPECT_EQ(testing::message_of<DimensionError>([&] { later.go_on_from({}); }),
            "0 greatest rates and efforts are given for 1 joints");
}

TEST(JointEfforts, AreToldWhereALimitIsReached) {
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.effort_limit = 5.0;
  const auto model = std::make_shared<const Model>(ModelBuilder(description).build());
  JointRateWatch watch(model);
  VectorX forces = VectorX::Zero(7);
  forces(6) = -4.99;
  watch.see(0.5, moving(*model, 0.0), forces);
  EXPECT_THAT(watch.warnings(), IsEmpty());
  forces(6) = -5.0;
  watch.see(1.5, moving(*model, 0.0), forces);
  EXPECT_THAT(watch.warnings(),
              ElementsAre("the drive of joint 'arm' is saturated: it gives 5 N m at t = 1.5 s, its "
                          "effort_limit is 5 N m"));
  // what a damper of the joint takes is not its drive's
  description.links[0].joint.damping = 1.0;
  const auto damped = std::make_shared<const Model>(ModelBuilder(description).build());
  JointRateWatch other(damped);
  other.see(1.5, moving(*damped, 0.0), forces);
  EXPECT_THAT(other.warnings(), IsEmpty());
}

}  // namespace
}  // namespace spacedyn::joint_rates_test
