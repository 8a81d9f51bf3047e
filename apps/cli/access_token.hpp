/// @file
/// Words that cannot be guessed.
#pragma once

#include <string>
#include <string_view>

namespace spacedyn::cli {

/// 128 random bits in hexadecimal. @throws Failure (1) if the system has no randomness to give
std::string make_token();

/// Whether two texts are the same, in a time that does not tell where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace spacedyn::cli
