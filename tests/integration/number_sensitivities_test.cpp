// Derivatives of flights by numbers of single elements and bodies, among others that stay.
#include "integration/numbered_robot.hpp"

namespace spacedyn::number_sensitivities_test {
namespace {

using testing::Flight;
using testing::Number;
using testing::NumberedRobot;

// Steps of one size make whole flights smooth functions of numbers.
TEST(NumberSensitivities, OfOneElementOrBodyAreThoseOfFlights) {
  const NumberedRobot robot;
  for (const Number number : testing::kNumbersOfLoads) {
    SCOPED_TRACE(static_cast<int>(number));
    const double value = robot.value(number);
    const auto family = [&](double p) { return robot.with(number, p); };
    testing::expect_differences(family, value, 1.0, 0.02 * value);
  }
}

// Steps that land on an instant are no smooth function of it, those of a fine tolerance nearly are.
TEST(NumberSensitivities, OfTheStartOfALoadAreThoseOfFlights) {
  NumberedRobot robot;
  robot.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-12);
  const auto family = [&](double p) { return robot.with(Number::start_of_torque, p); };
  testing::expect_differences(family, robot.value(Number::start_of_torque), 1.0, 2e-3, 1e-8);
}

SensitivityResult derive(const NumberedRobot& robot, Number number, bool has_setups) {
  const auto family = [&](double p) { return robot.with(number, p); };
  FlightVariation variation = testing::variation_of(family, robot.value(number), 1e-5);
  if (!has_setups) variation.above.setup = variation.below.setup = nullptr;
  const Flight flight = robot.usual();
  SimulationObserver silent;
  return fly_with_sensitivities(flight.setup, flight.initial, {0.2, 0.2}, {variation}, silent);
}

// Neither side's motion is computed: what a number changes is seen at the motion of the flight.
TEST(NumberSensitivities, OfLoadsEvaluateNoEquationsOfSides) {
  const NumberedRobot robot;
  const long least = derive(robot, Number::spring, false).evaluations;
  for (const Number number : testing::kNumbersOfLoads) {
    EXPECT_EQ(derive(robot, number, true).evaluations, least) << static_cast<int>(number);
  }
}

}  // namespace
}  // namespace spacedyn::number_sensitivities_test
