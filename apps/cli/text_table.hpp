/// @file
/// Tables of text for the terminal.
#pragma once

#include <string>
#include <vector>

namespace spacedyn::cli {

/// Rows of cells, columns padded to their longest cell; counts characters, not bytes.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace spacedyn::cli
