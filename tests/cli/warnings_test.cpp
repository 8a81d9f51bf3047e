// What a run gives reason to doubt is told in its summary and kept in its metadata.
#include "cli/program.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::StarterDirectory;

TEST(RunWarnings, TellOfAModalAppendageThatComesToTurnTooFast) {
  const StarterDirectory starter;
  testing::write_text(starter / "spin.yaml", "spacedyn: 1\nscenario:\n  name: spin\n  model: " +
                                                 std::string(SPACEDYN_MODELS) +
                                                 "/robots/ets7_modal_paddles.yaml\n" + R"(
  duration: 2
  forces: [{type: wrench, at: chaser.com, torque: [0, 0, 2000], until: 1}]
  output: {interval: 0.5}
)");
  const Outcome outcome = starter.run({"simulate", "spin.yaml", "--no-report", "-o", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("warnings\n  modal appendage 'paddle_left' turns at "));
  const json metadata = json::parse(testing::read_text(starter / "out/spin.meta.json"));
  EXPECT_EQ(metadata.at("outcome").at("warnings").size(), 2u);
}

}  // namespace
}  // namespace spacedyn
