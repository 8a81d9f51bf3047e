// Warnings about joints that move faster than they may.
#include "spacedyn/recording/run_watches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recording/example_point.hpp"
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

/// Shows the joint at a rate, driven by a torque.
void show(JointRateWatch& watch, double time, const Model& model, double rate,
          double torque = 0.0) {
  testing::ExamplePoint point(model, State(model));
  point.state.qd(0) = rate;
  point.forces(6) = torque;
  watch.see(point.at(time));
}

TEST(JointRates, AreFineUpToTheLimit) {
  const auto model = limited();
  JointRateWatch watch(model);
  show(watch, 0.0, *model, 0.5);
  show(watch, 1.0, *model, -0.5 * (1.0 + 1e-9));
  EXPECT_THAT(watch.warnings(), IsEmpty());
  JointRateWatch unlimited(std::make_shared<const Model>(testing::one_link()));
  show(unlimited, 0.0, *model, 1e9);
  EXPECT_THAT(unlimited.warnings(), IsEmpty());
}

TEST(JointRates, AreToldOnceForEachJointWhereTheyAreGreatest) {
  const auto model = limited();
  JointRateWatch watch(model);
  show(watch, 1.0, *model, 0.6);
  show(watch, 2.5, *model, -0.75);
  show(watch, 3.0, *model, 0.7);
  EXPECT_THAT(watch.warnings(), ElementsAre("joint 'arm' moves at 0.75 rad/s at t = 2.5 s, beyond "
                                            "its velocity_limit of 0.5 rad/s"));
  JointRateWatch later(model);
  later.go_on_from(watch.peaks());
  show(later, 4.0, *model, 0.6);
  EXPECT_EQ(later.warnings(), watch.warnings());
  EXPECT_EQ(testing::message_of<DimensionError>([&] { later.go_on_from({}); }),
            "0 greatest values are given for 2 quantities of a run");
}

TEST(JointEfforts, AreToldWhereALimitIsReached) {
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.effort_limit = 5.0;
  const auto model = std::make_shared<const Model>(ModelBuilder(description).build());
  JointRateWatch watch(model);
  show(watch, 0.5, *model, 0.0, -4.99);
  EXPECT_THAT(watch.warnings(), IsEmpty());
  show(watch, 1.5, *model, 0.0, -5.0);
  EXPECT_THAT(watch.warnings(),
              ElementsAre("the drive of joint 'arm' is saturated: it gives 5 N m at t = 1.5 s, its "
                          "effort_limit is 5 N m"));
  // what a damper of the joint takes is not its drive's
  description.links[0].joint.damping = 1.0;
  const auto damped = std::make_shared<const Model>(ModelBuilder(description).build());
  JointRateWatch other(damped);
  show(other, 1.5, *damped, 0.0, -5.0);
  EXPECT_THAT(other.warnings(), IsEmpty());
}

}  // namespace
}  // namespace spacedyn::joint_rates_test
