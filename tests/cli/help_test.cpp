// Help, manual pages, completions and the table of options in the guide: all say the same.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "cli/program.hpp"

namespace spacedyn::help_test {
namespace {

using ::testing::HasSubstr;
using testing::lines_of;
using ::testing::Not;
using testing::Outcome;
using testing::read_text;
using testing::run_program;

using Words = std::set<std::string>;

/// What the program says; asked once for the same words.
const std::string& printed(const std::vector<std::string>& arguments) {
  static std::map<std::vector<std::string>, std::string> said;
  const auto [place, is_new] = said.try_emplace(arguments);
  if (is_new) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    place->second = outcome.out;
  }
  return place->second;
}

std::vector<std::string> commands() {
  std::vector<std::string> names;
  bool is_list = false;
  for (const std::string& line : lines_of(printed({"--help"}))) {
    if (is_list && line.empty()) break;
    if (is_list) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (line == "Commands:") is_list = true;
  }
  return names;
}

/// All names of all options, for instance `-q` and `--quiet`, as `--help` prints them.
Words options_of(const std::string& command) {
  Words names;
  const std::regex option("^  (-[^ ]+)");
  for (const std::string& line : lines_of(printed({command, "--help"}))) {
    std::smatch found;
    if (!std::regex_search(line, found, option)) continue;
    std::istringstream list(found[1]);
    for (std::string name; std::getline(list, name, ',');) names.insert(name);
  }
  return names;
}

TEST(Help, OfACommandIsThatOfItsOption) {
  EXPECT_EQ(printed({"help"}), printed({"--help"}));
  ASSERT_GE(commands().size(), 16U);
  for (const std::string& command : commands()) {
    EXPECT_EQ(printed({"help", command}), printed({command, "--help"})) << command;
  }
}

TEST(Help, KnowsWhatItDoesNotKnow) {
  for (const char* asked : {"help", "man"}) {
    const Outcome outcome = run_program({asked, "simulat"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err,
              "spacedyn: error: unknown command 'simulat'\nhint: did you mean 'simulate'?\n");
  }
  const Outcome shell = run_program({"completion", "bsh"});
  EXPECT_EQ(shell.exit_code, 2);
  EXPECT_EQ(shell.err,
            "spacedyn: error: there is no completion for 'bsh'; give bash, zsh or fish\n"
            "hint: did you mean 'bash'?\n");
  EXPECT_EQ(run_program({"completion"}).exit_code, 2);
}

/// Options that a manual page lists, without the formatter's escapes.
Words options_in_page(std::string page) {
  for (std::size_t at = page.find("\\-"); at != std::string::npos; at = page.find("\\-")) {
    page.replace(at, 2, "-");
  }
  Words names;
  const std::regex option("\\\\fB(-[^\\\\]+)\\\\fR");
  for (auto found = std::sregex_iterator(page.begin(), page.end(), option);
       found != std::sregex_iterator(); ++found) {
    names.insert((*found)[1]);
  }
  return names;
}

TEST(ManualPages, ListTheOptionsOfTheProgramAndAreThoseThatAreInstalled) {
  const std::string folder = std::string(SPACEDYN_SHARE) + "/man/man1/spacedyn";
  EXPECT_EQ(read_text(folder + ".1"), printed({"man"}));
  for (const std::string& command : commands()) {
    const std::string page = printed({"man", command});
    EXPECT_EQ(options_in_page(page), options_of(command)) << command;
    EXPECT_THAT(page, HasSubstr(".SH SYNOPSIS\n.B spacedyn " + command + "\n"));
    EXPECT_EQ(read_text(folder + '-' + command + ".1"), page);
    EXPECT_THAT(printed({"man"}), HasSubstr(".BR spacedyn\\-" + command + " (1)\n"));
  }
}

TEST(Completions, KnowEveryOptionAndAreThoseThatAreInstalled) {
  const std::string share = SPACEDYN_SHARE;
  const std::string bash = printed({"completion", "bash"});
  const std::string zsh = printed({"completion", "zsh"});
  const std::string fish = printed({"completion", "fish"});
  EXPECT_EQ(read_text(share + "/bash-completion/completions/spacedyn"), bash);
  EXPECT_EQ(read_text(share + "/zsh/site-functions/_spacedyn"), zsh);
  EXPECT_EQ(read_text(share + "/fish/vendor_completions.d/spacedyn.fish"), fish);
  for (const std::string& command : commands()) {
    const std::size_t of_bash = bash.find("      " + command + ") options='");
    ASSERT_NE(of_bash, std::string::npos) << command;
    const std::string list = bash.substr(of_bash, bash.find(";;", of_bash) - of_bash);
    for (const std::string& option : options_of(command)) {
      EXPECT_THAT(list, ::testing::ContainsRegex(option + "[ ']")) << command;
      EXPECT_THAT(zsh, HasSubstr("'*" + option + "["));
      const bool is_long = option[1] == '-';
      EXPECT_THAT(fish, HasSubstr(is_long ? " -l " + option.substr(2) : " -s " + option.substr(1)));
    }
  }
}

/// What bash completes after some words, sorted.
std::string completed(const std::vector<std::string>& words) {
  std::string script = "source " SPACEDYN_SHARE "/bash-completion/completions/spacedyn\n";
  script += "COMP_WORDS=(spacedyn";
  for (const std::string& word : words) script += " '" + word + "'";
  script += ")\nCOMP_CWORD=" + std::to_string(words.size()) +
            "\n_spacedyn\nprintf '%s\\n' \"${COMPREPLY[@]}\" | sort | tr '\\n' ' '\n";
  const testing::TemporaryDirectory folder;
  testing::write_text(folder / "script", script);
  const std::string command =
      "cd '" + folder.path().string() + "' && bash --noprofile --norc script > out 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return read_text(folder / "out");
}

TEST(Completions, WorkInBash) {
  EXPECT_EQ(completed({"sim"}), "simulate ");
  EXPECT_EQ(completed({"simulate", "--fo"}), "--force --format ");
  EXPECT_EQ(completed({"simulate", "--format", ""}), "csv hdf5 ");
  EXPECT_EQ(completed({"schema", "m"}), "model ");
  EXPECT_EQ(completed({"help", "lin"}), "linearize ");
  EXPECT_EQ(completed({"check", "scr"}), "script ");
}

/// What the table of the guide says: the options of each command.
std::map<std::string, Words> documented() {
  std::map<std::string, Words> table;
  std::string text = read_text(SPACEDYN_DOCS "/command-line.md");
  const std::size_t begin = text.find("\n## Options\n");
  text = text.substr(begin, text.find("\n## ", begin + 4) - begin);
  const std::regex code("`(-[^ `]+)[^`]*`"), word("[a-z]+");
  for (const std::string& line : lines_of(text)) {
    if (line.rfind("| `-", 0) != 0) continue;
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    const std::string names = line.substr(0, first);
    std::string of = line.substr(first + 3, second - first - 3);
    const bool is_all = of.rfind("all", 0) == 0;
    if (is_all) of.erase(0, of.rfind("all but", 0) == 0 ? 7 : 3);
    Words listed;
    for (auto found = std::sregex_iterator(of.begin(), of.end(), word);
         found != std::sregex_iterator(); ++found) {
      listed.insert(found->str());
    }
    for (auto found = std::sregex_iterator(names.begin(), names.end(), code);
         found != std::sregex_iterator(); ++found) {
      for (const std::string& command : commands()) {
        if (is_all != (listed.count(command) > 0)) table[command].insert((*found)[1]);
      }
      if (is_all) continue;
      for (const std::string& name : listed) table[name].insert((*found)[1]);
    }
  }
  return table;
}

TEST(Guide, HasTheOptionsOfTheProgram) {
  std::map<std::string, Words> program;
  for (const std::string& command : commands()) program[command] = options_of(command);
  EXPECT_EQ(documented(), program);
}

}  // namespace
}  // namespace spacedyn::help_test
