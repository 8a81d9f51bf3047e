/// @file
/// The whole grammar of the command line, and the values that a command line gives it.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command_info.hpp"
#include "command_line.hpp"
#include "commands.hpp"

namespace spacedyn::cli {

class Grammar {
 public:
  explicit Grammar(std::string program);

  /// @throws Failure (2) saying what is wrong
  CommandLine parse(std::vector<std::string> arguments);
  ProgramInfo description() const;

 private:
  /// A subcommand with its description and an example.
  CLI::App* add_command(const char* name, const char* description, const char* example);

  /// A subcommand that runs a function with its options.
  template <typename Options>
  CLI::App* add(const char* name, const char* description, const char* example, Options& options,
                ExitCode (*run)(const Options&, Console&)) {
    CLI::App* command = add_command(name, description, example);
    command->add_option("--color", color_, "Color in messages: auto, always or never")
        ->type_name("WHEN");
    command->callback([this, &options, run] {
      command_ = [options, run](Console& console) { return run(options, console); };
    });
    return command;
  }

  void add_json(CLI::App* command);
  void add_quiet(CLI::App* command, const char* description);
  /// What all commands have that read models: `--strict` and `--package-path`.
  void add_reading(CLI::App* command, bool& strict);
  static void add_overrides(CLI::App* command, std::vector<std::string>& overrides);
  /// What all commands have that fly a scenario. @returns `--force`
  CLI::Option* add_run(CLI::App* command, SimulateOptions& options);
  /// The command of a name. @throws Failure (2)
  const CLI::App* command_of(const std::string& name) const;
  /// Help of a command, of the program for an empty name. @throws Failure (2)
  std::string help_text(const std::string& name) const;
  /// A command that prints a text as it is.
  static Command printing(const std::string& text);

  /// @name In grammar_models.cpp
  /// @{
  void add_check();
  void add_info();
  void add_evaluate();
  void add_modes();
  void add_linearize();
  void add_equilibrium();
  void add_import();
  void add_export();
  /// @}

  /// @name In grammar_runs.cpp
  /// @{
  void add_simulate();
  void add_sweep();
  void add_fit();
  void add_optimize();
  void add_search(CLI::App* command, SearchCommandOptions& options, const char* what);
  void add_report();
  void add_plot();
  void add_render();
  void add_view();
  void add_convert();
  /// @}

  /// @name In grammar_words.cpp
  /// @{
  void add_examples();
  void add_new();
  void add_schema();
  void add_help();
  void add_completion();
  void add_man();
  /// @}

  std::string program_;
  CLI::App app_;
  ConsoleOptions console_;
  std::string color_ = "auto";
  std::vector<std::string> package_path_;  // folders
  std::string asked_;                      // the word after help, completion or man
  CheckOptions check_;
  InfoOptions info_;
  EvaluateOptions evaluate_;
  ModesOptions modes_;
  LinearizeOptions linearize_;
  EquilibriumOptions equilibrium_;
  SimulateOptions simulate_;
  SweepCommandOptions sweep_;
  SearchCommandOptions fit_, optimize_;
  ReportOptions report_;
  PlotOptions plot_;
  RenderOptions render_;
  ViewOptions view_;
  ConvertOptions convert_;
  ImportCommandOptions import_;
  ExportOptions export_;
  ExamplesOptions examples_;
  NewOptions new_;
  SchemaOptions schema_;
  Command command_;
};

}  // namespace spacedyn::cli
