#include "resume.hpp"

#include <filesystem>

#include "failure.hpp"
#include "inputs.hpp"
#include "simulation_run.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/scenario/scenario_run.hpp"

namespace spacedyn::cli {
namespace {

CheckpointFile read_file(const std::string& path) {
  try {
    return read_checkpoint(path);
  } catch (const IoError& error) {
    throw Failure(ExitCode::bad_input, error.what(),
                  "run the scenario from its start, with --force to overwrite these results");
  }
}

/// The directory of the run that is to go on. @throws Failure (3)
OutputDirectory find_directory(const SimulateOptions& options, const Scenario& scenario) {
  try {
    return OutputDirectory::of_earlier_run(scenario.name, options.output, scenario.format);
  } catch (const OutputDirectoryError& error) {
    using Kind = OutputDirectoryError::Kind;
    if (error.kind() == Kind::in_use) throw directory_failure(error);
    throw Failure(ExitCode::bad_input, error.what(),
                  error.kind() == Kind::no_checkpoint
                      ? "the run is complete"
                      : "run the scenario without --resume, or name its directory with -o");
  }
}

/// The checkpoint, and what was set with `--set` until then.
std::optional<CheckpointFile> read_checkpoint_of(const OutputDirectory& directory) {
  if (!std::filesystem::exists(directory.checkpoint())) return std::nullopt;
  return read_file(directory.checkpoint());
}

void refuse_changes(const Resumption& run, const CheckpointFile& checkpoint) {
  const std::string key = find_difference(checkpoint, run.scenario);
  if (key.empty()) return;
  throw Failure(ExitCode::bad_input,
                "cannot resume: '" + key +
                    "' of the scenario is not what it was at the checkpoint '" +
                    run.directory.checkpoint() + "'",
                "only 'integrator' and 'checks' may change; undo the other change, or run the "
                "scenario from its start");
}

/// A run that left no checkpoint begins again, if it is the same one.
void refuse_changes(const Resumption& run, const RunFacts& facts) {
  const std::string file = find_difference(facts, run.scenario);
  if (file.empty()) return;
  throw Failure(ExitCode::bad_input,
                "cannot resume: '" + file + "' is not what it was when the run began",
                "undo the change, or run the scenario from its start, with --force to overwrite "
                "these results");
}

}  // namespace

Resumption find_resumption(const SimulateOptions& options, const std::vector<Override>& overrides,
                           Console& console) {
  const std::string& file = options.scenario;
  // its name tells the directory, its format the name of the result
  const Scenario now = reading(file, [&] { return open_input(file, overrides); });
  const OutputDirectory found = find_directory(options, now);
  std::optional<CheckpointFile> checkpoint = read_checkpoint_of(found);
  const RunFacts facts =
      checkpoint ? RunFacts() : reading(file, [&] { return facts_of_run(found); });
  std::vector<Override> all =
      merge_overrides(checkpoint ? checkpoint->overrides : facts.overrides, overrides);
  Scenario scenario = read_scenario(file, all, options.strict, console);
  OutputDirectory directory = find_directory(options, scenario);
  Resumption run{std::move(all), std::move(scenario), std::move(directory), std::move(checkpoint)};
  if (!run.checkpoint) {
    refuse_changes(run, facts);
    console.note("the run ended before its first checkpoint, so it begins again");
    run.directory = create_directory(run.scenario, run.directory.path().string(), true);
    return run;
  }
  refuse_changes(run, *run.checkpoint);
  const std::string_view set = to_string(instruction_set());
  if (run.checkpoint->instruction_set != set) {
    console.note("the run has used the instruction set " + run.checkpoint->instruction_set +
                 " so far; with " + std::string(set) + " the last digits may differ");
  }
  return run;
}

}  // namespace spacedyn::cli
