/// @file
/// Assembly in maximal coordinates: all bodies and all joints in one sparse matrix.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

/// Newton's and Euler's equations of each body, the six of each joint with the wrench that it
/// transmits, and the rows of the loops, solved as one sparse system by LU factors.
///
/// Tree joints and loops are on a par; nothing is eliminated by hand. 13 unknowns for each body and
/// one for each row. Rows that follow from others are kept apart by a small compliance, whose
/// effect is taken back by repeated solution; their multipliers are about those of least norm.
class MaximalAssembly {
 public:
  /// @param model  must outlive this object
  MaximalAssembly(const Model& model, const Mobility& mobility, std::vector<Loop> loops);
  ~MaximalAssembly();
  MaximalAssembly(MaximalAssembly&&) noexcept;
  MaximalAssembly& operator=(MaximalAssembly&&) noexcept;

  /// H u̇ + c = τ + Kᵀ λ, K u̇ = k. Allocates.
  /// @param acceleration  in: entries of prescribed coordinates; out: all, size 6 + n
  /// @param multipliers   out: λ
  DynamicsStatus solve(const LoopMotion& motion, const Loads& loads, VectorRef acceleration,
                       VectorRef multipliers);

  /// Numbers of the matrix that are not zero, and of its factors, after solve().
  long nonzeros() const;
  long factor_nonzeros() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace spacedyn
