/// @file
/// The table of constrained forward dynamics in other libraries.
#pragma once

namespace spacedyn::bench {

/// Checks that all accelerations agree, then measures the libraries in turns.
/// @throws std::runtime_error where they do not agree
void print_peer_table();

}  // namespace spacedyn::bench
