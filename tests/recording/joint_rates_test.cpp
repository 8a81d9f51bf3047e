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

TEST(JointRates, AreFineUpToTheLimit) {
  const auto model = limited();
  JointRateWatch watch(model);
  watch.see(0.0, moving(*model, 0.5));
  watch.see(1.0, moving(*model, -0.5 * (1.0 + 1e-9)));
  EXPECT_THAT(watch.warnings(), IsEmpty());
  JointRateWatch unlimited(std::make_shared<const Model>(testing::one_link()));
  unlimited.see(0.0, moving(*model, 1e9));
  EXPECT_THAT(unlimited.warnings(), IsEmpty());
}

TEST(JointRates, AreToldOnceForEachJointWhereTheyAreGreatest) {
  const auto model = limited();
  JointRateWatch watch(model);
  watch.see(1.0, moving(*model, 0.6));
  watch.see(2.5, moving(*model, -0.75));
  watch.see(3.0, moving(*model, 0.7));
  EXPECT_THAT(watch.warnings(), ElementsAre("joint 'arm' moves at 0.75 rad/s at t = 2.5 s, beyond "
                                            "its velocity_limit of 0.5 rad/s"));
  JointRateWatch later(model);
  later.go_on_from(watch.greatest());
  later.see(4.0, moving(*model, 0.6));
  EXPECT_EQ(later.warnings(), watch.warnings());
  EXPECT_EQ(testing::message_of<DimensionError>([&] { later.go_on_from({}); }),
            "0 greatest rates are given for 1 joints");
}

}  // namespace
}  // namespace spacedyn::joint_rates_test
