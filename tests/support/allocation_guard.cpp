#include "support/allocation_guard.hpp"

#include <cerrno>
#include <cstddef>

// Eigen takes memory by malloc, so counting operator new alone would report nothing. The program's
// own definitions take precedence over the C library's, whose versions stay reachable by other
// names.

namespace {
thread_local long count = 0;
}

#if defined(__GLIBC__) && !defined(SPACEDYN_SANITIZED)

// seen by the library whatever the tests hide
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t members, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}

void* calloc(std::size_t members, std::size_t size) noexcept {
  ++count;
  return __libc_calloc(members, size);
}

void* realloc(void* pointer, std::size_t size) noexcept {
  ++count;
  return __libc_realloc(pointer, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++count;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++count;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) noexcept {
  ++count;
  *pointer = __libc_memalign(alignment, size);
  return *pointer == nullptr ? ENOMEM : 0;
}
}
#pragma GCC visibility pop

bool spacedyn::testing::counts_allocations() { return true; }

#else

bool spacedyn::testing::counts_allocations() { return false; }

#endif

long spacedyn::testing::allocation_count() { return count; }
