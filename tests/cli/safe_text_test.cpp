// Names of a stranger's file on a terminal: nothing in them can steer it or mislead its reader.
#include "cli/program.hpp"

namespace spacedyn::safe_text_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::StarterDirectory;

struct Danger {
  const char* name;
  std::string yaml;   ///< inside double quotes
  std::string bytes;  ///< in UTF-8
  std::string shown;  ///< on the terminal
};

std::ostream& operator<<(std::ostream& out, const Danger& danger) { return out << danger.name; }

class Terminal : public ::testing::TestWithParam<Danger> {
 protected:
  void expect_safe(const Outcome& outcome) const {
    for (const std::string& text : {outcome.out, outcome.err}) {
      EXPECT_THAT(text, Not(HasSubstr(GetParam().bytes)));
    }
  }
  const StarterDirectory starter_;
};

TEST_P(Terminal, SeesNoDangerousNames) {
  starter_.edit("bot/robot.yaml", "name: upper_arm", "name: \"a" + GetParam().yaml + "b\"");
  starter_.edit("bot/robot.yaml", "parent: upper_arm", "parent: \"a" + GetParam().yaml + "b\"");
  for (const char* form : {"--color=never", "--json"}) {
    const Outcome outcome = starter_.run({"info", "bot/robot.yaml", form});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_safe(outcome);
    EXPECT_THAT(outcome.out, HasSubstr('a' + GetParam().shown + 'b'));
  }
  // JSON still means the same
  const auto json = nlohmann::json::parse(starter_.run({"info", "bot/robot.yaml", "--json"}).out);
  EXPECT_EQ(json.at("links").at(0).at("name"), 'a' + GetParam().bytes + 'b');
}

TEST_P(Terminal, SeesNoDangerousKeysInMessages) {
  starter_.edit("bot/robot.yaml", "effort_limit: 30.0", "\"x" + GetParam().yaml + "y\": 30.0");
  for (const char* form : {"--color=never", "--json"}) {
    const Outcome outcome = starter_.run({"check", "bot/robot.yaml", form});
    EXPECT_EQ(outcome.exit_code, 3);
    expect_safe(outcome);
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr('x' + GetParam().shown + 'y'));
  }
}

std::string name_of(const ::testing::TestParamInfo<Danger>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Character, Terminal,
    ::testing::Values(Danger{"ControlSequence", "\\x9b", "\xC2\x9B", "\\u009b"},
                      Danger{"NextLine", "\\x85", "\xC2\x85", "\\u0085"},
                      Danger{"PaddingCharacter", "\\x80", "\xC2\x80", "\\u0080"},
                      Danger{"RightToLeftOverride", "\\u202e", "\xE2\x80\xAE", "\\u202e"},
                      Danger{"Isolate", "\\u2066", "\xE2\x81\xA6", "\\u2066"},
                      Danger{"ZeroWidthSpace", "\\u200b", "\xE2\x80\x8B", "\\u200b"},
                      Danger{"Tag", "\\U000e0041", "\xF3\xA0\x81\x81", "\\udb40\\udc41"}),
    name_of);

TEST(SafeText, LeavesLettersOfAllLanguagesAsTheyAre) {
  const StarterDirectory starter;
  const std::string name = "Schwenkgelenk_ä_€_関節_🛰";
  starter.edit("bot/robot.yaml", "name: upper_arm", "name: \"" + name + '"');
  starter.edit("bot/robot.yaml", "parent: upper_arm", "parent: \"" + name + '"');
  EXPECT_THAT(starter.run({"info", "bot/robot.yaml"}).out, HasSubstr(' ' + name + ' '));
}

TEST(SafeText, PutsTheCaretBelowThePlaceBehindWideCharacters) {
  const StarterDirectory starter;
  testing::write_text(starter / "a.yaml",
                      "spacedyn: 1\nmodel: {name: \"äöü\xC2\x9B\", bass: 1, base: {name: b}}\n");
  const Outcome outcome = starter.run({"check", "a.yaml"});
  EXPECT_THAT(outcome.err, HasSubstr("a.yaml:2:23: error: "));
  EXPECT_THAT(outcome.err, HasSubstr("  model: {name: \"äöü\\u009b\", bass: 1, base: {name: b}}\n"
                                     "                             ^\n"));
}

}  // namespace
}  // namespace spacedyn::safe_text_test
