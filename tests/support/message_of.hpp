/// @file
/// What an exception says.
#pragma once

#include <string>

namespace spacedyn::testing {

/// The message of the Exception that a function throws; others pass through.
template <typename Exception, typename Function>
std::string message_of(Function&& function) {
  try {
    function();
  } catch (const Exception& error) {
    return error.what();
  }
  return "no exception";
}

}  // namespace spacedyn::testing
