/// @file
/// Another library on the same mechanism.
#pragma once

#include <memory>

#include <spacedyn/model/model.hpp>
#include <spacedyn/state/state.hpp>

namespace spacedyn::bench {

/// Accelerations of a plane mechanism with pins, again and again.
class LoopContender {
 public:
  virtual ~LoopContender() = default;
  virtual void evaluate() = 0;
  /// q̈ of the last evaluation, in the order of the model.
  virtual VectorX acceleration() const = 0;
};

/// Null where the library is not installed.
std::unique_ptr<LoopContender> make_loop_contender(const Model& model, const State& state);

}  // namespace spacedyn::bench
