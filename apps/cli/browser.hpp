/// @file
/// Showing pages to the user.
#pragma once

#include <string>

#include "console.hpp"
#include "temporary_folder.hpp"

namespace spacedyn::cli {

/// Opens a file or an address with one of the programs in $BROWSER (apart by `:`, `%s` standing for
/// the address), or with xdg-open; a note says so where none could be started.
void open_in_browser(const std::string& address, const Console& console);

/// A page that leads to an address, which so does not stand in the list of processes: only this
/// user may read it, and it goes with the object.
class LeadingPage {
 public:
  /// @throws Failure (6)
  explicit LeadingPage(const std::string& address);

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace spacedyn::cli
