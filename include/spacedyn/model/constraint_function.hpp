/// @file
/// Constraints that programs give as functions of joint positions.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Most joints of one ConstraintFunction.
inline constexpr int kMostFunctionJoints = 16;

/// A smooth function φ of the positions of some joints that a loop of type LoopType::function keeps
/// at its offset, [RBDA] (3.11).
///
/// Vectors have an element for each joint in the order of LoopDescription::joints, rad or m. The
/// unit of φ is free; multipliers are joint forces per unit of its gradient. A Model and its copies
/// share the object: it must not change, and threads may call it at the same time.
class SPACEDYN_EXPORT ConstraintFunction {
 public:
  virtual ~ConstraintFunction();

  /// φ(q).
  virtual double value(ConstVectorRef q) const noexcept = 0;
  /// ∂φ/∂q.
  virtual void gradient(ConstVectorRef q, VectorRef gradient) const noexcept = 0;
  /// q̇ᵀ (∂²φ/∂q²) q̇, the acceleration of φ while joints keep their rates.
  virtual double curvature(ConstVectorRef q, ConstVectorRef qd) const noexcept = 0;

 protected:
  ConstraintFunction() = default;
  ConstraintFunction(const ConstraintFunction&) = default;
  ConstraintFunction& operator=(const ConstraintFunction&) = default;
};

}  // namespace spacedyn
