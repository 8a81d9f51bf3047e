#include "resume.hpp"

#include <algorithm>

#include "checkpoint_keeper.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"

namespace spacedyn::cli {
namespace {

/// A new value takes the place of an earlier one.
std::vector<Override> merge(std::vector<Override> earlier, const std::vector<Override>& later) {
  for (const Override& change : later) {
    const auto same = std::find_if(earlier.begin(), earlier.end(), [&](const Override& other) {
      return other.first == change.first;
    });
    if (same == earlier.end()) {
      earlier.push_back(change);
    } else {
      same->second = change.second;
    }
  }
  return earlier;
}

CheckpointFile read_file(const std::string& path) {
  try {
    return read_checkpoint(path);
  } catch (const IoError& error) {
    throw Failure(ExitCode::bad_input, error.what(),
                  "run the scenario from its start, with --force to overwrite these results");
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
  const Scenario now = reading(file, [&] { return load_scenario(file, overrides); });
  const OutputDirectory found =
      OutputDirectory::of_earlier_run(now.name, options.output, now.format);
  CheckpointFile checkpoint = read_file(found.checkpoint());
  std::vector<Override> all = merge(checkpoint.overrides, overrides);
  Scenario scenario = read_scenario(file, all, options.strict, console);
  OutputDirectory directory =
      OutputDirectory::of_earlier_run(scenario.name, options.output, scenario.format);
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
