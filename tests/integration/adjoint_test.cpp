// Gradients of flights that are computed backwards.
#include "spacedyn/integration/adjoint.hpp"
#include "integration/numbered_robot.hpp"
#include "spacedyn/control/prescribed_motion.hpp"
#include "support/message_of.hpp"

namespace spacedyn::adjoint_test {
namespace {

using testing::Flight;
using testing::Kept;
using testing::Number;
using testing::NumberedRobot;

/// Loads are linear in all numbers here, so that steps may be long, which leaves less rounding.
constexpr double kStep = 1e-3;

/// Two sums over all outputs of quadratic functions of the velocities and of positions.
struct Sums final : FlightObjectives {
  int count() const override { return 2; }
  static double weight(int row, int objective) { return std::sin(1.0 + row + 7.0 * objective); }
  void differentiate(double time, const State& state, MatrixX& by) override {
    for (Eigen::Index row = 0; row < by.rows(); ++row) {
      by(row, 0) = weight(static_cast<int>(row), 0) * (1.0 + time);
      by(row, 1) = weight(static_cast<int>(row), 1);
    }
    const Eigen::Index joints = state.qd.size();
    by.col(1).segment(12 + joints, joints) += state.qd;
  }
};

/// The same sums forwards.
MatrixX forwards(const Flight& flight, const std::vector<double>& times,
                 const std::vector<FlightVariation>& variations) {
  Kept kept;
  SimulationObserver silent;
  fly_with_sensitivities(flight.setup, flight.initial, {0.0, 0.0, times}, variations, silent,
                         &kept);
  Sums sums;
  MatrixX total = MatrixX::Zero(2, static_cast<Eigen::Index>(variations.size()));
  for (std::size_t k = 0; k < kept.all.size(); ++k) {
    MatrixX by = MatrixX::Zero(kept.all[k].rows(), 2);
    sums.differentiate(kept.times[k], kept.states[k], by);
    total += by.transpose() * kept.all[k];
  }
  return total;
}

void expect_equal(const Flight& flight, const std::vector<double>& times,
                  const std::vector<FlightVariation>& variations, double tolerance) {
  Sums sums;
  const MatrixX found = fly_with_adjoint(flight.setup, flight.initial, times,
                                         {variations.begin(), variations.end()}, sums)
                            .by;
  const MatrixX expected = forwards(flight, times, variations);
  for (Eigen::Index j = 0; j < expected.cols(); ++j) {
    EXPECT_LE((found.col(j) - expected.col(j)).norm(), tolerance * (1.0 + expected.col(j).norm()))
        << variations[static_cast<std::size_t>(j)].name << ": " << found.col(j).transpose()
        << " != " << expected.col(j).transpose();
  }
}

std::vector<FlightVariation> all_variations(const NumberedRobot& robot) {
  const Flight flight = robot.usual();
  std::vector<FlightVariation> all = initial_variations(*flight.setup.model, flight.initial);
  for (const Number number : testing::kNumbersOfLoads) {
    const auto family = [&](double p) { return robot.with(number, p); };
    all.push_back(testing::variation_of(family, robot.value(number), kStep));
    all.back().name = "number " + std::to_string(static_cast<int>(number));
  }
  return all;
}

// Rounding of some hundred stages: as long as attitudes are in their first chart both are sums of
// the same products.
TEST(Adjoint, OfARobotIsForwardForEveryMethod) {
  NumberedRobot robot;
  robot.spin = 0.1;
  for (const IntegrationMethod method :
       {IntegrationMethod::euler, IntegrationMethod::midpoint, IntegrationMethod::simpson,
        IntegrationMethod::rk4, IntegrationMethod::dopri5, IntegrationMethod::cash_karp54,
        IntegrationMethod::fehlberg78, IntegrationMethod::dop853}) {
    SCOPED_TRACE(std::string(to_string(method)));
    robot.integrator = testing::fixed_step(method, 0.02);
    expect_equal(robot.usual(), {0.25, 0.37, 0.6}, all_variations(robot), 1e-12);
  }
}

// Where charts move, forward derivatives are differences, good to eleven digits.
TEST(Adjoint, OfARobotThatTurnsFarIsForward) {
  const NumberedRobot robot;
  expect_equal(robot.usual(), {0.5, 2.0}, all_variations(robot), 1e-9);
}

// A table of a hundred torques, each of which acts in two intervals.
TEST(Adjoint, OfATableOfTorquesIsForward) {
  const NumberedRobot robot;
  Flight flight = robot.usual();
  const int rows = 100;
  std::vector<double> times;
  MatrixX values(1, rows);
  for (int i = 0; i < rows; ++i) {
    times.push_back(0.01 * i);
    values(0, i) = std::cos(0.3 * i);
  }
  const auto table = [&](int changed, double change) {
    MatrixX own = values;
    if (changed >= 0) own(0, changed) += change;
    Flight with = flight;
    with.setup.forces[2] = std::make_shared<AppliedJointTorque>("torque", 2, TimeTable(times, own));
    return with;
  };
  std::vector<FlightVariation> all;
  std::vector<BoundedVariation> bounded;
  for (const int row : {0, 1, 50, 98, 99}) {
    all.push_back(testing::variation_of([&](double p) { return table(row, p); }, 0.0, kStep));
    bounded.emplace_back(all.back(), 0.01 * (row - 1), 0.01 * (row + 1));
  }
  flight = table(-1, 0.0);
  expect_equal(flight, {1.2}, all, 1e-12);
  Sums one, other;
  const auto derive = [&](const std::vector<BoundedVariation>& own, Sums& sums) -> MatrixX {
    return fly_with_adjoint(flight.setup, flight.initial, {1.2}, own, sums).by;
  };
  EXPECT_EQ(derive(bounded, one), derive({all.begin(), all.end()}, other));
  bounded[2].until = 0.49;
  EXPECT_NE(testing::message_of<DomainError>([&] { derive(bounded, one); }).find("acts at t = "),
            std::string::npos);
}

struct Wrong final : FlightObjectives {
  int count() const override { return number; }
  void differentiate(double, const State&, MatrixX& by) override {
    if (is_short) by.resize(3, 1);
  }
  int number = 1;
  bool is_short = false;
};

std::string refusal(const Flight& flight, const std::vector<BoundedVariation>& variations = {},
                    std::vector<double> times = {0.5}, Wrong objectives = {}) {
  return testing::message_of<Error>(
      [&] { fly_with_adjoint(flight.setup, flight.initial, times, variations, objectives); });
}

TEST(Adjoint, NamesWhatItDoesNotGoBackThrough) {
  const NumberedRobot robot;
  const Flight flight = robot.usual();
  EXPECT_NE(refusal(testing::sampled(4.0, 0.0)).find("samples of controller 'hold'"),
            std::string::npos);
  Flight event = flight;
  Event crossing;
  crossing.name = "half way";
  crossing.value = [](const EvaluationContext& now) { return now.time - 0.2; };
  event.setup.events = {crossing};
  EXPECT_NE(refusal(event).find("'half way' happens at t = 0.2 s"), std::string::npos);
  const auto start = [&](double p) { return robot.with(Number::start_of_torque, p); };
  EXPECT_NE(refusal(flight, {testing::variation_of(start, 0.31, 1e-5)})
                .find("'number' moves instants at which loads begin or end"),
            std::string::npos);
  const auto gravity = [&](double p) {
    Flight moved = flight;
    moved.setup.gravity.x() += p;
    return moved;
  };
  EXPECT_NE(refusal(flight, {testing::variation_of(gravity, 0.0, 1e-5)})
                .find("'number' changes more than loads"),
            std::string::npos);
  Flight implicit = flight;
  implicit.setup.integrator.method = IntegrationMethod::rodas;
  EXPECT_NE(refusal(implicit).find("method rodas"), std::string::npos);
  EXPECT_NE(refusal(flight, {}, {0.5, 0.5}).find("ascending"), std::string::npos);
  Wrong none;
  none.number = 0;
  EXPECT_NE(refusal(flight, {}, {0.5}, none).find("at least one objective"), std::string::npos);
  Wrong small;
  small.is_short = true;
  EXPECT_NE(refusal(flight, {}, {0.5}, small).find("in 22 rows and 1 columns"), std::string::npos);
}

}  // namespace
}  // namespace spacedyn::adjoint_test
