/// @file
/// Showing pages to the user.
#pragma once

#include <string>

#include "console.hpp"

namespace spacedyn::cli {

/// Opens a file or an address with one of the programs in $BROWSER (apart by `:`, `%s` standing for
/// the address), or with xdg-open; a note says so where none could be started.
void open_in_browser(const std::string& address, const Console& console);

}  // namespace spacedyn::cli
