/// @file
/// Help for misspelt words and for what to type next.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spacedyn::cli {

/// `did you mean 'x'?` with the nearest of the known words, or an empty text if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// A word as one argument for a shell, quoted where it must be.
std::string shell_word(const std::string& word);

}  // namespace spacedyn::cli
