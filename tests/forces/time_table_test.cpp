#include <cmath>
#include <limits>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::time_table_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

VectorX value_at(const TimeTable& table, double time) {
  VectorX value(table.size());
  table.evaluate(time, value);
  return value;
}

VectorX one(double value) { return VectorX::Constant(1, value); }

TEST(TimeTable, IsLinearBetweenRowsAndZeroOutside) {
  const TimeTable ramp({1.0, 2.0, 4.0}, (MatrixX(2, 3) << 0, 2, -2, 1, 1, 5).finished());
  EXPECT_EQ(value_at(ramp, 0.999), VectorX::Zero(2));
  EXPECT_EQ(value_at(ramp, 1.5), (VectorX(2) << 1.0, 1.0).finished());
  EXPECT_EQ(value_at(ramp, 2.0), (VectorX(2) << 2.0, 1.0).finished());
  EXPECT_EQ(value_at(ramp, 3.5), (VectorX(2) << -1.0, 4.0).finished());
  EXPECT_EQ(value_at(ramp, 4.5), VectorX::Zero(2));
}

TEST(TimeTable, IsContinuousFromTheRightAtItsEnds) {
  const TimeTable pulse = TimeTable::constant(one(3.0), 1.0, 2.0);
  EXPECT_EQ(value_at(pulse, std::nextafter(1.0, 0.0))(0), 0.0);
  EXPECT_EQ(value_at(pulse, 1.0)(0), 3.0);
  EXPECT_EQ(value_at(pulse, std::nextafter(2.0, 0.0))(0), 3.0);
  EXPECT_EQ(value_at(pulse, 2.0)(0), 0.0);
}

TEST(TimeTable, HoldsForEverUntilAnInfiniteLastTime) {
  EXPECT_EQ(value_at(TimeTable::constant(one(3.0)), 1e9)(0), 3.0);
  const TimeTable step({0.0, 1.0, kInfinity}, (MatrixX(1, 3) << 0, 2, 7).finished());
  EXPECT_EQ(value_at(step, 0.5)(0), 1.0);
  EXPECT_EQ(value_at(step, 1e300)(0), 2.0);
}

TEST(TimeTable, RefusesWhatIsNoFunction) {
  const auto table = [](std::vector<double> times, MatrixX values) {
    return [times, values] { TimeTable(times, values); };
  };
  EXPECT_THAT(table({0.0}, MatrixX::Zero(1, 1)),
              ThrowsMessage<DimensionError>("a time table has 1 rows, expected at least 2"));
  EXPECT_THAT(table({0.0, 1.0}, MatrixX::Zero(1, 3)),
              ThrowsMessage<DimensionError>("a time table has 2 times but 3 values"));
  EXPECT_THAT(table({0.0, 0.0}, MatrixX::Zero(1, 2)),
              ThrowsMessage<DomainError>("the times of a time table must increase, but time 2 does "
                                         "not exceed the one before it"));
  EXPECT_THAT(table({0.0, std::nan("")}, MatrixX::Zero(1, 2)),
              ThrowsMessage<DomainError>("time 2 of a time table is not finite"));
  EXPECT_THAT(table({-kInfinity, 1.0}, MatrixX::Zero(1, 2)),
              ThrowsMessage<DomainError>("time 1 of a time table is not finite"));
  EXPECT_THAT(table({0.0, 1.0}, MatrixX::Constant(1, 2, kInfinity)),
              ThrowsMessage<DomainError>("a value of a time table is not finite"));
  EXPECT_THAT([] { TimeTable::constant(one(1.0), 2.0, 2.0); },
              ThrowsMessage<DomainError>("a constant load must end later than it begins"));
}

}  // namespace
}  // namespace spacedyn::time_table_test
