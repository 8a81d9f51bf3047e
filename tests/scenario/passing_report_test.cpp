// Reports whose rows pass through little memory, against those of the whole table.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "spacedyn/error.hpp"
#include "spacedyn/reporting/convert.hpp"
#include "spacedyn/scenario/result_report.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::passing_report_test {
namespace {

using testing::TemporaryDirectory;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// More rows than are drawn, with gaps, jumps of angles, peaks between points and constants.
ResultTable long_result(int rows) {
  ResultTable table;
  table.columns = {{"time_s", "s"}};
  for (const char* part : {"w", "x", "y", "z"}) {
    table.columns.push_back({std::string("base_quaternion_") + part, ""});
  }
  for (const char* part : {"x", "y", "z"}) {
    table.columns.push_back({std::string("base_angular_velocity_") + part + "_rad_s", "rad/s"});
  }
  for (const char* name : {"energy_total_J", "work_J", "dissipated_J"}) {
    table.columns.push_back({name, "J"});
  }
  table.values.resize(rows, static_cast<Eigen::Index>(table.columns.size()));
  for (int i = 0; i < rows; ++i) {
    const double t = 0.01 * i;
    auto row = table.values.row(i);
    row << t, std::cos(t), 0.0, 0.1, std::sin(t), std::sin(3.0 * t), 0.5, kNothing, 7.0 + t,
        std::sin(t), t * t;
    if (i % 997 == 5) row.tail<3>() << -1.0e3 * i, kNothing, 2.0e3;
    if (i % 4001 == 7) row.segment<4>(1).setConstant(kNothing);
  }
  return table;
}

std::string page_of(const std::string& file, ReportDetail detail) {
  return html_report({read_report(file, {}, detail)});
}

/// The least and the greatest finite number.
std::pair<double, double> bounds_of(const VectorX& values) {
  std::pair<double, double> bounds(1e300, -1e300);
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    bounds = {std::min(bounds.first, value), std::max(bounds.second, value)};
  }
  return bounds;
}

/// Files of both kinds: HDF5 says how many rows it has, CSV does not.
class PassingReport : public ::testing::TestWithParam<const char*> {
 protected:
  std::string file(int rows) const {
    std::string path = folder_ / (std::string("long") + GetParam());
    write_result(path, long_result(rows));
    return path;
  }

  TemporaryDirectory folder_;
};

TEST_P(PassingReport, IsThatOfTheWholeTable) {
  for (const int rows : {1, 2, 4999, 5000, 5001, 12345}) {
    const TemporaryDirectory folder;
    const std::string path = folder / (std::string("long") + GetParam());
    write_result(path, long_result(rows));
    ReportData whole = report_data(read_result(path));
    whole.identity = result_identity(path);
    const std::string expected = html_report({whole});
    EXPECT_TRUE(page_of(path, ReportDetail::page) == expected) << rows << " rows";
    EXPECT_TRUE(page_of(path, ReportDetail::numbers) == expected) << rows << " rows";
  }
}

TEST_P(PassingReport, HoldsPointsInsteadOfRows) {
  const int rows = 30000;
  const std::string path = file(rows);
  const ReportData drawn = read_report(path, {}, ReportDetail::picture);
  EXPECT_EQ(drawn.thinned_from, rows);
  EXPECT_LE(drawn.times.size(), kMaxReportPoints);
  EXPECT_EQ(drawn.times(drawn.times.size() - 1), 0.01 * (rows - 1));
  const ReportData whole = read_report(path);
  EXPECT_EQ(whole.thinned_from, 0);
  ASSERT_EQ(whole.times.size(), rows);
  ASSERT_EQ(whole.series.size(), drawn.series.size());
  EXPECT_EQ(whole.scales.energy, drawn.scales.energy);
  for (std::size_t i = 0; i < whole.series.size(); ++i) {
    const VectorX &all = whole.series[i].values, &few = drawn.series[i].values;
    EXPECT_EQ(few.size(), drawn.times.size());
    EXPECT_EQ(bounds_of(all), bounds_of(few)) << whole.series[i].label;
  }
}

TEST_P(PassingReport, IsNotComparedWhereItIsThinned) {
  const ReportData drawn = read_report(file(6000), {}, ReportDetail::page);
  EXPECT_THROW(html_report({drawn, drawn}), DomainError);
  EXPECT_NO_THROW(html_report({drawn}));
}

INSTANTIATE_TEST_SUITE_P(Files, PassingReport, ::testing::Values(".h5", ".csv"),
                         [](const auto& info) { return std::string(info.param + 1); });

#ifndef SPACEDYN_SANITIZED  // which need more memory than their programs

/// From now on this process may have so much more of its own memory.
void limit_data(rlim_t more) {
  std::ifstream status("/proc/self/status");
  std::string word;
  rlim_t kilobytes = 0;
  while (status >> word && word != "VmData:") continue;
  status >> kilobytes;
  const rlimit limit{1024 * kilobytes + more, RLIM_INFINITY};
  if (kilobytes == 0 || setrlimit(RLIMIT_DATA, &limit) != 0) _exit(2);
}

// The rows alone take 88 MB, and were in memory three times.
TEST(LongReport, TakesLittleMemory) {
  const TemporaryDirectory folder;
  write_result(folder / "long.h5", long_result(1000000));
  const auto make_page = [&] {
    limit_data(rlim_t{48} << 20U);
    const std::string page = page_of(folder / "long.h5", ReportDetail::page);
    _exit(page.empty() ? 1 : 0);
  };
  EXPECT_EXIT(make_page(), ::testing::ExitedWithCode(0), "");
}

#endif

// Each column was compared with each entry of the metadata, 4e9 times for these.
TEST(WideReport, FindsColumnsOfThousandsOfLinks) {
  const int columns = 60000;
  ResultTable table;
  table.columns = {{"time_s", "s"}};
  for (int i = 1; i < columns; ++i) {
    table.columns.push_back({"joints_j" + std::to_string(i) + "_rad", "rad"});
  }
  table.values = MatrixX::Zero(2, columns);
  table.facts.status = "complete";
  const TemporaryDirectory folder;
  write_result(folder / "wide.csv", table);
  write_metadata_of(folder / "wide.csv", table);
  EXPECT_EQ(read_report(folder / "wide.csv").series.size(), static_cast<std::size_t>(columns - 1));
}

}  // namespace
}  // namespace spacedyn::passing_report_test
