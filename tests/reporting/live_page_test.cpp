// Pages of runs that go on, and what they are sent.
#include "reporting/report_samples.hpp"
#include "spacedyn/reporting/live.hpp"

namespace spacedyn {
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

TEST(LivePage, HoldsRowsStateAndParametersWithoutEndingItsScript) {
  LiveState state;
  state.status = "</script><script>hacked = 1</script>";
  const std::string page = live_page(few_rows(), state, {{"<b>", 2.5, "deg"}});
  EXPECT_THAT(page, Not(HasSubstr("<script>hacked")));
  EXPECT_THAT(page, HasSubstr(R"({"key":"\u003cb>","value":2.5,"unit":"deg"})"));
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

}  // namespace
}  // namespace spacedyn
