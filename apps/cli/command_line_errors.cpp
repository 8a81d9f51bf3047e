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

using OtherWords = std::map<std::string, const char*>;

const OtherWords kOtherCommands{
    {"validate", "check"},    {"lint", "check"},        {"eval", "evaluate"},
    {"list", "examples"},     {"show", "view"},         {"open", "view"},
    {"init", "new"},          {"graph", "plot"},        {"animate", "view"},
    {"resume", "simulate"},   {"fly", "simulate"},      {"integrate", "simulate"},
    {"montecarlo", "sweep"},  {"monte-carlo", "sweep"}, {"video", "render"},
    {"movie", "render"},      {"identify", "fit"},      {"estimate", "fit"},
    {"frequencies", "modes"}, {"describe", "info"},     {"trim", "equilibrium"},
    {"solve", "simulate"},    {"minimize", "optimize"}};

const OtherWords kOtherOptions{{"--time", "--duration"},
                               {"-t", "--duration"},
                               {"--t-end", "--duration"},
                               {"--dir", "--output"},
                               {"-d", "--output"},
                               {"--folder", "--output"},
                               {"--directory", "--output"},
                               {"--param", "--set"},
                               {"--override", "--set"},
                               {"-D", "--set"},
                               {"-f", "--force"},
                               {"--overwrite", "--force"},
                               {"--legend", "--label"},
                               {"--size", "--width"},
                               {"--jobs", "--threads"},
                               {"--dt", "--set integrator.step=SECONDS"},
                               {"--step", "--set integrator.step=SECONDS"},
                               {"--method", "--set integrator.method=NAME"},
                               {"--integrator", "--set integrator.method=NAME"},
                               {"--tolerance", "--set integrator.relative_tolerance=NUMBER"}};

/// A known word that is meant: the other name of one, what it begins, or the nearest.
std::string hint_of(const std::string& word, const std::vector<std::string>& known,
                    const OtherWords& others) {
  const auto is_known = [&](const std::string& name) {
    return std::count(known.begin(), known.end(), name.substr(0, name.find(' '))) > 0;
  };
  if (const auto other = others.find(word); other != others.end() && is_known(other->second)) {
    return "did you mean '" + std::string(other->second) + "'?";
  }
  const auto begun = std::find_if(known.begin(), known.end(), [&](const std::string& name) {
    return word.find_first_not_of('-') != std::string::npos && name.rfind(word, 0) == 0;
  });
  return begun != known.end() ? "did you mean '" + *begun + "'?" : did_you_mean(word, known);
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
  const std::string hint = hint_of(name, option_names(command), kOtherOptions);
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
  const std::string hint = hint_of(word, names, kOtherCommands);
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
