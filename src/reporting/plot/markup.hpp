/// @file
/// Text inside XML and HTML.
#pragma once

#include <string>

namespace spacedyn {

/// Text that is safe in XML and HTML: marks escaped, bytes that are no UTF-8 and control characters
/// replaced.
std::string escape_markup(const std::string& text);

}  // namespace spacedyn
