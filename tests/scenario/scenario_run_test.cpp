#include "spacedyn/scenario/scenario_run.hpp"

#include <limits>

#include "spacedyn/forces/function_force.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::scenario_run_test {
namespace {

namespace fs = std::filesystem;
using testing::read_text;
using testing::TemporaryDirectory;
using Kind = OutputDirectoryError::Kind;

const std::string kGeared = std::string(SPACEDYN_MODELS) + "/scenarios/geared_joint.yaml";
const std::vector<Override> kCsv{{"output.format", "csv"}};

/// Stops a run after some time.
class Stopper final : public SimulationObserver {
 public:
  explicit Stopper(double time) : time_(time) {}
  void on_output(const SimulationPoint&) override {}
  bool on_step(double time, const IntegratorStatistics&) override { return time < time_; }

 private:
  double time_;
};

Kind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const OutputDirectoryError& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return Kind::unusable;
}

TEST(ScenarioRun, WritesResultMetadataAndPageOfAFile) {
  const TemporaryDirectory folder;
  const RunRecord record = run_scenario_file(kGeared, kCsv, folder / "run");
  EXPECT_EQ(record.status, RunStatus::complete);
  ASSERT_EQ(record.files.size(), 3U);
  for (const std::string& file : record.files) EXPECT_TRUE(fs::exists(file)) << file;
  EXPECT_NE(read_text(record.files[2]).find("<html"), std::string::npos);
  EXPECT_NE(read_text(record.files[1]).find("\"complete\""), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "run"), {}), 3);  // no checkpoint
}

TEST(ScenarioRun, GoesOnAfterAStopAsIfThereHadBeenNone) {
  const TemporaryDirectory folder;
  const Scenario scenario = load_scenario(kGeared, kCsv);
  const OutputDirectory whole(scenario.name, folder / "whole", scenario.format);
  RunRecord record = start_record(scenario, kCsv, whole);
  run_scenario(scenario, whole, {}, record);

  const OutputDirectory parts(scenario.name, folder / "parts", scenario.format);
  Stopper stopper(0.4 * scenario.duration);
  ScenarioRunOptions options;
  options.observer = &stopper;
  record = start_record(scenario, kCsv, parts);
  run_scenario(scenario, parts, options, record);
  EXPECT_EQ(record.status, RunStatus::interrupted);
  EXPECT_LT(record.time, scenario.duration);

  const OutputDirectory found =
      OutputDirectory::of_earlier_run(scenario.name, folder / "parts", scenario.format);
  const CheckpointFile earlier = read_checkpoint(found.checkpoint());
  EXPECT_EQ(find_difference(earlier, scenario), "");
  record = start_record(scenario, kCsv, found, &earlier);
  run_scenario(scenario, found, {10.0, nullptr, &earlier}, record);
  EXPECT_EQ(record.status, RunStatus::complete);
  EXPECT_EQ(read_text(found.result()), read_text(whole.result()));
  EXPECT_FALSE(fs::exists(found.checkpoint()));
}

/// A motor that stiff friction stops: steps of an explicit method are as short as stability
/// demands.
TEST(ScenarioRun, WarnsOfStiffnessAfterABreakAsWithoutOne) {
  const TemporaryDirectory folder;
  const std::string brake = std::string(SPACEDYN_MODELS) + "/scenarios/emergency_brake.yaml";
  const std::vector<Override> how{{"output.format", "csv"},
                                  {"duration", "4"},
                                  {"integrator", "{method: dopri5, relative_tolerance: 1.0e-6}"}};
  const Scenario scenario = load_scenario(brake, how);
  const OutputDirectory whole(scenario.name, folder / "whole", scenario.format);
  RunRecord record = start_record(scenario, how, whole);
  run_scenario(scenario, whole, {}, record);
  const std::vector<std::string> warnings = record.warnings;
  const auto stiff = [](const std::string& text) {
    return text.find("stiff") != std::string::npos;
  };
  ASSERT_TRUE(std::any_of(warnings.begin(), warnings.end(), stiff));

  const OutputDirectory parts(scenario.name, folder / "parts", scenario.format);
  Stopper stopper(0.999 * scenario.duration);  // fewer steps follow than a judgement needs
  ScenarioRunOptions options;
  options.observer = &stopper;
  record = start_record(scenario, how, parts);
  run_scenario(scenario, parts, options, record);
  const CheckpointFile earlier = read_checkpoint(parts.checkpoint());
  record = start_record(scenario, how, parts, &earlier);
  run_scenario(scenario, parts, {10.0, nullptr, &earlier}, record);
  EXPECT_EQ(record.warnings, warnings);
}

// the springs of a patch have no potential while its normal turns
TEST(ScenarioRun, WarnsOfEnergyThatAPatchHasGiven) {
  const TemporaryDirectory folder;
  testing::write_text(folder / "hit.yaml", R"(
spacedyn: 1
scenario:
  name: hit
  robots:
    - name: a
      model: {name: a, base: {name: b, mass: 1, inertia: [0.01, 0.02, 0.02], collision: [{name: s, shape: capsule, radius: 0.1, length: 0.4}]}}
      initial: {base: {position: [-0.8, -0.13, -0.03], rpy: [0.9, -0.8, 1.1], velocity: [2, 0, 0]}}
    - name: t
      model: {name: t, base: {name: b, mass: 1, inertia: [0.01, 0.02, 0.02], collision: [{name: s, shape: box, size: [0.4, 0.3, 0.2]}]}}
      initial: {base: {rpy: [0.3, 0.2, 0.5]}}
  contacts: [{name: k, between: [a.s, t.s], normal: {law: linear, stiffness: 2000}}]
  duration: 0.8
  output: {interval: 0.1, format: csv}
)");
  const auto warns = [&](const std::vector<Override>& changes) {
    const Scenario scenario = load_scenario(folder / "hit.yaml", changes);
    const OutputDirectory out(scenario.name, folder / std::to_string(changes.size()),
                              scenario.format);
    RunRecord record = start_record(scenario, changes, out);
    run_scenario(scenario, out, {}, record);
    return std::any_of(record.warnings.begin(), record.warnings.end(), [](const auto& text) {
      return text.find("contact 'k' has given 0.32 J") != std::string::npos;
    });
  };
  EXPECT_TRUE(warns({}));
  EXPECT_FALSE(warns({{"contacts.k.normal.damping", "13"}}));
}

TEST(ScenarioRun, IsAloneInItsDirectory) {
  const TemporaryDirectory folder;
  const Scenario scenario = load_scenario(kGeared, kCsv);
  const OutputDirectory directory(scenario.name, folder / "run", scenario.format);

  /// Tries all that would disturb the run, inside of it.
  class Intruder final : public SimulationObserver {
   public:
    explicit Intruder(const std::function<void()>& act) : act_(act) {}
    void on_output(const SimulationPoint&) override {
      if (!has_acted_) act_();
      has_acted_ = true;
    }

   private:
    std::function<void()> act_;
    bool has_acted_ = false;
  };
  const auto in_use = [&](const std::function<void()>& call) {
    EXPECT_EQ(kind_of(call), Kind::in_use);
  };
  Intruder intruder([&] {
    const std::string path = folder / "run";
    in_use([&] { OutputDirectory(scenario.name, path, scenario.format); });
    in_use(
        [&] { OutputDirectory(scenario.name, path, scenario.format, ExistingFiles::overwrite); });
    in_use([&] { OutputDirectory::of_earlier_run(scenario.name, path, scenario.format); });
    in_use([&] {
      RunRecord other = start_record(scenario, kCsv, directory);
      run_scenario(scenario, directory, {}, other);
    });
  });
  ScenarioRunOptions options;
  options.observer = &intruder;
  RunRecord record = start_record(scenario, kCsv, directory);
  run_scenario(scenario, directory, options, record);
  EXPECT_EQ(record.status, RunStatus::complete);
  EXPECT_GT(read_text(directory.result()).size(), 1000U);
  EXPECT_EQ(kind_of([&] { OutputDirectory(scenario.name, folder / "run", scenario.format); }),
            Kind::not_empty);
}

TEST(ScenarioRun, KeepsTheRowsBeforeAFailure) {
  const TemporaryDirectory folder;
  Scenario scenario = load_scenario(kGeared, kCsv);
  const double end = 0.5 * scenario.duration;
  scenario.setup.forces.push_back(
      std::make_shared<FunctionForce>("burst", [end](const EvaluationContext& at, Loads& loads) {
        if (at.time > end) loads.tau(0) = std::numeric_limits<double>::quiet_NaN();
      }));
  const OutputDirectory directory(scenario.name, folder / "run", scenario.format);
  RunRecord record = start_record(scenario, kCsv, directory);
  EXPECT_THROW(run_scenario(scenario, directory, {}, record), NumericalError);
  EXPECT_EQ(record.status, RunStatus::failed);
  EXPECT_GT(read_text(directory.result()).size(), 1000U);
  EXPECT_TRUE(fs::exists(directory.checkpoint()));
  EXPECT_NE(read_text(directory.metadata()).find("\"failed\""), std::string::npos);
}

TEST(ScenarioRun, LeavesNothingWhereItCannotBegin) {
  const TemporaryDirectory folder;
  Scenario scenario = load_scenario(kGeared, kCsv);
  scenario.duration = -1.0;
  const OutputDirectory directory(scenario.name, folder / "run", scenario.format);
  RunRecord record = start_record(scenario, kCsv, directory);
  EXPECT_THROW(run_scenario(scenario, directory, {}, record), DomainError);
  EXPECT_FALSE(fs::exists(folder / "run"));
}

TEST(ScenarioRun, SaysWhyADirectoryCannotBeUsed) {
  const TemporaryDirectory folder;
  const auto create = [&] { OutputDirectory("a", folder.path().string(), ResultFormat::csv); };
  const auto find = [&] {
    OutputDirectory::of_earlier_run("a", folder.path().string(), ResultFormat::csv);
  };
  EXPECT_EQ(kind_of(find), Kind::no_run);
  testing::write_text(folder / "a.csv", "time_s\n");
  EXPECT_EQ(kind_of(create), Kind::not_empty);
  EXPECT_EQ(kind_of(find), Kind::no_checkpoint);
  testing::write_text(folder / "a.checkpoint", "");
  EXPECT_EQ(kind_of(create), Kind::holds_checkpoint);
  const OutputDirectory cleared("a", folder.path().string(), ResultFormat::csv,
                                ExistingFiles::overwrite);
  EXPECT_FALSE(fs::exists(cleared.checkpoint()));
  testing::write_text(folder / "file", "");
  EXPECT_EQ(kind_of([&] { OutputDirectory("a", folder / "file/x", ResultFormat::csv); }),
            Kind::unusable);
}

TEST(ScenarioRun, NamesTheKeyThatHasChangedSinceACheckpoint) {
  const Scenario scenario = load_scenario(kGeared);
  CheckpointFile file;
  file.model = write_model(*scenario.setup.model);
  file.sections = scenario.sections;
  EXPECT_EQ(find_difference(file, scenario), "");
  EXPECT_EQ(find_difference(file, load_scenario(kGeared, {{"duration", "0.125"}})), "duration");
  EXPECT_EQ(find_difference(file, load_scenario(kGeared, {{"integrator.max_steps", "9999"}})), "");
}

TEST(ScenarioRun, PutsNewOverridesInPlaceOfEarlierOnes) {
  const std::vector<Override> merged =
      merge_overrides({{"a", "1"}, {"b", "2"}}, {{"b", "3"}, {"c", "4"}});
  EXPECT_EQ(merged, (std::vector<Override>{{"a", "1"}, {"b", "3"}, {"c", "4"}}));
}

}  // namespace
}  // namespace spacedyn::scenario_run_test
