/// @file
/// Counts allocations of a test program, those of Eigen included.
#pragma once

namespace spacedyn::testing {

/// Whether allocations are counted: not under a sanitizer, which has its own allocator.
bool counts_allocations();

/// Allocations of this thread since it began: malloc and its relatives, and thereby operator new.
long allocation_count();

}  // namespace spacedyn::testing
