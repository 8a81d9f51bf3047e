/// @file
/// Texts that a damaged file may have made anything of. Private.
#pragma once

#include <string_view>

namespace spacedyn {

/// Whether a text is UTF-8 without control characters and not longer than a limit.
bool is_plain(std::string_view text, std::size_t most_bytes);

}  // namespace spacedyn
