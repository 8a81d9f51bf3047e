/// @file
/// Scripts by which shells complete command lines of the program, made from the grammar.
#pragma once

#include <string>

#include "command_info.hpp"

namespace spacedyn::cli {

/// The script for bash, zsh or fish. @throws Failure (2) for another shell
std::string completion_script(const std::string& shell, const ProgramInfo& program);

}  // namespace spacedyn::cli
