/// @file
/// Text that may come from a stranger's file, on its way to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace spacedyn::cli {

/// Text without characters that could steer a terminal or hide what stands there.
///
/// Escaped as `\u009b` are control characters (C0 but for line breaks and tabs, DEL, C1), marks
/// that turn the direction of writing, invisible characters and tags; bytes that are no UTF-8 as
/// `\x9b`. JSON stays JSON of the same meaning: there such characters stand inside of strings only.
std::string safe_text(std::string_view text);

}  // namespace spacedyn::cli
