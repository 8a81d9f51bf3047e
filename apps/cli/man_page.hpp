/// @file
/// Manual pages, made from the grammar.
#pragma once

#include <string>

#include "command_info.hpp"

namespace spacedyn::cli {

/// The page of a command, of the program for an empty name, in the man(7) language.
std::string man_page(const std::string& command, const ProgramInfo& program);

}  // namespace spacedyn::cli
