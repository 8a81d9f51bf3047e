#include "grammar.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "command_line_errors.hpp"
#include "failure.hpp"
#include "version_text.hpp"

namespace spacedyn::cli {
namespace {

constexpr const char* kDescription =
    "spacedyn: dynamics of floating-base multibody systems such as space robots";
constexpr const char* kFooter = R"(Start here:
  spacedyn examples                   list the scenarios that come with the program
  spacedyn examples ets7_arm_slew     copy one here
  spacedyn simulate scenarios/ets7_arm_slew.yaml

Exit codes: 0 done, 1 internal error, 2 wrong command line, 3 bad input file,
4 the integration failed, 5 a limit under the scenario's checks was exceeded,
6 output could not be written, 7 there is not enough memory,
130 interrupted by Ctrl-C or SIGTERM)";
constexpr std::string_view kExample = "Example:\n  ";

OptionInfo info_of(const CLI::Option& option) {
  OptionInfo info;
  for (const std::string& name : option.get_snames()) info.names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) info.value = option.get_type_name();
  info.description = option.get_description();
  return info;
}

CommandInfo info_of(const CLI::App& command) {
  CommandInfo info;
  info.name = command.get_name();
  info.description = command.get_description();
  info.example = command.get_footer().substr(kExample.size());
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional()) {
      info.options.push_back(info_of(*option));
    } else {
      info.arguments.push_back({option->get_name(), option->get_description(),
                                option->get_required(), option->get_items_expected_max() > 1});
    }
  }
  return info;
}

/// Puts folders before those of the environment, where the library looks for packages.
/// @throws Failure (2) for one that is not there
void extend_package_path(const std::vector<std::string>& folders) {
  constexpr const char* kVariable = "SPACEDYN_PACKAGE_PATH";
  std::string path;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder) || folder.find(':') != std::string::npos) {
      throw Failure(ExitCode::wrong_command_line,
                    "--package-path '" + folder + "': expected a folder whose name has no colon");
    }
    path += folder + ':';
  }
  if (path.empty()) return;
  const char* known = std::getenv(kVariable);
  ::setenv(kVariable, (path + (known == nullptr ? "" : known)).c_str(), 1);
}

}  // namespace

Grammar::Grammar(std::string program) : program_(std::move(program)), app_(kDescription) {
  app_.name("spacedyn");
  app_.footer(kFooter);
  app_.require_subcommand(1);
  app_.get_formatter()->column_width(34);
  app_.get_formatter()->label("REQUIRED", "");
  app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app_.set_help_flag("-h,--help", "Print this help");
  app_.set_version_flag("-V,--version", version_text(), "Print the versions of all parts");
  add_check();
  add_info();
  add_evaluate();
  add_modes();
  add_linearize();
  add_equilibrium();
  add_simulate();
  add_sweep();
  add_fit();
  add_optimize();
  add_report();
  add_plot();
  add_render();
  add_view();
  add_convert();
  add_import();
  add_export();
  add_examples();
  add_new();
  add_schema();
  add_help();
  add_completion();
  add_man();
}

CommandLine Grammar::parse(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "run") arguments.front() = "simulate";
  check_command_name(app_, arguments);
  std::reverse(arguments.begin(), arguments.end());  // what CLI11 expects
  try {
    app_.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return {{}, printing(app_.help())};
  } catch (const CLI::CallForVersion&) {
    return {{}, printing(version_text())};
  } catch (const CLI::ParseError& error) {
    throw command_line_failure(app_, error);
  }
  console_.color = parse_color(color_);
  extend_package_path(package_path_);
  return {console_, command_};
}

ProgramInfo Grammar::description() const {
  ProgramInfo info;
  info.description = app_.get_description();
  info.footer = app_.get_footer();
  for (const CLI::Option* option : app_.get_options()) info.options.push_back(info_of(*option));
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
    info.commands.push_back(info_of(*command));
  }
  return info;
}

Command Grammar::printing(const std::string& text) {
  return [text](Console& console) {
    console.print_exactly(text + (text.back() == '\n' ? "" : "\n"));
    return ExitCode::done;
  };
}

CLI::App* Grammar::add_command(const char* name, const char* description, const char* example) {
  CLI::App* command = app_.add_subcommand(name, description)->group("Commands");
  command->footer(std::string(kExample) + example);
  return command;
}

void Grammar::add_json(CLI::App* command) {
  command->add_flag("--json", console_.json, "Print results and errors as JSON");
}

void Grammar::add_quiet(CLI::App* command, const char* description) {
  command->add_flag("-q,--quiet", console_.quiet, description);
}

void Grammar::add_reading(CLI::App* command, bool& strict) {
  command->add_flag("--strict", strict, "Treat warnings as errors");
  command
      ->add_option("--package-path", package_path_,
                   "Folder of packages for package:// in URDF and MJCF; repeatable")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

const CLI::App* Grammar::command_of(const std::string& name) const {
  check_command_name(app_, {name});
  return app_.get_subcommand(name);
}

std::string Grammar::help_text(const std::string& name) const {
  if (!name.empty()) return command_of(name)->help(app_.get_name());
  return app_.get_formatter()->make_help(&app_, app_.get_name(), CLI::AppFormatMode::Normal);
}

}  // namespace spacedyn::cli
