#include "command_line.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "command_line_errors.hpp"
#include "commands.hpp"
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
6 output could not be written, 130 interrupted)";

/// The whole grammar, and the values that a command line gives it.
class Grammar {
 public:
  explicit Grammar(std::string program) : program_(std::move(program)), app_(kDescription) {
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
    add_simulate();
    add_report();
    add_plot();
    add_view();
    add_convert();
    add_examples();
    add_new();
    add_schema();
  }

  CommandLine parse(std::vector<std::string> arguments) {
    check_command_name(app_, arguments);
    std::reverse(arguments.begin(), arguments.end());  // what CLI11 expects
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      return print(app_.help());
    } catch (const CLI::CallForVersion&) {
      return print(version_text());
    } catch (const CLI::ParseError& error) {
      throw command_line_failure(app_, error);
    }
    console_.color = parse_color(color_);
    return {console_, command_};
  }

 private:
  static CommandLine print(const std::string& text) {
    return {{}, [text](Console& console) {
              console.print(text + (text.back() == '\n' ? "" : "\n"));
              return ExitCode::done;
            }};
  }

  /// A subcommand that runs a function with its options.
  template <typename Options>
  CLI::App* add(const char* name, const char* description, const char* example, Options& options,
                ExitCode (*run)(const Options&, Console&)) {
    CLI::App* command = app_.add_subcommand(name, description)->group("Commands");
    command->footer(std::string("Example:\n  ") + example);
    command->add_option("--color", color_, "Color in messages: auto, always or never")
        ->type_name("WHEN");
    command->callback([this, &options, run] {
      command_ = [options, run](Console& console) { return run(options, console); };
    });
    return command;
  }

  void add_json(CLI::App* command) {
    command->add_flag("--json", console_.json, "Print results and errors as JSON");
  }
  void add_quiet(CLI::App* command, const char* description) {
    command->add_flag("-q,--quiet", console_.quiet, description);
  }
  static void add_strict(CLI::App* command, bool& strict) {
    command->add_flag("--strict", strict, "Treat warnings as errors");
  }

  void add_check() {
    CLI::App* command = add("check", "Validate models and scenarios; show every problem",
                            "spacedyn check robot.yaml scenario.yaml", check_, &run_check);
    command->add_option("FILE", check_.files, "Model or scenario files")->required()->type_name("");
    add_strict(command, check_.strict);
    add_json(command);
    add_quiet(command, "Say nothing about valid files, show no warnings");
  }

  void add_info() {
    CLI::App* command = add("info", "Describe a model: tree, masses, joints, frames",
                            "spacedyn info robot.yaml --spacedyn", info_, &run_info);
    command->add_option("MODEL", info_.model, "Model file")->required()->type_name("");
    command->add_flag("--spacedyn", info_.paper_notation,
                      "Print BB, S0, SE, J_type, c0, cc, ce, Qi as the SpaceDyn toolbox has them");
    add_strict(command, info_.strict);
    add_json(command);
  }

  void add_evaluate() {
    CLI::App* command =
        add("evaluate", "Print every quantity of a model at one state or several, as JSON",
            "echo '{q: [0.1, 0.2]}' | spacedyn evaluate robot.yaml -", evaluate_, &run_evaluate);
    command->add_option("MODEL", evaluate_.model, "Model file")->required()->type_name("");
    command
        ->add_option("STATE", evaluate_.state,
                     "State or list of states in YAML or JSON; - reads standard input")
        ->required()
        ->type_name("");
    add_strict(command, evaluate_.strict);
    command->add_flag("--json", console_.json, "Print errors as JSON, too");
  }

  void add_modes() {
    CLI::App* command =
        add("modes", "Print natural frequencies, damping and where a robot bends",
            "spacedyn modes ets7_paddles.yaml --clamped --lock-unsprung", modes_, &run_modes);
    command->add_option("FILE", modes_.file, "Model or scenario file")->required()->type_name("");
    command->add_option("STATE", modes_.state, "Configuration of a model; - reads standard input")
        ->type_name("");
    command->add_flag("--clamped", modes_.clamped, "Hold the base");
    command->add_option("--lock", modes_.locked, "Hold a joint; repeatable")
        ->type_name("JOINT")
        ->allow_extra_args(false);
    command->add_flag("--lock-unsprung", modes_.lock_unsprung,
                      "Hold all joints that have no stiffness");
    CLI::Option* report =
        command->add_option("--report", modes_.report, "File for a page that animates the modes")
            ->type_name("FILE.html");
    command->add_flag("--force", modes_.force, "Overwrite an existing file")->needs(report);
    command->add_flag("--open", modes_.open, "Open the page in the browser")->needs(report);
    add_strict(command, modes_.strict);
    add_json(command);
  }

  void add_linearize() {
    CLI::App* command = add("linearize", "Print or write linear models: A, B, C, eigenvalues",
                            "spacedyn linearize slew.yaml --time 0 --time 10 -o slew.json",
                            linearize_, &run_linearize);
    command->add_option("FILE", linearize_.file, "Model or scenario file")
        ->required()
        ->type_name("");
    command->add_option("STATE", linearize_.state, "State of a model; - reads standard input")
        ->type_name("");
    command->add_option("--time", linearize_.times, "Where in a scenario's run, s; repeatable")
        ->type_name("T")
        ->allow_extra_args(false);
    command
        ->add_option("--set", linearize_.overrides,
                     "Change a value of the scenario, or of the model below model.; repeatable")
        ->type_name("KEY.PATH=VALUE")
        ->allow_extra_args(false);
    command->add_option("-o,--output", linearize_.output, "File for the matrices, .json or .mat")
        ->type_name("FILE");
    command->add_flag("--force", linearize_.force, "Overwrite an existing file");
    add_strict(command, linearize_.strict);
    add_json(command);
  }

  void add_simulate() {
    simulate_.program = program_;
    CLI::App* command = add("simulate", "Run a scenario, write its results, print a summary",
                            "spacedyn simulate scenario.yaml --set duration=20 -o results/long",
                            simulate_, &run_simulate);
    command->add_option("SCENARIO", simulate_.scenario, "Scenario file")->required()->type_name("");
    command
        ->add_option("-o,--output", simulate_.output,
                     "Directory for the results (default: results/<scenario>, then -002, …)")
        ->type_name("DIR");
    command
        ->add_option("--set", simulate_.overrides,
                     "Change a value of the scenario, or of the model below model.; repeatable")
        ->type_name("KEY.PATH=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option("--format", simulate_.format,
                     "Kind of result file: hdf5 or csv; short for --set output.format=…")
        ->type_name("FORMAT");
    command
        ->add_option("--channels", simulate_.channels,
                     "What to record, separated by commas; short for --set output.channels=[…]")
        ->type_name("LIST");
    CLI::Option* force =
        command->add_flag("--force", simulate_.force, "Overwrite existing results");
    command
        ->add_flag("--resume", simulate_.resume,
                   "Go on from the last checkpoint of a run that was killed, interrupted or failed")
        ->excludes(force);
    command
        ->add_option("--checkpoint-every", simulate_.checkpoint_interval,
                     "Elapsed time between checkpoints (default: 10 s)")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber);
    command->add_flag("--no-report", simulate_.no_report, "Write no page, the numbers alone");
    command->add_flag("--no-progress", simulate_.no_progress, "Show no progress on the terminal");
    add_strict(command, simulate_.strict);
    add_json(command);
    add_quiet(command, "Print no summary, no progress and no warnings");
    command->add_flag("-v,--verbose", console_.verbose, "Say what is read, run and written");
  }

  void add_report() {
    CLI::App* command = add("report", "Write one page with animation, plots and tables",
                            "spacedyn report results/slew results/slew-002 -o both.html --open",
                            report_, &run_report);
    command
        ->add_option("RESULT", report_.results,
                     "Result files, or folders with one each; several are compared")
        ->required()
        ->type_name("");
    command->add_option("-o,--output", report_.output, "The page (default: beside the result)")
        ->type_name("FILE.html");
    command->add_flag("--open", report_.open, "Open it in the browser");
    command->add_flag("--force", report_.force, "Overwrite an existing file");
    add_json(command);
    add_quiet(command, "Show no warnings");
    command->add_flag("-v,--verbose", console_.verbose, "Say what is read");
  }

  void add_plot() {
    CLI::App* command =
        add("plot", "Draw channels of a result as an SVG picture",
            "spacedyn plot results/slew 'joints_*_rad' base_attitude --degrees", plot_, &run_plot);
    command->add_option("RESULT", plot_.result, "Result file, or a folder with one")
        ->required()
        ->type_name("");
    command
        ->add_option("CHANNEL", plot_.channels,
                     "Columns, their beginnings, patterns with *, or groups such as momentum")
        ->required()
        ->type_name("");
    command->add_option("-o,--output", plot_.output, "The picture, - for standard output")
        ->type_name("FILE.svg");
    command->add_option("--with", plot_.others, "Another result, drawn with dashes; repeatable")
        ->type_name("RESULT")
        ->allow_extra_args(false);
    command->add_option("--title", plot_.title, "A title above the panels")->type_name("TEXT");
    command->add_option("--width", plot_.width, "Width in px, 96 to an inch (default: 480)")
        ->type_name("PX")
        ->check(CLI::Range(200.0, 5000.0));
    command->add_flag("--degrees", plot_.degrees, "Draw angles in degrees");
    command->add_flag("--force", plot_.force, "Overwrite an existing file");
  }

  void add_view() {
    view_.run.program = program_;
    CLI::App* command =
        add("view", "Run a scenario and open its report, or watch the run with --live",
            "spacedyn view scenario.yaml --live --speed 2", view_, &run_view);
    command->add_option("SCENARIO", view_.run.scenario, "Scenario file, or a result")
        ->required()
        ->type_name("");
    CLI::Option* live = command->add_flag(
        "--live", view_.live, "Serve a page of the run on this machine while it goes on");
    command->add_option("--speed", view_.speed, "Simulated seconds per second (default: 1)")
        ->type_name("FACTOR")
        ->check(CLI::Range(0.001, 10000.0))
        ->needs(live);
    command->add_option("--port", view_.port, "Port of the page (default: any free one)")
        ->type_name("PORT")
        ->check(CLI::Range(1, 65535))
        ->needs(live);
    command->add_option("-o,--output", view_.run.output, "Directory for the results")
        ->type_name("DIR");
    command->add_option("--set", view_.run.overrides, "Change a value, as for simulate; repeatable")
        ->type_name("KEY.PATH=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--force", view_.run.force, "Overwrite existing results");
    command->add_flag("--no-open", view_.no_open, "Print the address or path, open no browser");
    command->add_flag("--no-progress", view_.run.no_progress, "Show no progress on the terminal");
    add_strict(command, view_.run.strict);
    add_quiet(command, "Print no summary, no progress and no warnings");
    command->add_flag("-v,--verbose", console_.verbose, "Say what is read, run and written");
  }

  void add_convert() {
    CLI::App* command = add("convert", "Write a result in another format: .h5, .csv or .mat",
                            "spacedyn convert results/slew slew.mat", convert_, &run_convert);
    command->add_option("RESULT", convert_.input, "Result file, or a folder with one")
        ->required()
        ->type_name("");
    command->add_option("OUT", convert_.output, "File to write; its ending is the format")
        ->required()
        ->type_name("");
    command->add_option("--compress", convert_.compression, "Compression of HDF5, 0 (none) to 9")
        ->type_name("LEVEL")
        ->check(CLI::Range(0, 9));
    command->add_flag("--force", convert_.force, "Overwrite existing files");
    add_json(command);
    add_quiet(command, "Show no warnings and no names");
  }

  void add_examples() {
    examples_.program = program_;
    CLI::App* command = add("examples", "List the shipped scenarios, or copy one here",
                            "spacedyn examples dzhanibekov", examples_, &run_examples);
    command->add_option("NAME", examples_.name, "Scenario to copy")->type_name("");
    add_json(command);
    add_quiet(command, "Print no advice");
  }

  void add_new() {
    new_.program = program_;
    CLI::App* command = add("new", "Write a starter model and scenario into a new directory",
                            "spacedyn new my_robot", new_, &run_new);
    command->add_option("NAME", new_.name, "Name of the robot and of the directory")
        ->required()
        ->type_name("");
    add_json(command);
    add_quiet(command, "Print no advice");
  }

  void add_schema() {
    CLI::App* command = add("schema", "Print the JSON Schema of model or scenario files",
                            "spacedyn schema model > model.schema.json", schema_, &run_schema);
    command->add_option("KIND", schema_.kind, "model or scenario")->required()->type_name("");
  }

  std::string program_;
  CLI::App app_;
  ConsoleOptions console_;
  std::string color_ = "auto";
  CheckOptions check_;
  InfoOptions info_;
  EvaluateOptions evaluate_;
  ModesOptions modes_;
  LinearizeOptions linearize_;
  SimulateOptions simulate_;
  ReportOptions report_;
  PlotOptions plot_;
  ViewOptions view_;
  ConvertOptions convert_;
  ExamplesOptions examples_;
  NewOptions new_;
  SchemaOptions schema_;
  Command command_;
};

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  Grammar grammar(arguments.empty() ? "spacedyn" : arguments.front());
  return grammar.parse({arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end()});
}

ConsoleOptions guess_console_options(const std::vector<std::string>& arguments) {
  const auto given = [&](const char* word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
  };
  ConsoleOptions options;
  options.json = given("--json");
  if (given("--color=never")) options.color = ColorMode::never;
  if (given("--color=always")) options.color = ColorMode::always;
  return options;
}

}  // namespace spacedyn::cli
