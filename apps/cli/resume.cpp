#include "resume.hpp"

#include "failure.hpp"
#include "inputs.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/loading/first_flight.hpp"
#include "spacedyn/scenario/resumption.hpp"

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
    throw Failure(ExitCode::bad_input, error.what(),
                  error.kind() == OutputDirectoryError::Kind::no_checkpoint
                      ? "the run is complete, or it ended before its first checkpoint"
                      : "run the scenario without --resume, or name its directory with -o");
  }
}

void refuse_changes(const Resumption& run) {
  const std::string key = find_difference(run.checkpoint, run.scenario);
  if (key.empty()) return;
  throw Failure(ExitCode::bad_input,
                "cannot resume: '" + key +
                    "' of the scenario is not what it was at the checkpoint '" +
                    run.directory.checkpoint() + "'",
                "only 'integrator' and 'checks' may change; undo the other change, or run the "
                "scenario from its start");
}

}  // namespace

Resumption find_resumption(const SimulateOptions& options, const std::vector<Override>& overrides,
                           Console& console) {
  const std::string& file = options.scenario;
  // its name tells the directory, its format the name of the result
  const Scenario now = reading(file, [&] { return open_scenario(file, overrides); });
  CheckpointFile checkpoint = read_file(find_directory(options, now).checkpoint());
  std::vector<Override> all = merge_overrides(checkpoint.overrides, overrides);
  Scenario scenario = read_scenario(file, all, options.strict, console);
  OutputDirectory directory = find_directory(options, scenario);
  Resumption run{std::move(all), std::move(scenario), std::move(directory), std::move(checkpoint)};
  refuse_changes(run);
  const std::string_view set = to_string(instruction_set());
  if (run.checkpoint.instruction_set != set) {
    console.note("the run has used the instruction set " + run.checkpoint.instruction_set +
                 " so far; with " + std::string(set) + " the last digits may differ");
  }
  return run;
}

}  // namespace spacedyn::cli
