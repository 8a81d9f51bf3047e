/// @file
/// A force element from a function, for programs that need no class of their own.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Adds to the loads whatever a function adds; all its power counts as work.
class SPACEDYN_EXPORT FunctionForce final : public ForceElement {
 public:
  using Law = std::function<void(const EvaluationContext&, Loads&)>;

  /// @param law  adds to the loads; must depend on its arguments only and not allocate
  FunctionForce(std::string name, Law law) : ForceElement(std::move(name)), law_(std::move(law)) {}

  void apply(const EvaluationContext& context, Loads& loads) const override {
    law_(context, loads);
  }

 private:
  Law law_;
};

}  // namespace spacedyn
