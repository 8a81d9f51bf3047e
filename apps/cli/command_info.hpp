/// @file
/// The grammar of the command line as plain data, for manual pages and shells.
#pragma once

#include <string>
#include <vector>

namespace spacedyn::cli {

struct OptionInfo {
  std::vector<std::string> names;  ///< with their dashes, short ones first
  std::string value;               ///< what it takes, for instance `FILE`; empty: a flag
  std::string description;
};

/// A word that stands without an option.
struct ArgumentInfo {
  std::string name;
  std::string description;
  bool required = false;
  bool repeatable = false;
};

struct CommandInfo {
  std::string name;
  std::string description;
  std::string example;
  std::vector<OptionInfo> options;
  std::vector<ArgumentInfo> arguments;
};

struct ProgramInfo {
  std::string description;
  std::string footer;
  std::vector<OptionInfo> options;
  std::vector<CommandInfo> commands;
};

}  // namespace spacedyn::cli
