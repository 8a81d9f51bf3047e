#include "cli/program.hpp"

namespace spacedyn::equilibrium_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_program;

std::string scenario(const std::string& name) {
  return std::string(SPACEDYN_MODELS) + "/scenarios/" + name + ".yaml";
}

// The pendulum of the IFToMM benchmark hangs straight down.
TEST(EquilibriumCommand, PrintsStateAndResidual) {
  const Outcome outcome = run_program({"equilibrium", "--json", scenario("a01_pendulum")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer.at("scenario"), "a01_pendulum");
  EXPECT_EQ(answer.at("state").at("qd"), json::parse("[0.0]"));
  EXPECT_LE(answer.at("residual").get<double>(), 1e-8);
  EXPECT_GT(answer.at("iterations").get<int>(), 0);
  EXPECT_EQ(answer.at("state").at("joint_order").size(), 1U);
  EXPECT_THAT(run_program({"equilibrium", scenario("a01_pendulum")}).out,
              HasSubstr("a01_pendulum: in equilibrium after "));
}

TEST(EquilibriumCommand, SaysWhatIsNotBalanced) {
  const Outcome outcome = run_program(
      {"equilibrium", scenario("dzhanibekov"), "--set", "environment.gravity=[0, 0, -1]"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("has no equilibrium near its start"));
}

}  // namespace
}  // namespace spacedyn::equilibrium_test
