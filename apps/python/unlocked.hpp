/// @file
/// Computing while other Python threads go on.
#pragma once

#include <pybind11/pybind11.h>

namespace spacedyn::python {

/// Releases the lock of the interpreter as long as it lives. The interpreter does not end
/// meanwhile: a thread that came back to one that has ended would take the process with it.
class Unlocked {
 public:
  Unlocked() = default;
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  struct Count {
    Count();
    ~Count();
    Count(const Count&) = delete;
    Count& operator=(const Count&) = delete;
  };
  Count count_;
  pybind11::gil_scoped_release unlocked_;  // the lock is back before the count goes down
};

/// Whether the interpreter is about to end: what computes is to stop.
bool interpreter_ends();

/// Has the interpreter wait at its end until nothing computes any more.
void wait_at_the_end();

}  // namespace spacedyn::python
