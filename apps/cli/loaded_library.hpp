/// @file
/// Parts of the program that few commands need, with libraries that take longer to load than most
/// commands run.
#pragma once

#include <string>

namespace spacedyn::cli {

/// A function of a library that was installed for the program. @throws Failure (1) if it is not
/// there
void* loaded_function(const std::string& library, const char* name);

}  // namespace spacedyn::cli
