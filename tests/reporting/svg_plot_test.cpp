#include <array>
#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <sstream>

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
                   {"", "Base attitude", "roll", "rad", ramp, "base_attitude_roll"},
                   {"", "Energy balance", "residual", "J", ramp, "energy_balance"}};
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
  EXPECT_THAT(labels({"joints_"}), ElementsAre("Joint positions, elbow", "Joint velocities, elbow",
                                               "Joint torques, elbow"));
  EXPECT_THAT(labels({"base_attitude"}), ElementsAre("Base attitude, roll"));
  EXPECT_THAT(labels({"energy_balance"}), ElementsAre("Energy balance, residual"));
  EXPECT_THAT(labels({"work_J", "energy"}), ElementsAre("Energy, work", "Energy, total"));
}

TEST(SelectSeries, FindsWhatEachOfSeveralRobotsHas) {
  ReportData report = example();
  for (ReportSeries& series : report.series) {
    if (!series.derived.empty()) series.derived = "robots_arm_" + series.derived;
  }
  for (const char* channel : {"base_attitude", "base_attitude_roll", "robots_arm_base_attitude"}) {
    const std::vector<ReportSeries> found = select_series(report, {channel});
    ASSERT_EQ(found.size(), 1U) << channel;
    EXPECT_EQ(found[0].label, "roll");
  }
}

TEST(SelectSeries, SuggestsTheNearestName) {
  EXPECT_EQ(message_of([] { select_series(example(), {"energie"}); }),
            "no channel of 'slew.csv' is named 'energie', did you mean 'energy'?");
  EXPECT_EQ(message_of([] { select_series(example(), {"base_atitude"}); }),
            "no channel of 'slew.csv' is named 'base_atitude', did you mean 'base_attitude'?");
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
  EXPECT_THAT(svg, HasSubstr(">slew: slew-002.csv</text>"));
  EXPECT_EQ(count(svg, "stroke-dasharray=\"6,3\""), 2U) << "the line and its legend";
}

TEST(SvgPlot, NamesResultsByTheirLabels) {
  ReportData other = example();
  other.path = "slew-002.csv";
  SvgOptions options;
  options.labels = {"stiff"};
  EXPECT_THAT(svg_plot({example(), other}, {"joints_elbow_rad"}, options),
              AllOf(HasSubstr(">stiff</text>"), HasSubstr(">slew: slew-002.csv</text>"),
                    Not(HasSubstr(">slew: slew.csv</text>"))));
  const std::string alone = svg_plot({example()}, {"joints_elbow_rad"}, options);
  EXPECT_THAT(alone, HasSubstr(">stiff</text>"));
  EXPECT_THAT(alone, Not(HasSubstr("#000000"))) << "no curve has the color of such a sample";
}

TEST(SvgPlot, RefusesWhatLeavesNoPicture) {
  SvgOptions options;
  options.labels = {"stiff", "soft"};
  EXPECT_EQ(message_of([&] { svg_plot({example()}, {"joints_elbow_rad"}, options); }),
            "there are more labels (2) than results (1)");
  const auto small = HasSubstr("the picture is too small for its letters");
  for (const auto& [width, height, font] :
       {std::array{200.0, 190.0, 40.0}, std::array{480.0, 40.0, 16.0}}) {
    options = {};
    options.width = width;
    options.panel_height = height;
    options.font_size = font;
    EXPECT_THAT(message_of([&] { svg_plot({example()}, {"joints_elbow_rad"}, options); }), small);
  }
}

TEST(SvgPlot, GivesEachOfManySeriesALookOfItsOwn) {
  ReportData report = example();
  report.series.clear();
  const auto add = [&](int i) {
    const std::string number = std::to_string(i);
    report.series.push_back({"joints_j" + number + "_rad", "Joint positions", "j" + number, "rad",
                             VectorX::Constant(5, i)});
  };
  for (int i = 0; i < 20; ++i) add(i);
  const std::string svg = svg_plot({report}, {"joints_*"});
  std::set<std::string> looks;
  for (std::size_t at = svg.find("<path"); at != std::string::npos;
       at = svg.find("<path", at + 1)) {
    const std::size_t look = svg.find("fill=", at);
    looks.insert(svg.substr(look, svg.find("/>", look) - look));
  }
  EXPECT_EQ(looks.size(), 20U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(count(svg, ">j" + std::to_string(i) + "</text>"), 1U);
}

/// The rectangle that a text covers; letters are 0.56 of the font wide, 0.75 above the line and 0.2
/// below it.
struct TextBox {
  double left, right, top, bottom;
  std::string text;

  bool meets(const TextBox& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

std::vector<TextBox> texts_of(const std::string& svg, double font) {
  std::vector<TextBox> boxes;
  const std::regex element(
      "<text x=\"([^\"]*)\" y=\"([^\"]*)\" (?:text-anchor=\"([a-z]*)\")?([^>]*)>([^<]*)<");
  for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at) {
    const std::string anchor = (*at)[3], others = (*at)[4], text = (*at)[5];
    std::size_t letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    const double size = others.find("bold") == std::string::npos ? font : font * 13.0 / 11.0;
    const double width = 0.56 * size * static_cast<double>(letters);
    const double before = anchor == "end" ? width : anchor == "middle" ? 0.5 * width : 0.0;
    const double x = std::stod((*at)[1]), y = std::stod((*at)[2]);
    if (others.find("rotate") == std::string::npos) {
      boxes.push_back({x - before, x - before + width, y - 0.75 * size, y + 0.2 * size, text});
    } else {
      boxes.push_back({x - 0.75 * size, x + 0.2 * size, y - before, y - before + width, text});
    }
  }
  return boxes;
}

TEST(SvgPlot, TextsKeepApartAndInside) {
  ReportData report = example();
  report.title = "A slew of an arm with a title that is longer than narrow pictures";
  report.times = VectorX::LinSpaced(5, 100000.0, 100002.0);
  report.series[0].group = "Position of a frame with a long name";
  report.series[0].values = VectorX::LinSpaced(5, 12345.678901, 12345.678909);
  ReportData other = report;
  other.path = "slew-002.csv";
  for (const double font : {6.0, 11.0, 22.0}) {
    for (const double width : {200.0, 330.0, 480.0, 1000.0}) {
      for (const double height : {70.0, 120.0, 400.0}) {
        SvgOptions options;
        options.title = "Position of a frame in the first two seconds";
        options.font_size = font;
        options.width = width;
        options.panel_height = height;
        if (width < 24.0 * font) continue;  // refused: letters leave no room
        const std::string svg = svg_plot({report, other}, {"base_position_x_m", "energy"}, options);
        const std::vector<TextBox> boxes = texts_of(svg, font);
        ASSERT_GT(boxes.size(), 10U);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          std::ostringstream where;
          where << '\'' << boxes[i].text << "', font " << font << ", " << width << " by " << height;
          EXPECT_GE(boxes[i].left, 0.0) << where.str();
          EXPECT_LE(boxes[i].right, width) << where.str();
          for (std::size_t k = 0; k < i; ++k) {
            EXPECT_FALSE(boxes[i].meets(boxes[k]))
                << where.str() << " and '" << boxes[k].text << '\'';
          }
        }
      }
    }
  }
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
