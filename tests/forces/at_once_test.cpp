// act() does what apply(), auxiliary_rate() and energy_rates() do one by one.
#include <gtest/gtest.h>

#include "support/allocation_guard.hpp"
#include "support/contexts.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::at_once_test {
namespace {

/// A scenario at an instant at which its elements touch.
struct Instant {
  const char* scenario;
  double time;
};

class AtOnce : public ::testing::TestWithParam<Instant> {};

TEST_P(AtOnce, IsAllOneByOne) {
  const Scenario scenario = shipped_scenario(GetParam().scenario);
  const Model& model = *scenario.setup.model;
  const State state = fly(scenario.setup, scenario.initial, GetParam().time).state;
  const Snapshot now(model, state);
  Eigen::Index first = 0;
  int pressed = 0;
  for (const auto& force : scenario.setup.forces) {
    const int size = force->auxiliary_size();
    const VectorX own = state.z.segment(first, size);
    first += size;
    const EvaluationContext whole = now.at(GetParam().time);
    const EvaluationContext context{whole.time,       model, whole.state, whole.frames,
                                    whole.velocities, own};
    Loads together(model), apart(model);
    VectorX rate(size), rate_apart(size);
    rate.setConstant(7.0);
    const long before = allocation_count();
    const EnergyRates energy = force->act(context, together, rate);
    EXPECT_EQ(allocation_count(), before);
    force->apply(context, apart);
    if (size > 0) force->auxiliary_rate(context, rate_apart);
    const EnergyRates energy_apart = force->energy_rates(context);
    // depths of ruts are found with and without derivatives, by quotients that round differently
    const double scale = apart.force.norm() + apart.moment.norm();
    EXPECT_LE((together.force - apart.force).norm(), 1e-12 * scale) << force->name();
    EXPECT_LE((together.moment - apart.moment).norm(), 1e-12 * scale) << force->name();
    EXPECT_EQ(rate, rate_apart) << force->name();
    EXPECT_NEAR(energy.stored, energy_apart.stored, 1e-12 * scale) << force->name();
    EXPECT_NEAR(energy.dissipated, energy_apart.dissipated, 1e-12 * scale) << force->name();
    pressed += scale > 0.0 ? 1 : 0;
  }
  EXPECT_GT(pressed, 0) << "nothing touches";
}

INSTANTIATE_TEST_SUITE_P(Scenarios, AtOnce,
                         ::testing::Values(Instant{"rover_ruts", 9.0}, Instant{"rover_stall", 1.0},
                                           Instant{"rover_path", 1.5},
                                           Instant{"rocker_bogie_step", 1.0},
                                           Instant{"lander", 19.0}, Instant{"block_on_slope", 0.5}),
                         [](const auto& of) { return std::string(of.param.scenario); });

}  // namespace
}  // namespace spacedyn::testing::at_once_test
