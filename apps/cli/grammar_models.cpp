#include "grammar.hpp"

namespace spacedyn::cli {

void Grammar::add_check() {
  CLI::App* command = add("check", "Validate models and scenarios; show every problem",
                          "spacedyn check robot.yaml scenario.yaml", check_, &run_check);
  command->add_option("FILE", check_.files, "Model or scenario files; - reads standard input")
      ->required()
      ->type_name("");
  add_reading(command, check_.strict);
  add_json(command);
  add_quiet(command, "Say nothing about valid files, show no warnings");
}

void Grammar::add_info() {
  CLI::App* command = add("info", "Describe a model: tree, masses, joints, frames; or a result",
                          "spacedyn info robot.yaml --spacedyn", info_, &run_info);
  command->add_option("MODEL", info_.model, "Model file, or a result whose channels are listed")
      ->required()
      ->type_name("");
  command->add_flag("--spacedyn", info_.paper_notation,
                    "Print BB, S0, SE, J_type, c0, cc, ce, Qi as the SpaceDyn toolbox has them");
  command->add_flag("--matrices", info_.matrices,
                    "Print B, S0, Se and S also of models of more than 8 links");
  add_reading(command, info_.strict);
  add_json(command);
}

void Grammar::add_evaluate() {
  CLI::App* command =
      add("evaluate", "Print every quantity of a model at one state or several, as JSON",
          "echo '{q: [0.1, 0.2]}' | spacedyn evaluate robot.yaml -", evaluate_, &run_evaluate);
  command->add_option("MODEL", evaluate_.model, "Model file")->required()->type_name("");
  command
      ->add_option("STATE", evaluate_.state,
                   "State or list of states in YAML or JSON; - reads standard input")
      ->required()
      ->type_name("");
  add_reading(command, evaluate_.strict);
  command->add_flag("--json", console_.json, "Print errors as JSON, too");
}

void Grammar::add_modes() {
  CLI::App* command =
      add("modes", "Print natural frequencies, damping and where a robot bends",
          "spacedyn modes ets7_paddles.yaml --clamped --lock-unsprung", modes_, &run_modes);
  command->add_option("FILE", modes_.file, "Model or scenario file; - reads standard input")
      ->required()
      ->type_name("");
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
  add_reading(command, modes_.strict);
  add_json(command);
}

void Grammar::add_linearize() {
  CLI::App* command = add("linearize", "Print or write linear models: A, B, C, eigenvalues",
                          "spacedyn linearize slew.yaml --time 0 --time 10 -o slew.json",
                          linearize_, &run_linearize);
  command->add_option("FILE", linearize_.file, "Model or scenario file; - reads standard input")
      ->required()
      ->type_name("");
  command->add_option("STATE", linearize_.state, "State of a model; - reads standard input")
      ->type_name("");
  command->add_option("--time", linearize_.times, "Where in a scenario's run, s; repeatable")
      ->type_name("T")
      ->allow_extra_args(false);
  add_overrides(command, linearize_.overrides);
  command->add_option("-o,--output", linearize_.output, "File for the matrices, .json or .mat")
      ->type_name("FILE");
  command->add_flag("--force", linearize_.force, "Overwrite an existing file");
  add_reading(command, linearize_.strict);
  add_json(command);
}

void Grammar::add_equilibrium() {
  CLI::App* command =
      add("equilibrium", "Find where nothing accelerates: a hanging arm, a robot on its legs",
          "spacedyn equilibrium legged.yaml --json", equilibrium_, &run_equilibrium);
  command->add_option("SCENARIO", equilibrium_.scenario, "Scenario file; - reads standard input")
      ->required()
      ->type_name("");
  add_overrides(command, equilibrium_.overrides);
  add_reading(command, equilibrium_.strict);
  add_json(command);
}

void Grammar::add_import() {
  CLI::App* command = add("import", "Write a URDF, MJCF or .def model as YAML",
                          "spacedyn import robot.urdf -o robot.yaml", import_, &run_import);
  command->add_option("FILE", import_.input, "URDF, MJCF or .def file; - reads standard input")
      ->required()
      ->type_name("");
  CLI::Option* output =
      command->add_option("-o,--output", import_.output, "File to write (default: print it)")
          ->type_name("FILE");
  command->add_flag("--fixed-base", import_.fixed_base, "Nail the base to the inertial frame");
  command->add_flag("--no-meshes", import_.no_meshes, "Leave out pictures from meshes");
  command->add_flag("--force", import_.force, "Overwrite an existing file")->needs(output);
  add_reading(command, import_.strict);
  add_json(command);
  add_quiet(command, "Show no warnings and no names");
}

void Grammar::add_export() {
  CLI::App* command = add("export", "Write a model as URDF; say what is lost",
                          "spacedyn export robot.yaml robot.urdf", export_, &run_export);
  command->add_option("MODEL", export_.model, "Model file")->required()->type_name("");
  command->add_option("OUT", export_.output, "File to write, .urdf")->required()->type_name("");
  command->add_flag("--force", export_.force, "Overwrite an existing file");
  add_reading(command, export_.strict);
  add_json(command);
  add_quiet(command, "Show no warnings and no names");
}

}  // namespace spacedyn::cli
