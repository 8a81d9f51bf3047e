/// @file
/// Checks of programmer errors in hot paths: on in the dev and sanitizer presets, absent otherwise.
#pragma once

#ifdef SPACEDYN_ENABLE_ASSERT
#include <cstdio>
#include <cstdlib>
/// Aborts with the failed condition and its place.
#define SPACEDYN_ASSERT(condition)                                                                \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      static_cast<void>(                                                                          \
          std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition)); \
      std::abort();                                                                               \
    }                                                                                             \
  } while (false)
#else
#define SPACEDYN_ASSERT(condition) static_cast<void>(0)
#endif
