#include <set>

#include "cli/program.hpp"

namespace spacedyn::examples_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::read_text;
using testing::run_program;
using testing::Surroundings;
using testing::TemporaryDirectory;
namespace fs = std::filesystem;

Outcome run_in(const TemporaryDirectory& directory, const std::vector<std::string>& arguments) {
  Surroundings surroundings;
  surroundings.directory = directory.path().string();
  return run_program(arguments, surroundings);
}

/// Files of fits, scenarios and sweeps, as `scenarios/lander.yaml`.
std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const char* folder : {"fits", "optimizations", "scenarios", "sweeps"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(SPACEDYN_MODELS) / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      files.push_back(std::string(folder) + '/' + entry.path().filename().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string name_of(const std::string& file) { return fs::path(file).stem().string(); }

TEST(Examples, ListsTheShippedScenarios) {
  const Outcome outcome = run_program({"examples"});
  EXPECT_EQ(outcome.exit_code, 0);
  const std::vector<std::string> files = shipped();
  std::vector<std::string> listed;
  std::set<std::string> titles;
  for (const std::string& line : testing::lines_of(outcome.out)) {
    listed.push_back(line.substr(0, line.find(' ')));
    const std::size_t title = line.find_first_not_of(' ', listed.back().size());
    ASSERT_NE(title, std::string::npos) << "no title: " << line;
    ASSERT_LE(listed.size(), files.size());
    EXPECT_EQ(listed.back(), name_of(files[listed.size() - 1]));
    const std::string file = std::string(SPACEDYN_MODELS) + '/' + files[listed.size() - 1];
    EXPECT_EQ("# " + line.substr(title), testing::lines_of(read_text(file)).front());
    titles.insert(line.substr(title));
  }
  EXPECT_EQ(titles.size(), listed.size());  // each says something of its own
  EXPECT_EQ(listed.size(), files.size());
  EXPECT_THAT(outcome.err, HasSubstr("next: spacedyn examples "));
}

TEST(Examples, ListsThoseAboutATopic) {
  const Outcome outcome = run_program({"examples", "Dzhanibekov"});  // no name: it has a capital
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("dzhanibekov  "));
  const std::size_t about = testing::lines_of(run_program({"examples", "wheel"}).out).size();
  EXPECT_GT(about, 2U);
  EXPECT_LT(about, shipped().size());
  EXPECT_EQ(json::parse(run_program({"examples", "--json", "wheel"}).out).size(), about);
  EXPECT_EQ(run_program({"examples", "nothing like it"}).exit_code, 2);
}

TEST(Examples, ListsThemAsJson) {
  const Outcome outcome = run_program({"examples", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const json examples = json::parse(outcome.out);
  ASSERT_EQ(examples.size(), shipped().size());
  for (const json& example : examples) {
    EXPECT_TRUE(fs::exists(example.at("file").get<std::string>()));
    EXPECT_FALSE(example.at("title").get<std::string>().empty());
    EXPECT_FALSE(example.at("description").get<std::string>().empty());
  }
}

TEST(Examples, CopiesOneThatRunsAtOnce) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_in(directory, {"examples", "dzhanibekov"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(testing::lines_of(outcome.out),
              ElementsAre("robots/asymmetric_top.yaml", "scenarios/dzhanibekov.yaml"));
  EXPECT_EQ(outcome.err, "next: spacedyn simulate scenarios/dzhanibekov.yaml\n");
  EXPECT_EQ(read_text(directory / "scenarios/dzhanibekov.yaml"),
            read_text(std::string(SPACEDYN_MODELS) + "/scenarios/dzhanibekov.yaml"));
  const Outcome run =
      run_in(directory, {"simulate", "scenarios/dzhanibekov.yaml", "--set", "duration=1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(Examples, EveryOneCanBeCopiedAndIsValid) {
  const TemporaryDirectory directory;
  for (const std::string& file : shipped()) {
    SCOPED_TRACE(file);
    EXPECT_EQ(run_in(directory, {"examples", "-q", name_of(file)}).exit_code, 0);
    const Outcome outcome = run_in(directory, {"check", file});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

TEST(Examples, LeavesAloneWhatIsThereAlready) {
  const TemporaryDirectory directory;
  EXPECT_EQ(run_in(directory, {"examples", "dzhanibekov"}).exit_code, 0);
  EXPECT_EQ(run_in(directory, {"examples", "dzhanibekov"}).exit_code, 0);
  fs::remove(directory / "scenarios/dzhanibekov.yaml");
  testing::write_text(directory / "robots/asymmetric_top.yaml", "mine");
  const Outcome outcome = run_in(directory, {"examples", "dzhanibekov"});
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.err,
            "spacedyn: error: cannot write 'robots/asymmetric_top.yaml': it exists already and is "
            "not overwritten\n");
  EXPECT_EQ(read_text(directory / "robots/asymmetric_top.yaml"), "mine");
  EXPECT_FALSE(fs::exists(directory / "scenarios/dzhanibekov.yaml"));
}

}  // namespace
}  // namespace spacedyn::examples_test
