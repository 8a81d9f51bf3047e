#include <cstdlib>

#include "loaded_library.hpp"
#include "ranks.hpp"

namespace spacedyn::cli {
namespace {

/// Whether mpirun or a batch system has started this process; by itself, MPI would first start a
/// daemon.
bool is_started_as_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

Ranks join_ranks() {
  Ranks ranks;
  if (!is_started_as_rank()) return ranks;
  reinterpret_cast<JoinWithMpi>(loaded_function("spacedyn-ranks.so", kJoinWithMpi))(ranks);
  return ranks;
}

}  // namespace spacedyn::cli
