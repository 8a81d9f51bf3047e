#include "spacedyn/control/resting_table.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "spacedyn/error.hpp"

namespace spacedyn::reference_test {
namespace {

using ::testing::ElementsAre;
using ::testing::ThrowsMessage;

VectorX vector(std::initializer_list<double> values) {
  return Eigen::Map<const VectorX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> discontinuities(const Reference& reference) {
  std::vector<double> times;
  reference.append_discontinuities(times);
  return times;
}

/// Checks velocity and acceleration against central differences away from discontinuities.
void expect_consistent_derivatives(const Reference& reference, double from, double until) {
  constexpr double h = 1e-5;
  constexpr double tolerance = 1e-8;  // h² times third derivatives below 100, and eps/h
  const std::vector<double> breaks = discontinuities(reference);
  for (double t = from; t < until; t += 0.0371) {
    if (std::any_of(breaks.begin(), breaks.end(),
                    [&](double b) { return std::abs(b - t) < 2.0 * h; })) {
      continue;
    }
    for (int i = 0; i < reference.size(); ++i) {
      const ReferenceValue before = reference.evaluate(i, t - h);
      const ReferenceValue here = reference.evaluate(i, t);
      const ReferenceValue after = reference.evaluate(i, t + h);
      EXPECT_NEAR(here.velocity, (after.position - before.position) / (2.0 * h), tolerance) << t;
      EXPECT_NEAR(here.acceleration, (after.velocity - before.velocity) / (2.0 * h), tolerance)
          << t;
    }
  }
}

TEST(QuinticReference, GoesFromRestToRestThroughTheMiddle) {
  const QuinticReference slew(vector({1.0, 0.0}), vector({3.0, -1.0}), 2.0, 4.0);
  EXPECT_EQ(slew.evaluate(0, 1.0).position, 1.0);
  EXPECT_EQ(slew.evaluate(0, 6.0).position, 3.0);
  EXPECT_NEAR(slew.evaluate(0, 4.0).position, 2.0, 1e-15);
  // peak velocity 15/8 of the mean one
  EXPECT_NEAR(slew.evaluate(1, 4.0).velocity, -15.0 / 8.0 / 4.0, 1e-15);
  EXPECT_EQ(slew.evaluate(0, 2.0).velocity, 0.0);
  EXPECT_EQ(slew.evaluate(0, 2.0).acceleration, 0.0);
  EXPECT_THAT(discontinuities(slew), ElementsAre(2.0, 6.0));
  expect_consistent_derivatives(slew, 1.0, 7.0);
}

TEST(TrapezoidReference, KeepsItsLimitsAndArrives) {
  const TrapezoidReference slew(vector({0.0, 1.0}), vector({2.0, 0.9}), 1.0, vector({0.5, 0.5}),
                                vector({0.25, 0.4}));
  // component 0 cruises: ramps of 2 s, 2 s at the limit; component 1 does not: √(0.1/0.4) = 0.5 s
  EXPECT_THAT(discontinuities(slew), ElementsAre(1.0, 3.0, 5.0, 7.0, 1.0, ::testing::DoubleEq(1.5),
                                                 ::testing::DoubleEq(2.0)));
  EXPECT_NEAR(slew.evaluate(0, 4.0).position, 1.0, 1e-15);
  EXPECT_NEAR(slew.evaluate(0, 4.0).velocity, 0.5, 1e-15);
  EXPECT_NEAR(slew.evaluate(0, 6.0).acceleration, -0.25, 1e-15);
  EXPECT_NEAR(slew.evaluate(1, 1.5).velocity, -0.2, 1e-15);
  EXPECT_EQ(slew.evaluate(0, 7.0).position, 2.0);
  EXPECT_EQ(slew.evaluate(1, 2.1).position, 0.9);
  expect_consistent_derivatives(slew, 0.5, 8.0);
}

TEST(TrapezoidReference, StaysWhereThereIsNoWay) {
  const TrapezoidReference still(vector({1.0}), vector({1.0}), 0.0, vector({1.0}), vector({1.0}));
  EXPECT_EQ(still.evaluate(0, 0.0).position, 1.0);
  EXPECT_EQ(still.evaluate(0, 0.0).acceleration, 0.0);
  EXPECT_TRUE(discontinuities(still).empty());
}

TEST(TableReference, LinearTableHoldsOutsideAndAnnouncesItsRows) {
  const TableReference table({0.0, 1.0, 3.0}, (MatrixX(1, 3) << 0, 2, 1).finished(),
                             TableReference::Interpolation::linear);
  EXPECT_EQ(table.evaluate(0, -1.0).position, 0.0);
  EXPECT_EQ(table.evaluate(0, 0.5).position, 1.0);
  EXPECT_EQ(table.evaluate(0, 1.0).velocity, -0.5);
  EXPECT_EQ(table.evaluate(0, 3.0).velocity, 0.0);
  EXPECT_EQ(table.evaluate(0, 9.0).position, 1.0);
  EXPECT_THAT(discontinuities(table), ElementsAre(0.0, 1.0, 3.0));
  expect_consistent_derivatives(table, -0.5, 3.5);
}

TEST(RestingTable, ReproducesACubicThatIsAtRestAtBothEnds) {
  // 3 t² − 2 t³ on [0, 1]: a C² spline at rest at both ends is unique, so it must be this one
  const auto cubic = [](double t) { return t * t * (3.0 - 2.0 * t); };
  const std::vector<double> times{0.0, 0.2, 0.5, 0.9, 1.0};
  MatrixX positions(1, 5);
  for (int i = 0; i < 5; ++i) positions(i) = cubic(times[static_cast<std::size_t>(i)]);
  const RestingTable table(times, positions);
  for (double t = 0.0; t < 1.0; t += 0.01) {
    const ReferenceValue value = table.evaluate(0, t);
    EXPECT_NEAR(value.position, cubic(t), 1e-14);
    EXPECT_NEAR(value.velocity, 6.0 * t * (1.0 - t), 1e-13);
    EXPECT_NEAR(value.acceleration, 6.0 - 12.0 * t, 1e-12);
  }
}

TEST(TableReference, CubicTableReproducesACubicWithFreeEnds) {
  // the natural spline through three rows is unique: s³ − 3 s and its mirror image
  const auto piece = [](double s) { return s * s * s - 3.0 * s; };  // of s from 0 to 1
  const std::vector<double> times{0.0, 1.0, 2.0};
  const TableReference table(times, (MatrixX(1, 3) << 0.0, -2.0, 0.0).finished(),
                             TableReference::Interpolation::cubic);
  for (double t = 0.0; t < 2.0; t += 0.01) {
    const double s = t < 1.0 ? t : 2.0 - t;  // even about the middle, where its slope is zero
    EXPECT_NEAR(table.evaluate(0, t).position, piece(s), 1e-14);
    EXPECT_NEAR(table.evaluate(0, t).acceleration, 6.0 * s, 1e-13);
  }
}

TEST(TableReference, CubicTableKeepsToAStraightLine) {
  for (const std::vector<double>& times :
       {std::vector<double>{0.0, 5.0, 10.0}, std::vector<double>{0.0, 1.0, 10.0}}) {
    MatrixX positions(1, 3);
    for (int i = 0; i < 3; ++i) positions(i) = 0.5 - 2.0 * times[static_cast<std::size_t>(i)];
    const TableReference table(times, positions, TableReference::Interpolation::cubic);
    for (double t = 0.0; t < 10.0; t += 0.1) {
      EXPECT_NEAR(table.evaluate(0, t).position, 0.5 - 2.0 * t, 1e-14);
      EXPECT_NEAR(table.evaluate(0, t).velocity, -2.0, 1e-14);
    }
  }
}

void expect_smooth(const Reference& table) {
  for (const double row : {1.0, 1.5}) {
    for (int i = 0; i < 2; ++i) {
      const ReferenceValue left = table.evaluate(i, std::nextafter(row, 0.0));
      const ReferenceValue right = table.evaluate(i, row);
      EXPECT_NEAR(left.position, right.position, 1e-13);
      EXPECT_NEAR(left.velocity, right.velocity, 1e-13);
      EXPECT_NEAR(left.acceleration, right.acceleration, 1e-12);
    }
  }
  expect_consistent_derivatives(table, -0.5, 3.5);
}

TEST(TableReference, CubicTablesAreSmoothAcrossRowsAndRestOutside) {
  const std::vector<double> times{0.0, 1.0, 1.5, 3.0};
  const MatrixX positions = (MatrixX(2, 4) << 0, 2, 1, 1, 5, 5, 4, 0).finished();
  const TableReference natural(times, positions, TableReference::Interpolation::cubic);
  expect_smooth(natural);
  EXPECT_NEAR(natural.evaluate(0, 0.0).acceleration, 0.0, 1e-14);
  EXPECT_NEAR(natural.evaluate(0, std::nextafter(3.0, 0.0)).acceleration, 0.0, 1e-14);
  const RestingTable resting(times, positions);
  expect_smooth(resting);
  EXPECT_EQ(resting.evaluate(0, 0.0).velocity, 0.0);
  EXPECT_NEAR(resting.evaluate(0, std::nextafter(3.0, 0.0)).velocity, 0.0, 1e-14);
}

TEST(References, GiveTheirComponents) {
  const auto whole =
      std::make_shared<QuinticReference>(vector({1.0, 2.0}), vector({3.0, -1.0}), 0.5, 2.0);
  const ReferenceComponent second(whole, 1);
  EXPECT_EQ(second.size(), 1);
  EXPECT_EQ(second.evaluate(0, 1.1).position, whole->evaluate(1, 1.1).position);
  EXPECT_EQ(second.evaluate(0, 1.1).acceleration, whole->evaluate(1, 1.1).acceleration);
  std::vector<double> times;
  second.append_discontinuities(times);
  EXPECT_EQ(times, (std::vector<double>{0.5, 2.5}));
}

TEST(References, RefuseWhatMakesNoSense) {
  const VectorX one = vector({1.0});
  const VectorX two = vector({1.0, 2.0});
  EXPECT_THAT([&] { QuinticReference(one, two, 0.0, 1.0); },
              ThrowsMessage<DimensionError>("to has 2 components, expected 1"));
  EXPECT_THAT([&] { QuinticReference(one, one, 0.0, 0.0); },
              ThrowsMessage<DomainError>("duration must be positive and finite"));
  EXPECT_THAT([&] { QuinticReference(one, vector({std::nan("")}), 0.0, 1.0); },
              ThrowsMessage<DomainError>("to 1 is not finite"));
  EXPECT_THAT(
      [&] {
        TrapezoidReference(two, two, 0.0, two, vector({1.0, -1.0}));
      },
      ThrowsMessage<DomainError>("acceleration 2 must be positive and finite"));
  EXPECT_THAT([&] { TrapezoidReference(one, one, 0.0, two, one); },
              ThrowsMessage<DimensionError>("velocity has 2 components, expected 1"));
  const auto whole = std::make_shared<ConstantReference>(two);
  EXPECT_THAT([&] { ReferenceComponent(whole, 2); },
              ThrowsMessage<DimensionError>("the reference has 2 components, none is number 2"));
  EXPECT_THAT([&] { ReferenceComponent(nullptr, 0); },
              ThrowsMessage<DomainError>("a component of a reference needs a reference"));
  const auto table = [](std::vector<double> times, Eigen::Index columns) {
    return [=] {
      TableReference(times, MatrixX::Zero(1, columns), TableReference::Interpolation::cubic);
    };
  };
  EXPECT_THAT(table({0.0}, 1),
              ThrowsMessage<DimensionError>("a reference table has 1 rows, expected at least 2"));
  EXPECT_THAT(table({0.0, 1.0}, 3),
              ThrowsMessage<DimensionError>("the list of positions has 3 components, expected 2"));
  EXPECT_THAT(table({0.0, 1.0, 1.0}, 3),
              ThrowsMessage<DomainError>("the times of a reference table must increase, but time 3 "
                                         "does not exceed the one before it"));
}

}  // namespace
}  // namespace spacedyn::reference_test
