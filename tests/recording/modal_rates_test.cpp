// Warnings about modal appendages that turn too fast for linear modes.
#include "spacedyn/recording/modal_rates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recording/example_point.hpp"
#include "spacedyn/error.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::modal_rates_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void show(ModalRateWatch& watch, double time, const Model& model, double base, double joint) {
  State state(model);
  state.omega_0.z() = base;
  state.qd(0) = joint;
  watch.see(testing::ExamplePoint(model, state).at(time));
}

TEST(ModalRates, AreFineUpToAFifthOfTheFirstFrequency) {
  const Model model = testing::one_link();
  ModalRateWatch watch({{"panel", 0, 2.0}, {"antenna", 1, 2.0}});
  show(watch, 0.0, model, 0.4, 0.0);
  EXPECT_THAT(watch.warnings(), IsEmpty());
}

TEST(ModalRates, AreThoseOfTheCarryingBody) {
  const Model model = testing::one_link();
  ModalRateWatch watch({{"panel", 0, 2.0}, {"antenna", 1, 2.0}});
  show(watch, 0.0, model, 0.1, 0.2);
  show(watch, 1.5, model, -0.3, -0.3);
  show(watch, 3.0, model, 0.0, 0.1);
  EXPECT_THAT(watch.warnings(),
              ElementsAre("modal appendage 'antenna' turns at 0.6 rad/s at t = 1.5 s, 30 % of its "
                          "first frequency: beyond 20 % linear modes leave out too much of how "
                          "rotation stiffens it"));
}

TEST(ModalRates, GoOnFromAnEarlierPartOfARun) {
  const Model model = testing::one_link();
  ModalRateWatch watch({{"panel", 0, 2.0}}), later({{"panel", 0, 2.0}});
  show(watch, 1.5, model, -0.6, 0.0);
  later.go_on_from(watch.peaks());
  show(later, 3.0, model, 0.5, 0.0);
  EXPECT_EQ(watch.warnings().size(), 1U);
  EXPECT_EQ(later.warnings(), watch.warnings());
  EXPECT_EQ(testing::message_of<DimensionError>([&] { later.go_on_from({}); }),
            "0 greatest values are given for 1 quantities of a run");
}

}  // namespace
}  // namespace spacedyn::modal_rates_test
