#include "completion.hpp"
#include "grammar.hpp"
#include "man_page.hpp"

namespace spacedyn::cli {

void Grammar::add_examples() {
  examples_.program = program_;
  CLI::App* command =
      add("examples", "List the shipped scenarios, those about a topic, or copy one here",
          "spacedyn examples dzhanibekov", examples_, &run_examples);
  command->add_option("NAME", examples_.name, "Scenario to copy, or a word that those to list have")
      ->type_name("");
  add_json(command);
  add_quiet(command, "Print no advice");
}

void Grammar::add_new() {
  new_.program = program_;
  CLI::App* command = add("new", "Write a starter model and scenario into a new directory",
                          "spacedyn new my_robot", new_, &run_new);
  command->add_option("NAME", new_.name, "Name of the robot and of the directory")
      ->required()
      ->type_name("");
  add_json(command);
  add_quiet(command, "Print no advice");
}

void Grammar::add_schema() {
  CLI::App* command = add("schema", "Print the JSON Schema of a kind of file",
                          "spacedyn schema model > model.schema.json", schema_, &run_schema);
  command->add_option("KIND", schema_.kind, "model, scenario, sweep, fit or optimize")
      ->required()
      ->type_name("");
}

void Grammar::add_help() {
  CLI::App* command = add_command(
      "help", "Print the help of the program, or of one of its commands", "spacedyn help simulate");
  command->add_option("COMMAND", asked_, "A command")->type_name("");
  command->callback([this] { command_ = printing(help_text(asked_)); });
}

void Grammar::add_completion() {
  CLI::App* command = add_command("completion", "Print the completion of this program for a shell",
                                  "source <(spacedyn completion bash)");
  command->add_option("SHELL", asked_, "bash, zsh or fish")->required()->type_name("");
  command->callback([this] { command_ = printing(completion_script(asked_, description())); });
}

void Grammar::add_man() {
  CLI::App* command =
      add_command("man", "Print the manual page of the program, or of one of its commands",
                  "spacedyn man simulate | man --local-file -");
  command->add_option("COMMAND", asked_, "A command")->type_name("");
  command->callback([this] {
    if (!asked_.empty()) static_cast<void>(command_of(asked_));
    command_ = printing(man_page(asked_, description()));
  });
}

}  // namespace spacedyn::cli
