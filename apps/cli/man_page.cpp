#include "man_page.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "spacedyn/version.hpp"

namespace spacedyn::cli {
namespace {

constexpr const char* kExitStatus = R"(.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
internal error
.TP
.B 2
wrong command line
.TP
.B 3
bad or missing input file
.TP
.B 4
the integration failed; results until then are kept
.TP
.B 5
a limit under the scenario's checks was exceeded
.TP
.B 6
output could not be written
.TP
.B 130
interrupted by Ctrl-C or SIGTERM; results until then are kept
)";

/// A text on its own lines that means nothing to the formatter.
std::string plain(const std::string& text) {
  std::string safe;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) safe += "\\&";
    at_start = c == '\n';
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string page_heading(const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return ".TH \"" + plain(upper) + "\" 1 \"\" \"spacedyn " + kVersion + "\" \"spacedyn\"\n";
}

std::string section(const std::string& title) { return ".SH " + title + '\n'; }

/// Lines as they are, in a fixed font.
std::string verbatim(const std::string& text) {
  return ".PP\n.nf\n.RS\n" + plain(text) + "\n.RE\n.fi\n";
}

std::string options(const std::vector<OptionInfo>& list) {
  std::string text = section("OPTIONS");
  for (const OptionInfo& option : list) {
    text += ".TP\n";
    std::string names;
    for (const std::string& name : option.names) {
      names += (names.empty() ? "" : ", ") + ("\\fB" + plain(name) + "\\fR");
    }
    if (!option.value.empty()) names += " \\fI" + plain(option.value) + "\\fR";
    text += names + '\n' + plain(option.description) + '\n';
  }
  return text;
}

std::string synopsis(const CommandInfo& command) {
  std::string text = section("SYNOPSIS") + ".B spacedyn " + plain(command.name) + '\n';
  text += "[\\fIOPTIONS\\fR]";
  for (const ArgumentInfo& argument : command.arguments) {
    const std::string word =
        "\\fI" + plain(argument.name) + "\\fR" + (argument.repeatable ? "..." : "");
    text += argument.required ? ' ' + word : " [" + word + ']';
  }
  return text + '\n';
}

std::string command_page(const CommandInfo& command) {
  std::string text = page_heading("spacedyn-" + command.name) + section("NAME") + "spacedyn\\-" +
                     plain(command.name) + " \\- " + plain(command.description) + '\n' +
                     synopsis(command);
  if (!command.arguments.empty()) text += section("ARGUMENTS");
  for (const ArgumentInfo& argument : command.arguments) {
    text += ".TP\n.I " + plain(argument.name) + '\n' + plain(argument.description) + '\n';
  }
  return text + options(command.options) + section("EXAMPLE") + verbatim(command.example) +
         kExitStatus + section("SEE ALSO") + ".BR spacedyn (1)\n";
}

std::string program_page(const ProgramInfo& program) {
  const std::size_t colon = program.description.find(": ");
  std::string text = page_heading("spacedyn") + section("NAME") + "spacedyn \\- " +
                     plain(program.description.substr(colon + 2)) + '\n' + section("SYNOPSIS") +
                     ".B spacedyn\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIFILE\\fR...]\n" +
                     section("COMMANDS");
  for (const CommandInfo& command : program.commands) {
    text +=
        ".TP\n.BR spacedyn\\-" + plain(command.name) + " (1)\n" + plain(command.description) + '\n';
  }
  text += options(program.options) + section("EXAMPLES");
  return text + verbatim(program.footer.substr(0, program.footer.find("\n\n"))) + kExitStatus;
}

}  // namespace

std::string man_page(const std::string& command, const ProgramInfo& program) {
  const auto found = std::find_if(program.commands.begin(), program.commands.end(),
                                  [&](const CommandInfo& info) { return info.name == command; });
  return found == program.commands.end() ? program_page(program) : command_page(*found);
}

}  // namespace spacedyn::cli
