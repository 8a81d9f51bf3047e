#include "cli/program.hpp"
#include "spacedyn/version.hpp"
#include "support/case_name.hpp"

namespace spacedyn::command_line_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::run_program;
using ::testing::StartsWith;

TEST(CommandLine, PrintsItsVersions) {
  for (const char* option : {"--version", "-V"}) {
    const Outcome outcome = run_program({option});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, StartsWith(std::string("spacedyn ") + kVersion));
    for (const char* part : {"\nEigen 3.", "\nBoost 1.", "\nyaml-cpp 0.", "\nHDF5 1."}) {
      EXPECT_THAT(outcome.out, HasSubstr(part));
    }
  }
}

const std::vector<std::string>& commands() {
  static const std::vector<std::string> names{
      "check", "info", "evaluate", "modes",   "linearize", "simulate", "sweep",  "report",
      "fit",   "plot", "view",     "convert", "examples",  "new",      "schema", "equilibrium"};
  return names;
}

TEST(CommandLine, ListsWhatIsBuiltAndNothingElse) {
  const Outcome outcome = run_program({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const std::string& name : commands()) EXPECT_THAT(outcome.out, HasSubstr("\n  " + name));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\n  --seed")));
  for (const char* code : {"0 done", "2 wrong command line", "3 bad input", "4 the integration",
                           "5 a limit", "6 output", "130 interrupted"}) {
    EXPECT_THAT(outcome.out, HasSubstr(code));
  }
}

TEST(CommandLine, HelpsWithEachCommandAndGivesAnExample) {
  for (const std::string& name : commands()) {
    const Outcome outcome = run_program({name, "--help"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("Usage: spacedyn " + name));
    EXPECT_THAT(outcome.out, HasSubstr("\nExample:\n  "));
    EXPECT_THAT(outcome.out, HasSubstr("spacedyn " + name + " "));
  }
}

struct Misuse {
  std::vector<std::string> arguments;
  std::string message;
};

class CommandLineMisuse : public ::testing::TestWithParam<Misuse> {};

TEST_P(CommandLineMisuse, EndsWithTwo) {
  const Outcome outcome = run_program(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "spacedyn: error: " + GetParam().message + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, CommandLineMisuse,
    ::testing::Values(
        Misuse{{}, "a command is missing\nhint: see 'spacedyn --help'"},
        Misuse{{"simulat", "a.yaml"}, "unknown command 'simulat'\nhint: did you mean 'simulate'?"},
        Misuse{{"sim", "a.yaml"}, "unknown command 'sim'\nhint: did you mean 'simulate'?"},
        Misuse{{"fly", "a.yaml"}, "unknown command 'fly'\nhint: did you mean 'simulate'?"},
        Misuse{{"launch"}, "unknown command 'launch'\nhint: see 'spacedyn --help'"},
        Misuse{{"--verson"},
               "unknown option '--verson' before the command\nhint: did you mean '--version'?"},
        Misuse{{"--strict", "info", "a"},
               "unknown option '--strict' before the command\n"
               "hint: options of a command stand behind it"},
        Misuse{{"simulate"}, "SCENARIO is missing\nhint: see 'spacedyn simulate --help'"},
        Misuse{{"check"}, "FILE is missing\nhint: see 'spacedyn check --help'"},
        Misuse{{"evaluate", "a"}, "STATE is missing\nhint: see 'spacedyn evaluate --help'"},
        Misuse{{"simulate", "a", "b"},
               "unexpected argument 'b' for 'simulate'\nhint: see 'spacedyn simulate --help'"},
        Misuse{{"simulate", "--outptu", "d", "a"},
               "unknown option '--outptu' for 'simulate'\nhint: did you mean '--output'?"},
        Misuse{{"simulate", "--out", "d", "a"},
               "unknown option '--out' for 'simulate'\nhint: did you mean '--output'?"},
        Misuse{{"simulate", "--dt", "0.1", "a"},
               "unknown option '--dt' for 'simulate'\n"
               "hint: did you mean '--set integrator.step=SECONDS'?"},
        Misuse{{"simulate", "--zz", "a"},
               "unknown option '--zz' for 'simulate'\nhint: see 'spacedyn simulate --help'"},
        Misuse{{"simulate", "--stric=1"},
               "unknown option '--stric' for 'simulate'\nhint: did you mean '--strict'?"},
        Misuse{{"simulate", "a", "--restart"},
               "unknown option '--restart' for 'simulate'\nhint: see 'spacedyn simulate --help'"},
        Misuse{{"simulate", "a", "-o"},
               "option '--output' needs a value\nhint: see 'spacedyn simulate --help'"},
        Misuse{{"simulate", "a", "-o", "d", "-o", "e"},
               "option '--output' is given more than once\n"
               "hint: see 'spacedyn simulate --help'"},
        Misuse{{"simulate", "a", "--set", "duration"},
               "option '--set' needs KEY.PATH=VALUE, got 'duration'\n"
               "hint: for example --set integrator.relative_tolerance=1.0e-11"},
        Misuse{{"simulate", "a", "--set", "=1"},
               "option '--set' needs KEY.PATH=VALUE, got '=1'\n"
               "hint: for example --set integrator.relative_tolerance=1.0e-11"},
        Misuse{{"info", "a", "--color", "blue"},
               "option '--color' is auto, always or never, got 'blue'"},
        Misuse{{"schema", "modle"},
               "there is no schema of 'modle'; give model, scenario, sweep, fit or optimize\n"
               "hint: did you mean 'model'?"},
        Misuse{{"new", "my robot"},
               "a name has letters, digits, - and _ and starts with a letter, got 'my robot'\n"
               "hint: for example: spacedyn new my_robot"},
        Misuse{{"examples", "dzanibekov"},
               "there is no example 'dzanibekov'\nhint: did you mean 'dzhanibekov'?"}),
    [](const auto& misuse) {
      std::string words;
      for (const std::string& word : misuse.param.arguments) words += word + ' ';
      return testing::numbered_name(misuse.index, words);
    });

TEST(CommandLine, GivesItsErrorsAsJsonWhereAsked) {
  const Outcome outcome = run_program({"info", "--json"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  const auto errors = nlohmann::json::parse(outcome.err);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0], nlohmann::json({{"file", ""},
                                       {"line", 0},
                                       {"col", 0},
                                       {"severity", "error"},
                                       {"code", "command_line"},
                                       {"message", "MODEL is missing"},
                                       {"hint", "see 'spacedyn info --help'"}}));
}

TEST(CommandLine, NoticesThatStandardOutputIsFull) {
  testing::Surroundings surroundings;
  surroundings.output_device = "/dev/full";
  const Outcome outcome = run_program({"--version"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.err,
            "spacedyn: error: cannot write to standard output: No space left on device\n");
}

}  // namespace
}  // namespace spacedyn::command_line_test
