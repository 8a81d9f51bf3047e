#include <cmath>
#include <cstring>

#include "reporting/report_samples.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::html_report_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

/// The data element of a page.
std::string data_text(const std::string& page) {
  const std::string start = "<script type=\"application/json\" id=\"spacedyn-data\">";
  const std::size_t from = page.find(start) + start.size();
  return page.substr(from, page.find('<', from) - from);
}

Json data_of(const std::vector<ReportData>& reports) {
  return Json::parse(data_text(html_report(reports)));
}

/// Decodes base64 by looking each digit up; another way than the encoder's.
template <typename Number>
std::vector<Number> numbers(const Json& json) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const char c : json.get<std::string>()) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    for (int bit = 5; bit >= 0; --bit) bits += (digit >> bit & 1U) != 0 ? '1' : '0';
  }
  std::string bytes;
  for (std::size_t i = 0; i + 8 <= bits.size(); i += 8) {
    bytes += static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
  }
  std::vector<Number> list(bytes.size() / sizeof(Number));
  std::memcpy(list.data(), bytes.data(), list.size() * sizeof(Number));
  return list;
}

ReportData one_series(const VectorX& values) {
  ReportData report;
  report.title = "run";
  report.path = "run.csv";
  report.times = VectorX::LinSpaced(values.size(), 0.0, static_cast<double>(values.size() - 1));
  report.series = {{"a_m", "A", "a", "m", values}};
  return report;
}

TEST(HtmlReport, CarriesTimesAndValues) {
  VectorX values(4);
  values << 1.0e6, 1.0e6 + 1.0e-3, 1.0e6 - 2.0e-3, 1.0e6;
  const Json series = data_of({one_series(values)})["results"][0]["series"];
  EXPECT_EQ(numbers<double>(series["times"]), (std::vector<double>{0.0, 1.0, 2.0, 3.0}));
  const Json& one = series["list"][0];
  EXPECT_EQ(one["offset"], 1.0e6);
  const std::vector<float> change = numbers<float>(one["change"]);
  ASSERT_EQ(change.size(), 4U);
  // a change of 1e-9 of the value survives, which narrow values would not
  EXPECT_NEAR(static_cast<double>(change[1]), 1.0e-3, 1e-9);
  EXPECT_NEAR(static_cast<double>(change[2]), -2.0e-3, 1e-9);
}

TEST(HtmlReport, WritesAConstantAsOneNumber) {
  const Json one =
      data_of({one_series(VectorX::Constant(100, 0.25))})["results"][0]["series"]["list"][0];
  EXPECT_EQ(one["offset"], 0.25);
  EXPECT_FALSE(one.contains("change"));
}

TEST(HtmlReport, KeepsPeaksOfLongSeries) {
  VectorX values = VectorX::Zero(100001);
  values(33333) = 7.0;
  values(66666) = -5.0;
  values(100000) = 1.0;
  values(50) = std::nan("");
  const Json series = data_of({one_series(values)})["results"][0]["series"];
  EXPECT_EQ(series["rows"], 100001);
  EXPECT_EQ(series["exact"], false);
  const std::vector<double> times = numbers<double>(series["times"]);
  const std::vector<float> change = numbers<float>(series["list"][0]["change"]);
  ASSERT_EQ(change.size(), times.size());
  EXPECT_LE(times.size(), static_cast<std::size_t>(kMaxReportPoints));
  EXPECT_EQ(times.front(), 0.0);
  EXPECT_EQ(times.back(), 100000.0);
  EXPECT_EQ(change.back(), 1.0F);
  const auto high = std::max_element(change.begin(), change.end()) - change.begin();
  const auto low = std::min_element(change.begin(), change.end()) - change.begin();
  EXPECT_EQ(change[static_cast<std::size_t>(high)], 7.0F);
  EXPECT_EQ(change[static_cast<std::size_t>(low)], -5.0F);
  // at their time, but for the width of a bucket
  EXPECT_NEAR(times[static_cast<std::size_t>(high)], 33333.0, 41.0);
  EXPECT_NEAR(times[static_cast<std::size_t>(low)], 66666.0, 41.0);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i], times[i - 1]);
}

TEST(HtmlReport, GivesManySeriesFewerPoints) {
  ReportData report = one_series(VectorX::LinSpaced(20000, 0.0, 1.0));
  report.series.resize(500, report.series.front());
  const std::string page = html_report({report});
  EXPECT_LT(page.size(), 10U * 1000U * 1000U);
}

TEST(HtmlReport, EscapesWhateverTheNamesAre) {
  const testing::SampleResult hostile = testing::hostile_result();
  const std::string page = html_report({report_data(hostile.table, *hostile.setup.model)});
  const std::string text = data_text(page);
  ASSERT_TRUE(Json::accept(text));
  const std::string start = "id=\"spacedyn-data\">";
  const std::size_t data = page.find(start) + start.size();
  EXPECT_EQ(page.compare(data + text.size(), 9, "</script>"), 0) << "the data end early";
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;&lt;script&gt;hacked"));
  EXPECT_EQ(Json::parse(text)["results"][0]["bodies"][0]["name"],
            "<img src=x onerror=\"hacked = 2\">");
}

TEST(HtmlReport, LetsNothingButItsOwnScriptRun) {
  const std::string page = html_report({one_series(VectorX::Zero(2))});
  const std::size_t policy = page.find("Content-Security-Policy");
  ASSERT_NE(policy, std::string::npos);
  const std::string rules = page.substr(policy, page.find('>', policy) - policy);
  EXPECT_THAT(rules, HasSubstr("default-src 'none'"));
  EXPECT_THAT(rules, HasSubstr("script-src 'sha256-"));
  EXPECT_THAT(rules, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

TEST(HtmlReport, TellsResultsOfOneNameApartAndTablesTheirDifferences) {
  ReportData a = one_series(VectorX::LinSpaced(11, 0.0, 10.0));
  ReportData b = a;
  b.path = "run-002.csv";
  // half as many rows, in between the same straight line, then 0.5 off from t = 5 on
  b.times = VectorX::LinSpaced(6, 0.0, 10.0);
  b.series[0].values = b.times;
  b.series[0].values.tail(3).array() += 0.5;
  const Json data = data_of({a, b});
  EXPECT_EQ(data["results"][0]["title"], "run: run.csv");
  EXPECT_EQ(data["results"][1]["title"], "run: run-002.csv");
  const Json& row = data["comparisons"][0][0];
  EXPECT_EQ(row["max"], 0.5);
  EXPECT_EQ(row["time"], 6.0);
  // 0.25 at t = 5, 0.5 at five times, 0 at five times
  EXPECT_NEAR(row["rms"].get<double>(), std::sqrt((0.0625 + 5 * 0.25) / 11.0), 1e-15);
}

TEST(HtmlReport, TitlesComparedResultsByWhatDiffers) {
  const auto flown = [](const std::string& path, const std::vector<ReportFact>& overrides) {
    ReportData report = one_series(VectorX::Zero(2));
    report.path = path;
    report.facts = overrides;
    return report;
  };
  const ReportFact seed{"Overrides", "seed", "7"};
  const Json data = data_of(
      {flown("a.h5", {seed}), flown("b.h5", {seed, {"Overrides", "control.0.stiffness", "300"}}),
       flown(
           "c.h5",
           {seed, {"Overrides", "duration", "2 s"}, {"Overrides", "control.0.stiffness", "600"}})});
  EXPECT_EQ(data["results"][0]["title"], "run: as written");
  EXPECT_EQ(data["results"][1]["title"], "run: control.0.stiffness = 300");
  EXPECT_EQ(data["results"][2]["title"], "run: control.0.stiffness = 600, duration = 2 s");
  EXPECT_EQ(
      data["title"],
      "run: as written · control.0.stiffness = 300 · control.0.stiffness = 600, duration = 2 s");
  ReportData other = flown("d.h5", {});
  other.title = "another";
  EXPECT_EQ(data_of({flown("a.h5", {seed}), other})["title"], "run · another");
}

TEST(HtmlReport, PlacesBodiesRelativeToTheCentreOfMass) {
  // 7000 km from the origin neighbouring single-precision numbers are 0.5 m apart
  ReportData report = one_series(VectorX::Zero(2));
  report.motion.times = {0.0, 1.0};
  report.motion.center_of_mass = Vector3(7.0e6, 1.0, -2.0).replicate<1, 2>();
  report.motion.poses.setZero(7, 2);
  report.motion.poses.topRows<3>() = report.motion.center_of_mass;
  report.motion.poses(0, 0) += 0.123;
  const Json motion = data_of({report})["results"][0]["motion"];
  const std::vector<double> center = numbers<double>(motion["com"]);
  const std::vector<float> poses = numbers<float>(motion["poses"]);
  ASSERT_EQ(center.size(), 6U);
  ASSERT_EQ(poses.size(), 14U);
  // rounding of 7e6 m in double precision is 1e-9 m
  EXPECT_NEAR(center[0] + static_cast<double>(poses[0]), 7.0e6 + 0.123, 1e-8);
  EXPECT_EQ(center[1] + static_cast<double>(poses[1]), 1.0);
}

TEST(HtmlReport, NeedsAResult) {
  try {
    html_report({});
    FAIL() << "no exception";
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "a report needs at least one result");
  }
}

}  // namespace
}  // namespace spacedyn::html_report_test
