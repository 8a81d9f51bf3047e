#include <cstdlib>
#include <string>

#include "failure.hpp"
#include "ranks.hpp"

namespace spacedyn::cli {

Ranks join_ranks() {
  for (const char* size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* ranks = std::getenv(size);
    if (ranks == nullptr || std::atoi(ranks) < 2) continue;
    throw Failure(ExitCode::wrong_command_line,
                  std::string("each of these ") + ranks +
                      " ranks would fly the whole sweep: this program is built without MPI",
                  "build spacedyn with the CMake option SPACEDYN_WITH_MPI=ON (Debian: "
                  "libopenmpi-dev), or start it once: '-j N' flies on N threads");
  }
  return {};
}

}  // namespace spacedyn::cli
