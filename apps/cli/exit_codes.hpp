/// @file
/// What the program tells its caller when it ends.
#pragma once

namespace spacedyn::cli {

enum class ExitCode {
  done = 0,
  internal_error = 1,
  wrong_command_line = 2,
  bad_input = 3,
  integration_failed = 4,
  check_failed = 5,
  output_failed = 6,
  out_of_memory = 7,
  interrupted = 130
};

}  // namespace spacedyn::cli
