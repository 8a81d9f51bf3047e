#include "completion.hpp"

#include <fmt/format.h>

#include "failure.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The words that a value may be, by the name that the grammar gives it; none: a file, or free.
std::string choices(const std::string& value, const ProgramInfo& program) {
  if (value == "WHEN") return "auto always never";
  if (value == "FORMAT") return "hdf5 csv";
  if (value == "KIND") return "model scenario";
  if (value == "SHELL") return "bash zsh fish";
  if (value != "COMMAND") return {};
  std::vector<std::string> names;
  for (const CommandInfo& command : program.commands) names.push_back(command.name);
  return join(names);
}

bool is_file(const std::string& value) {
  return value.rfind("FILE", 0) == 0 || value == "RESULT" || value == "MODEL" || value == "STATE" ||
         value == "SCENARIO" || value == "OUT";
}

std::string first_argument(const CommandInfo& command) {
  return command.arguments.empty() ? "" : command.arguments.front().name;
}

/// Text inside single quotes of a shell.
std::string quoted(const std::string& text, const char* quote) {
  std::string safe;
  for (const char c : text) safe += c == '\'' ? quote : std::string(1, c);
  return '\'' + safe + '\'';
}

std::string bash_values(const CommandInfo& command, const ProgramInfo& program) {
  std::string text;
  for (const OptionInfo& option : command.options) {
    if (option.value.empty()) continue;
    std::string pattern;
    for (const std::string& name : option.names) {
      pattern += fmt::format("{}'{} {}'", pattern.empty() ? "" : " | ", command.name, name);
    }
    const std::string words = choices(option.value, program);
    const std::string found = !words.empty()          ? "-W '" + words + "'"
                              : option.value == "DIR" ? std::string("-d")
                              : is_file(option.value) ? std::string("-f")
                                                      : std::string("-W ''");
    text +=
        fmt::format("    {}) COMPREPLY=($(compgen {} -- \"$word\")); return ;;\n", pattern, found);
  }
  return text;
}

std::string bash_options(const CommandInfo& command) {
  std::vector<std::string> names;
  for (const OptionInfo& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("      {}) options='{}' ;;\n", command.name, join(names));
}

std::string bash(const ProgramInfo& program) {
  std::string values, options, arguments;
  for (const CommandInfo& command : program.commands) {
    values += bash_values(command, program);
    options += bash_options(command);
    const std::string words = choices(first_argument(command), program);
    if (words.empty()) continue;
    arguments += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n",
                             command.name, words);
  }
  return fmt::format(R"(# bash completion of spacedyn
_spacedyn() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}"
  local command="${{COMP_WORDS[1]}}" options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
    return
  fi
  case "$command $before" in
{}  esac
  if [[ "$word" == -* ]]; then
    case "$command" in
{}    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  case "$command" in
{}    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _spacedyn spacedyn
)",
                     choices("COMMAND", program), values, options, arguments);
}

/// Text of a specification of zsh's _arguments.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string zsh_action(const std::string& value, const ProgramInfo& program) {
  const std::string words = choices(value, program);
  if (!words.empty()) return '(' + words + ')';
  if (value == "DIR") return "_files -/";
  return is_file(value) ? "_files" : " ";
}

std::string zsh_command(const CommandInfo& command, const ProgramInfo& program) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", command.name);
  for (const OptionInfo& option : command.options) {
    for (const std::string& name : option.names) {
      std::string item = fmt::format("*{}[{}]", name, zsh_text(option.description));
      if (!option.value.empty()) {
        item += fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option.value, program));
      }
      text += "        " + quoted(item, "'\\''") + " \\\n";
    }
  }
  const std::string argument = first_argument(command);
  const std::string action = argument.empty() ? " " : zsh_action(argument, program);
  return text + "        " + quoted("*:" + argument + ':' + action, "'\\''") + "\n      ;;\n";
}

std::string zsh(const ProgramInfo& program) {
  std::string names, commands;
  for (const CommandInfo& command : program.commands) {
    names += "    " + quoted(command.name + ':' + zsh_text(command.description), "'\\''") + '\n';
    commands += zsh_command(command, program);
  }
  return fmt::format(R"(#compdef spacedyn
_spacedyn() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    return
  fi
  local command="$words[2]"
  shift words
  ((CURRENT--))
  case "$command" in
{}  esac
}}
if [[ "$funcstack[1]" == _spacedyn ]]; then
  _spacedyn "$@"
else
  compdef _spacedyn spacedyn
fi
)",
                     names, commands);
}

std::string fish_option(const std::string& command, const OptionInfo& option,
                        const ProgramInfo& program) {
  std::string text =
      fmt::format("complete -c spacedyn -n '__fish_seen_subcommand_from {}'", command);
  for (const std::string& name : option.names) {
    text += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const std::string words = choices(option.value, program);
  if (!words.empty()) {
    text += " -x -a '" + words + "'";
  } else if (option.value == "DIR") {
    text += " -x -a '(__fish_complete_directories)'";
  } else if (!option.value.empty()) {
    text += is_file(option.value) ? " -r -F" : " -x";
  }
  return text + " -d " + quoted(option.description, "\\'") + '\n';
}

std::string fish(const ProgramInfo& program) {
  std::string text = "# fish completion of spacedyn\n";
  for (const CommandInfo& command : program.commands) {
    text += fmt::format("complete -c spacedyn -n __fish_use_subcommand -f -a {} -d {}\n",
                        command.name, quoted(command.description, "\\'"));
    for (const OptionInfo& option : command.options) {
      text += fish_option(command.name, option, program);
    }
    const std::string words = choices(first_argument(command), program);
    if (words.empty()) continue;
    text += fmt::format("complete -c spacedyn -n '__fish_seen_subcommand_from {}' -f -a '{}'\n",
                        command.name, words);
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, const ProgramInfo& program) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  throw Failure(ExitCode::wrong_command_line,
                "there is no completion for '" + shell + "'; give bash, zsh or fish",
                did_you_mean(shell, {"bash", "zsh", "fish"}));
}

}  // namespace spacedyn::cli
