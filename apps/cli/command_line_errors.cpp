#include "command_line_errors.hpp"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

#include "suggestions.hpp"

namespace spacedyn::cli {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

Failure failure(const std::string& message, const std::string& hint) {
  return {ExitCode::wrong_command_line, message, hint};
}

std::string see_help(const std::string& command) { return "see 'spacedyn " + command + " --help'"; }

/// The first word that the command does not know, options before all others.
Failure unknown_word(const CLI::App& command, const std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  if (option == words.end()) {
    return failure("unexpected argument '" + words.front() + "' for '" + command.get_name() + "'",
                   see_help(command.get_name()));
  }
  const std::string name = option->substr(0, option->find('='));
  const std::string hint = did_you_mean(name, option_names(command));
  return failure("unknown option '" + name + "' for '" + command.get_name() + "'",
                 hint.empty() ? see_help(command.get_name()) : hint);
}

}  // namespace

void check_command_name(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw failure("a command is missing", "see 'spacedyn --help'");
  const std::string& word = arguments.front();
  static const std::vector<std::string> general{"-h", "--help", "-V", "--version"};
  if (std::count(general.begin(), general.end(), word) > 0) return;
  const std::vector<std::string> names = command_names(app);
  if (std::count(names.begin(), names.end(), word) > 0) return;
  if (is_option(word)) {
    const std::string hint = did_you_mean(word, general);
    throw failure("unknown option '" + word + "' before the command",
                  hint.empty() ? "options of a command stand behind it" : hint);
  }
  std::string hint = did_you_mean(word, names);
  static const std::map<std::string, const char*> others{
      {"validate", "check"},  {"eval", "evaluate"},     {"list", "examples"}, {"show", "view"},
      {"open", "view"},       {"init", "new"},          {"graph", "plot"},    {"animate", "view"},
      {"resume", "simulate"}, {"frequencies", "modes"}, {"describe", "info"}};
  if (const auto other = others.find(word); other != others.end()) {
    hint = "did you mean '" + std::string(other->second) + "'?";
  }
  throw failure("unknown command '" + word + "'", hint.empty() ? "see 'spacedyn --help'" : hint);
}

Failure command_line_failure(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> used = app.get_subcommands();
  const CLI::App& command = used.empty() ? app : *used.front();
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) return unknown_word(command, unknown);

  const std::string what = error.what();
  const std::string hint = see_help(command.get_name());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return failure(what.substr(0, what.find(' ')) + " is missing", hint);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = what.substr(0, what.find(':'));
    if (what.find("missing") != std::string::npos) {
      return failure("option '" + option + "' needs a value", hint);
    }
    return failure("option '" + option + "' is given more than once", hint);
  }
  return failure(what, hint);
}

ColorMode parse_color(const std::string& text) {
  if (text == "auto") return ColorMode::automatic;
  if (text == "always") return ColorMode::always;
  if (text == "never") return ColorMode::never;
  throw failure("option '--color' is auto, always or never, got '" + text + "'", "");
}

}  // namespace spacedyn::cli
