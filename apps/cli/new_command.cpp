#include <algorithm>

#include <fmt/format.h>

#include "commands.hpp"
#include "failure.hpp"
#include "new_files.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "starter.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {
namespace {

void check_name(const std::string& name) {
  const bool is_plain = !name.empty() && file_stem(name) == name;
  const bool starts_well = is_plain && ((name.front() >= 'a' && name.front() <= 'z') ||
                                        (name.front() >= 'A' && name.front() <= 'Z'));
  if (starts_well) return;
  throw Failure(ExitCode::wrong_command_line,
                "a name has letters, digits, - and _ and starts with a letter, got '" + name + "'",
                "for example: spacedyn new my_robot");
}

}  // namespace

ExitCode run_new(const NewOptions& options, Console& console) {
  check_name(options.name);
  const std::filesystem::path directory = options.name;
  const std::vector<NewFile> files{{directory / "robot.yaml", starter_model(options.name)},
                                   {directory / "scenario.yaml", starter_scenario(options.name)}};
  std::vector<NewFile> written = files;
  // what the first line of each file names, where editors look for it, for completion in an editor
  written.push_back({directory / ".schema/model.json", model_schema()});
  written.push_back({directory / ".schema/scenario.json", scenario_schema()});
  write_new_files(written, false);
  report_new_files(
      files, console,
      fmt::format("next: {} simulate {}", shell_word(options.program), files.back().path.string()));
  return ExitCode::done;
}

}  // namespace spacedyn::cli
