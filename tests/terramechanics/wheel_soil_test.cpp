// Forces of a soil on a wheel: published values, limits, symmetry, work, derivatives, the inverse.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "support/allocation_guard.hpp"
#include "support/message_of.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::wheel_soil_test {
namespace {

constexpr double kSlipAngle = 5.0 * kDegree;  // of k_x in the published values

struct Row {
  const char* name;
  double lambda, slip, entry_deg, sinkage_mm, drawbar_pull, torque;
};

void PrintTo(const Row& row, std::ostream* stream) { *stream << row.name; }

class WheelSoilTable : public ::testing::TestWithParam<Row> {};

TEST_P(WheelSoilTable, AgreesAtTheGivenLoad) {
  const Row& row = GetParam();
  const WheelSoilModel model(rover_wheel(), regolith_simulant(row.lambda));
  const double h = model.sinkage(kRoverLoad, row.slip, kSlipAngle);
  const WheelSoilForce force = model.force(h, row.slip, kSlipAngle);
  // the values have six decimals
  EXPECT_NEAR(force.vertical_force, kRoverLoad, 1e-9);
  EXPECT_NEAR(model.angles(h, row.slip).entry / kDegree, row.entry_deg, 1e-6);
  EXPECT_NEAR(h * 1e3, row.sinkage_mm, 1e-6);
  EXPECT_NEAR(force.drawbar_pull, row.drawbar_pull, 1e-6);
  EXPECT_NEAR(force.resistance_torque, row.torque, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Ishigami, WheelSoilTable,
    ::testing::Values(Row{"l09_s00", 0.9, 0.0, 33.635997, 15.068394, -1.262719, 0.369354},
                      Row{"l09_s01", 0.9, 0.1, 33.926708, 15.322302, 4.108693, 0.893652},
                      Row{"l09_s02", 0.9, 0.2, 34.206772, 15.568728, 8.806111, 1.355116},
                      Row{"l09_s05", 0.9, 0.5, 35.020260, 16.294574, 19.515718, 2.425120},
                      Row{"l10_s00", 1.0, 0.0, 33.345617, 14.816701, -0.564171, 0.366196},
                      Row{"l10_s05", 1.0, 0.5, 34.779863, 16.078524, 20.666840, 2.468472},
                      Row{"l00_s05", 0.0, 0.5, 43.134390, 24.322317, -3.495893, 1.839202}),
    [](const auto& test) { return std::string(test.param.name); });

class RandomContacts {
 public:
  explicit RandomContacts(unsigned seed) : engine_(seed) {}
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Soil soil() {
    Soil soil = regolith_simulant(number(0.0, 1.0));
    soil.cohesion = number(0.0, 2000.0);
    soil.friction_angle = number(20.0, 40.0) * kDegree;
    soil.destructive_angle = 0.0;
    soil.exponent = number(0.0, 1.0) < 0.3 ? 1.0 : number(0.6, 1.6);
    return soil;
  }

 private:
  std::mt19937 engine_;
};

TEST(WheelSoil, SinkageIsTheInverseOfTheVerticalForce) {
  RandomContacts random(1);
  for (int i = 0; i < 100; ++i) {
    const WheelSoilModel model({random.number(0.05, 0.5), 0.2, 0.0}, random.soil());
    const double h = model.wheel().radius * random.number(1e-3, 0.8);
    const double slip = random.number(-0.9, 0.9), angle = random.number(-0.8, 0.8);
    const double load = model.force(h, slip, angle).vertical_force;
    if (load <= 0.0) continue;
    // the root that is found may be another one where the force is not monotone
    const double again = model.sinkage(load, slip, angle);
    EXPECT_NEAR(model.force(again, slip, angle).vertical_force, load, 1e-10 * load);
  }
}

TEST(WheelSoil, LimitsHold) {
  const WheelSoilModel model(rover_wheel(), regolith_simulant());
  EXPECT_EQ(model.sinkage(0.0, 0.2, 0.0), 0.0);
  for (const double h : {0.0, -0.01}) {
    const WheelSoilForce none = model.force(h, 0.3, 0.2);
    EXPECT_EQ(none.vertical_force, 0.0);
    EXPECT_EQ(none.drawbar_pull, 0.0);
    EXPECT_EQ(none.side_force, 0.0);
  }
  const SoilWheel blade{0.09, 0.0, 0.0};
  EXPECT_EQ(wheel_soil_force(blade, regolith_simulant(), 0.01, 0.2, 0.1).vertical_force, 0.0);
  // a wheel that spins on the spot shears by r (θ_f − θ) and pushes nothing aside
  const WheelSoilForce spinning = model.force(0.015, 1.0, 0.0);
  EXPECT_GT(spinning.drawbar_pull, model.force(0.015, 0.5, 0.0).drawbar_pull);
  EXPECT_EQ(spinning.side_force, 0.0);
  EXPECT_NEAR(model.stress(0.015, 1.0, 0.0, 0.1).shear_x,
              shear_stress(model.soil(), model.stress(0.015, 1.0, 0.0, 0.1).normal,
                           0.09 * (model.angles(0.015, 1.0).entry - 0.1), 0.036),
              1e-9);
}

TEST(WheelSoil, LeftAndRightAreMirrored) {
  RandomContacts random(2);
  for (int i = 0; i < 100; ++i) {
    const WheelSoilModel model(rover_wheel(), random.soil());
    const double h = random.number(0.001, 0.05), s = random.number(-1.0, 1.0);
    const double angle = random.number(0.0, 1.2);
    const WheelSoilForce left = model.force(h, s, angle), right = model.force(h, s, -angle);
    EXPECT_EQ(left.drawbar_pull, right.drawbar_pull);
    EXPECT_EQ(left.vertical_force, right.vertical_force);
    EXPECT_EQ(left.resistance_torque, right.resistance_torque);
    EXPECT_EQ(left.side_force, -right.side_force);
    EXPECT_EQ(left.overturning_moment, -right.overturning_moment);
    EXPECT_EQ(left.aligning_moment, -right.aligning_moment);
  }
}

TEST(WheelSoil, TakesEnergyInSteadyMotion) {
  // power into the soil per rim speed: T/r − F_x v/(rω) driving, T ω/v − F_x braking, + F_y tan β
  RandomContacts random(3);
  for (int i = 0; i < 10000; ++i) {
    const WheelSoilModel model(rover_wheel(), random.soil());
    const double h = random.number(1e-4, 0.05), s = random.number(-1.0, 1.0);
    const double angle = random.number(-1.0, 1.0);
    const WheelSoilForce force = model.force(h, s, angle);
    const double rim = s >= 0.0 ? 1.0 : 1.0 + s, travel = s >= 0.0 ? 1.0 - s : 1.0;
    const double power = force.resistance_torque / 0.09 * rim - force.drawbar_pull * travel +
                         force.side_force * travel * std::tan(angle);
    ASSERT_GE(power, -1e-12 * force.vertical_force)
        << "h " << h << " s " << s << " angle " << angle << " lambda " << model.soil().lambda;
  }
}

TEST(WheelSoil, DerivativesAreThoseOfTheForce) {
  RandomContacts random(4);
  for (int i = 0; i < 50; ++i) {
    Soil soil = random.soil();
    soil.exponent_slip = i % 2 == 0 ? 0.0 : 0.4;
    const WheelSoilModel model({0.09, 0.11, 0.01}, soil);
    WheelSoilModel::Contact at{random.number(0.005, 0.04), random.number(-0.9, 1.5), 0.0,
                               random.number(-0.5, 0.5), random.number(0.5, 1.5)};
    at.lateral = (1.0 - at.slip) * std::tan(at.slip_angle);
    WheelSoilModel::Slopes slopes;
    const WheelSoilForce force = model.force(at, slopes);
    EXPECT_NEAR(force.drawbar_pull, model.force(at).drawbar_pull, 1e-11 * force.vertical_force);
    double WheelSoilModel::Contact::*const variables[] = {
        &WheelSoilModel::Contact::sinkage, &WheelSoilModel::Contact::slip,
        &WheelSoilModel::Contact::lateral, &WheelSoilModel::Contact::slip_angle,
        &WheelSoilModel::Contact::pressing};
    const WheelSoilForce* const exact[] = {&slopes.by_sinkage, &slopes.by_slip, &slopes.by_lateral,
                                           &slopes.by_slip_angle, &slopes.by_pressing};
    double WheelSoilForce::*const parts[] = {
        &WheelSoilForce::drawbar_pull,       &WheelSoilForce::side_force,
        &WheelSoilForce::vertical_force,     &WheelSoilForce::resistance_torque,
        &WheelSoilForce::overturning_moment, &WheelSoilForce::aligning_moment};
    for (int v = 0; v < 5; ++v) {
      const double step = 1e-6;
      WheelSoilModel::Contact more = at, less = at;
      more.*variables[v] += step;
      less.*variables[v] -= step;
      const WheelSoilForce high = model.force(more), low = model.force(less);
      for (auto part : parts) {
        const double difference = (high.*part - low.*part) / (2.0 * step);
        // quadrature to 1e-9 over a step of 1e-6, and the third derivative by depth
        EXPECT_NEAR(exact[v]->*part, difference,
                    1e-3 * force.vertical_force + 1e-5 * std::abs(difference))
            << "variable " << v;
      }
    }
  }
}

TEST(WheelSoil, IsSmoothThroughZeroSlipAndSlipAngle) {
  const WheelSoilModel model(rover_wheel(), regolith_simulant());
  constexpr double kStep = 1e-6;
  const auto slope = [&](auto function, double from, double to) {
    return (function(to) - function(from)) / (to - from);
  };
  const auto pull = [&](double s) { return model.force(0.015, s, 0.05).drawbar_pull; };
  const auto side = [&](double b) { return model.force(0.015, 0.2, b).side_force; };
  const auto pull_aside = [&](double b) { return model.force(0.015, 0.2, b).drawbar_pull; };
  // slopes on both sides differ by the second derivative times the step
  EXPECT_NEAR(slope(pull, -kStep, 0.0), slope(pull, 0.0, kStep), 1e-2);
  EXPECT_NEAR(slope(side, -kStep, 0.0), slope(side, 0.0, kStep), 1e-2);
  EXPECT_NEAR(slope(pull_aside, -kStep, 0.0), slope(pull_aside, 0.0, kStep), 1e-2);
}

TEST(WheelSoil, HasNoSpikesWhileBraking) {
  // where the rim's slip along the soil turns round is searched for; a search that rounding leads
  // astray, at one slip of ten thousand, would be off by some per cent of the load
  const WheelSoilModel model(rover_wheel(), regolith_simulant());
  constexpr int kSteps = 20000;
  for (const double h : {0.005, 0.010, 0.0150768072}) {
    double last = 0.0, before = 0.0;
    for (int i = 0; i < kSteps; ++i) {
      const double force = model.force(h, -0.3 * (i + 0.5) / kSteps, 0.0).drawbar_pull;
      // its second derivative is some 140 N, the step 1.5e-5
      if (i > 1) {
        ASSERT_LE(std::abs(force - 2.0 * last + before), 1e-7) << h << " " << i;
      }
      before = last;
      last = force;
    }
  }
}

TEST(WheelSoil, CurvesHaveThePublishedShapes) {
  const WheelSoilModel model(rover_wheel(), regolith_simulant());
  double last_pull = -1e9, last_sinkage = 0.0;
  for (double s = 0.0; s <= 0.8; s += 0.1) {
    const double h = model.sinkage(kRoverLoad, s, kSlipAngle);
    const WheelSoilForce force = model.force(h, s, kSlipAngle);
    EXPECT_GT(force.drawbar_pull, last_pull);  // the pull grows with slip
    EXPECT_GT(h, last_sinkage);                // so does the sinkage
    last_pull = force.drawbar_pull;
    last_sinkage = h;
  }
  double last_side = 0.0;
  for (double degrees = 5.0; degrees <= 45.0; degrees += 10.0) {
    const double h = model.sinkage(kRoverLoad, 0.2, degrees * kDegree);
    const double side = model.force(h, 0.2, degrees * kDegree).side_force;
    EXPECT_GT(side, last_side);  // the side force grows with slip angle, less with more slip
    EXPECT_GT(side, model.force(h, 0.6, degrees * kDegree).side_force);
    last_side = side;
  }
}

TEST(WheelSoil, GrousersRaisePullAndTorque) {
  SoilWheel wheel = rover_wheel();
  const WheelSoilForce smooth = wheel_soil_force(wheel, regolith_simulant(), 0.015, 0.3, 0.0);
  wheel.grouser_height = 0.01;
  const WheelSoilForce grousers = wheel_soil_force(wheel, regolith_simulant(), 0.015, 0.3, 0.0);
  EXPECT_GT(grousers.drawbar_pull, smooth.drawbar_pull);
  EXPECT_GT(grousers.resistance_torque, smooth.resistance_torque);
}

TEST(WheelSoil, PressingWorkIsTheIntegralOfTheForce) {
  const WheelSoilModel model(rover_wheel(), regolith_simulant());
  double work = 0.0;
  constexpr int kCells = 2000;
  for (int i = 0; i < kCells; ++i) {
    work += model.force(0.02 * (i + 0.5) / kCells, 0.0, 0.0).vertical_force * 0.02 / kCells;
  }
  // the midpoint rule errs by 1e-7
  EXPECT_NEAR(model.pressing_work(0.02), work, 1e-6 * work);
}

TEST(WheelSoil, EvaluationDoesNotAllocate) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
  const WheelSoilModel model(rover_wheel(), regolith_simulant());
  WheelSoilModel::Slopes slopes;
  const long before = allocation_count();
  double sum = model.force(0.015, 0.2, 0.1).drawbar_pull;
  sum += model.force({0.015, -0.2, 0.1, 0.1, 1.0}, slopes).drawbar_pull;
  sum += model.sinkage(kRoverLoad, 0.1, 0.0);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(WheelSoil, LoadsThatNoSinkageCarriesAreRefused) {
  const WheelSoilModel model(rover_wheel(), regolith_simulant());
  EXPECT_EQ(message_of<DomainError>([&] { model.sinkage(-1.0, 0.0, 0.0); }),
            "the load of a wheel must be finite and not negative");
  EXPECT_THROW(model.sinkage(1e6, 0.0, 0.0), DomainError);
}

}  // namespace
}  // namespace spacedyn::testing::wheel_soil_test
