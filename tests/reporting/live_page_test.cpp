// Pages of runs that go on, and what they are sent.
#include "reporting/example_record.hpp"
#include "reporting/report_samples.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/live.hpp"

namespace spacedyn::live_page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

ReportData few_rows() {
  const testing::SampleResult sample = testing::winding_chain(3, 1.0, 5);
  return report_data(sample.table, *sample.setup.model);
}

TEST(LivePage, MayConnectToWhereItCameFromAndAReportMayNot) {
  EXPECT_THAT(live_page(few_rows(), {}, {}), HasSubstr("; connect-src 'self';"));
  EXPECT_THAT(html_report({few_rows()}), HasSubstr("; connect-src 'none';"));
}

TEST(LivePage, SaysWhatSimulates) {
  EXPECT_THAT(live_page(few_rows(), {}, {}),
              HasSubstr("\"generator\":\"spacedyn " + build_info().spacedyn + '"'));
}

TEST(LivePage, HoldsRowsStateAndParametersWithoutEndingItsScript) {
  LiveState state;
  state.status = "</script><script>hacked = 1</script>";
  const std::string page = live_page(few_rows(), state, {{"<b>", 2.5, "deg", "<i>", "elbow"}});
  EXPECT_THAT(page, HasSubstr(R"("element":"\u003ci>")"));
  EXPECT_THAT(page, Not(HasSubstr("<script>hacked")));
  EXPECT_THAT(page, HasSubstr(R"("key":"\u003cb>")"));
  EXPECT_THAT(page, HasSubstr(R"("unit":"deg")"));
}

TEST(LiveMessage, IsOneLineWithStateAndRows) {
  LiveState state;
  state.run = 3;
  state.message = "two\nlines";
  const std::string text = live_message(few_rows(), state);
  EXPECT_THAT(text, Not(HasSubstr("\n")));
  const Json message = Json::parse(text);
  EXPECT_EQ(message["state"]["run"], 3);
  EXPECT_EQ(message["rows"]["series"]["rows"], 5);
  EXPECT_EQ(message["rows"]["series"]["list"].size(), few_rows().series.size());
  EXPECT_TRUE(message["rows"]["motion"].contains("poses"));
}

TEST(LiveMessage, LeavesRowsOutWhereThereAreNone) {
  EXPECT_FALSE(Json::parse(live_message({}, {})).contains("rows"));
}

TEST(LiveMessage, TellsWhatARunLeftBehind) {
  RunRecord record = testing::finished_record();
  record.result->events = {{1.25, "contact"}};
  record.warnings = {"elbow too fast"};
  ReportData ending = ending_report(record);
  ASSERT_EQ(ending.audit.size(), 3U);
  ending.audit[0].limit = 1e-9;
  const Json told = Json::parse(live_message({}, {}, &ending))["ending"];
  // the drift that the record was made with: 0.5 of 2
  EXPECT_EQ(told["audit"][0], Json({{"label", "Momentum drift"},
                                    {"value", record.result->audit.momentum_drift()},
                                    {"limit", 1e-9}}));
  EXPECT_EQ(told["events"], Json::array({{{"time", 1.25}, {"name", "contact"}}}));
  EXPECT_EQ(told["warnings"], Json::array({"elbow too fast"}));
  EXPECT_FALSE(Json::parse(live_message({}, {})).contains("ending"));
}

TEST(LiveMessage, TellsOfAFailedRunThatItHasNoAudit) {
  RunRecord record = testing::example_record();
  record.status = RunStatus::failed;
  record.message = "the step became too small";
  const ReportData ending = ending_report(record);
  EXPECT_TRUE(ending.audit.empty());
  EXPECT_EQ(ending.status, "failed");
  EXPECT_EQ(ending.message, "the step became too small");
}

}  // namespace
}  // namespace spacedyn::live_page_test
