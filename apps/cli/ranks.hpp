/// @file
/// The other ranks of an MPI job.
#pragma once

#include <memory>

#include "spacedyn/study/sweep_processes.hpp"

namespace spacedyn::cli {

/// Connection with the other ranks; null if this process is alone.
struct Ranks {
  std::unique_ptr<SweepCommunicator> communicator;
  int rank = 0;  ///< of this process
};

/// @throws Failure (2) if there are others and this program is built without MPI
Ranks join_ranks();

/// The function of the library that is linked with MPI, by the name kJoinWithMpi.
using JoinWithMpi = void (*)(Ranks& ranks);
inline constexpr const char* kJoinWithMpi = "spacedyn_join_with_mpi";

}  // namespace spacedyn::cli
