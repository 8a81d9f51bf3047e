// The JSON Schemas against the loader: what the schema refuses the loader refuses as well, and what
// the loader accepts the schema accepts.
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include <gtest/gtest.h>

#include "contracts/case_file.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::schema_test {
namespace {

using testing::TemporaryFolder;

/// Verdict of a schema on each file of the sub-folder `files`, by name.
std::map<std::string, std::string> schema_verdicts(const TemporaryFolder& folder,
                                                   const std::string& schema) {
  const std::string command = std::string(SPACEDYN_CHECK_SCHEMA) + " '" +
                              folder.write("schema.json", schema) + "' '" + folder.path("files") +
                              "' 2>&1";
  const auto close = [](std::FILE* pipe) { pclose(pipe); };
  const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  std::string output;
  for (char buffer[4096]; std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr;) {
    output += buffer;
  }
  std::map<std::string, std::string> verdicts;
  std::istringstream lines(output);
  for (std::string name, verdict; lines >> name >> verdict;) verdicts[name] = verdict;
  EXPECT_FALSE(verdicts.empty()) << output;
  return verdicts;
}

void compare(const std::string& schema, const std::string& cases) {
  const TemporaryFolder folder;
  const auto examples = testing::read_cases(cases);
  for (const auto& example : examples) {
    folder.write("files/" + example.name + ".yaml", example.text);
  }
  const auto verdicts = schema_verdicts(folder, schema);
  EXPECT_EQ(verdicts.size(), examples.size());
  for (const auto& example : examples) {
    const auto verdict = verdicts.find(example.name);
    ASSERT_NE(verdict, verdicts.end()) << example.name;
    EXPECT_EQ(verdict->second, example.schema_refuses ? "refused" : "accepted") << example.name;
  }
}

TEST(Schema, OfModelsRefusesWhatTheLoaderRefuses) { compare(model_schema(), "model"); }

TEST(Schema, OfScenariosRefusesWhatTheLoaderRefuses) { compare(scenario_schema(), "scenario"); }

/// Copies shipped files; names are unique across folders of a kind.
int copy_shipped(const std::string& from, const TemporaryFolder& folder) {
  int count = 0;
  std::filesystem::create_directories(folder.path("files"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(from)) {
    if (entry.path().extension() != ".yaml") continue;
    std::filesystem::copy_file(entry.path(),
                               folder.path("files/") + entry.path().filename().string());
    ++count;
  }
  return count;
}

void expect_all_accepted(const std::map<std::string, std::string>& verdicts, int count) {
  EXPECT_EQ(static_cast<int>(verdicts.size()), count);
  for (const auto& [name, verdict] : verdicts) EXPECT_EQ(verdict, "accepted") << name;
}

TEST(Schema, OfModelsAcceptsShippedModels) {
  const TemporaryFolder folder;
  const int count = copy_shipped(SPACEDYN_MODELS "/robots", folder);
  expect_all_accepted(schema_verdicts(folder, model_schema()), count);
}

TEST(Schema, OfScenariosAcceptsShippedScenarios) {
  const TemporaryFolder folder;
  const int count = copy_shipped(SPACEDYN_MODELS "/scenarios", folder);
  expect_all_accepted(schema_verdicts(folder, scenario_schema()), count);
}

TEST(Schema, OfScenariosTakesUnitsOfSpringsAtJoints) {
  const TemporaryFolder folder;
  folder.write(
      "files/spring.yaml",
      "spacedyn: 1\n"
      "scenario:\n"
      "  name: spring\n"
      "  model: robot.yaml\n"
      "  duration: 1\n"
      "  forces:\n"
      "    - {type: spring_damper, joint: hinge, stiffness: 2 N*m/rad, damping: 1 N m s/rad}\n");
  expect_all_accepted(schema_verdicts(folder, scenario_schema()), 1);
}

TEST(Schema, OfModelsAcceptsWhatTheWriterWrites) {
  const TemporaryFolder folder;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SPACEDYN_MODELS "/robots")) {
    if (entry.path().extension() != ".yaml") continue;
    folder.write("files/" + entry.path().filename().string(),
                 write_model(*load_model(entry.path().string()).model));
    ++count;
  }
  expect_all_accepted(schema_verdicts(folder, model_schema()), count);
}

}  // namespace
}  // namespace spacedyn::schema_test
