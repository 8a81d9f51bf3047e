#include <cmath>
#include <limits>

#include "spacedyn/error.hpp"
#include "spacedyn/reporting/svg_plot.hpp"

namespace spacedyn::svg_plot_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ReportData example() {
  ReportData report;
  report.title = "slew";
  report.path = "slew.csv";
  report.times = VectorX::LinSpaced(5, 0.0, 2.0);
  const VectorX ramp = VectorX::LinSpaced(5, 0.0, 1.0);
  report.series = {{"base_position_x_m", "Base position", "x", "m", ramp},
                   {"joints_elbow_rad", "Joint positions", "elbow", "rad", ramp},
                   {"joints_elbow_rad_s", "Joint velocities", "elbow", "rad/s", ramp},
                   {"joints_elbow_torque_N_m", "Joint torques", "elbow", "N m", ramp},
                   {"energy_total_J", "Energy", "total", "J", ramp},
                   {"work_J", "Energy", "work", "J", 2.0 * ramp},
                   {"", "Base attitude", "roll", "rad", ramp},
                   {"", "Energy balance", "residual", "J", ramp}};
  return report;
}

std::vector<std::string> labels(const std::vector<std::string>& channels) {
  std::vector<std::string> list;
  for (const ReportSeries& series : select_series(example(), channels)) {
    list.push_back(series.group + ", " + series.label);
  }
  return list;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++number;
  }
  return number;
}

template <typename Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const DomainError& error) {
    return error.what();
  }
  return "no exception";
}

TEST(SelectSeries, KnowsColumnsGroupsBeginningsAndPatterns) {
  EXPECT_THAT(labels({"work_J"}), ElementsAre("Energy, work"));
  EXPECT_THAT(labels({"energy"}), ElementsAre("Energy, total", "Energy, work"));
  EXPECT_THAT(labels({"joint_torque"}), ElementsAre("Joint torques, elbow"));
  EXPECT_THAT(labels({"state"}),
              ElementsAre("Base position, x", "Joint positions, elbow", "Joint velocities, elbow"));
  EXPECT_THAT(labels({"joints_*_rad"}), ElementsAre("Joint positions, elbow"));
  EXPECT_THAT(labels({"base_position"}), ElementsAre("Base position, x"));
  EXPECT_THAT(labels({"base_attitude"}), ElementsAre("Base attitude, roll"));
  EXPECT_THAT(labels({"energy_balance"}), ElementsAre("Energy balance, residual"));
  EXPECT_THAT(labels({"work_J", "energy"}), ElementsAre("Energy, work", "Energy, total"));
}

TEST(SelectSeries, SuggestsTheNearestName) {
  EXPECT_EQ(message_of([] { select_series(example(), {"energie"}); }),
            "no channel of 'slew.csv' is named 'energie', did you mean 'energy'?");
}

// bits that flip in a file make zeros denormal and ones enormous
TEST(SvgPlot, DrawsNumbersOfAnySize) {
  constexpr double kDenormal = std::numeric_limits<double>::denorm_min();
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const auto& [least, greatest] :
       {std::pair(-kDenormal, 0.0), std::pair(0.0, kDenormal), std::pair(-kMost, kMost),
        std::pair(kMost, kMost), std::pair(0.0, kMost)}) {
    ReportData values = example(), times = example();
    values.series[0].values << least, greatest, 0.0, least, greatest;
    times.times << least, 0.5 * least, 0.5 * (0.5 * least + 0.5 * greatest), 0.5 * greatest,
        greatest;
    for (const ReportData& report : {values, times}) {
      const std::string svg = svg_plot({report}, {"base_position"}, {});
      EXPECT_THAT(svg, Not(HasSubstr("nan")));
      EXPECT_THAT(svg, Not(HasSubstr("inf")));
      EXPECT_LT(svg.size(), 20000U);
    }
  }
}

TEST(SvgPlot, DrawsAPanelPerQuantityWithUnitsTicksAndLegend) {
  const std::string svg = svg_plot({example()}, {"energy", "joints_elbow_rad"});
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0U);
  EXPECT_EQ(count(svg, "<path"), 3U);
  EXPECT_EQ(count(svg, "fill=\"none\" stroke=\"#333333\""), 2U) << "panels";
  EXPECT_THAT(svg, HasSubstr(">Energy (J)</text>"));
  EXPECT_THAT(svg, HasSubstr(">Joint positions (rad)</text>"));
  EXPECT_EQ(count(svg, ">Time (s)</text>"), 1U);
  EXPECT_THAT(svg, HasSubstr(">work</text>"));
  EXPECT_THAT(svg, HasSubstr(">0.5</text>"));
  EXPECT_THAT(svg, HasSubstr(">2.0</text>"));
}

TEST(SvgPlot, PutsPointsWhereTheyBelong) {
  SvgOptions options;
  options.width = 492.0;  // a plot area of 400 px
  options.panel_height = 100.0;
  const std::string svg = svg_plot({example()}, {"joints_elbow_rad"}, options);
  // below the legend: 10 px of margin and 20 of the legend's row; 0 … 1 rad over 100 px
  EXPECT_THAT(
      svg, HasSubstr("d=\"M78.00,130.00L178.00,105.00L278.00,80.00L378.00,55.00L478.00,30.00\""));
}

TEST(SvgPlot, DrawsDegrees) {
  SvgOptions options;
  options.degrees = true;
  EXPECT_THAT(svg_plot({example()}, {"joints_elbow"}, options),
              AllOf(HasSubstr(">Joint positions (°)</text>"), HasSubstr(">60</text>"),
                    HasSubstr(">Joint velocities (°/s)</text>")));
}

TEST(SvgPlot, BreaksLinesWhereThereIsNoNumber) {
  ReportData report = example();
  report.series[1].values(2) = std::nan("");
  const std::string svg = svg_plot({report}, {"joints_elbow_rad"});
  const std::size_t path = svg.find("<path d=\"");
  EXPECT_EQ(count(svg.substr(path, svg.find("\"", path + 9) - path), "M"), 2U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(SvgPlot, TellsResultsApart) {
  ReportData other = example();
  other.path = "slew-002.csv";
  const std::string svg = svg_plot({example(), other}, {"joints_elbow_rad"});
  EXPECT_EQ(count(svg, "<path"), 2U);
  EXPECT_THAT(svg, HasSubstr(">slew (slew-002.csv)</text>"));
  EXPECT_EQ(count(svg, "stroke-dasharray=\"6,3\""), 2U) << "the line and its legend";
}

TEST(SvgPlot, EscapesHostileNames) {
  ReportData report = example();
  report.title = "<script>\x01\xff&\"";
  report.series[1].label = "</text><script>alert(1)</script>";
  const std::string svg = svg_plot({report}, {"joints_elbow_rad"});
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("<title>&lt;script&gt; \xEF\xBF\xBD&amp;&quot;</title>"));
}

TEST(SvgPlot, NeedsResultsAndChannels) {
  EXPECT_EQ(message_of([] { svg_plot({}, {"energy"}); }), "a picture needs at least one result");
  EXPECT_EQ(message_of([] { svg_plot({example()}, {}); }), "a picture needs at least one channel");
}

}  // namespace
}  // namespace spacedyn::svg_plot_test
