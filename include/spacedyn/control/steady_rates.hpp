/// @file
/// Constant rates as a reference.
#pragma once

#include <utility>

#include "spacedyn/control/reference.hpp"

namespace spacedyn {

/// Constant rates, from zero at t = 0: for laws that look at velocities alone.
class SteadyRates final : public Reference {
 public:
  explicit SteadyRates(VectorX rates) : rates_(std::move(rates)) {}
  int size() const override { return static_cast<int>(rates_.size()); }
  ReferenceValue evaluate(int component, double time) const override {
    return {rates_(component) * time, rates_(component), 0.0};
  }

 private:
  VectorX rates_;
};

}  // namespace spacedyn
