/// @file
/// Assembly by divide and conquer: halves of a system, joined level by level.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

/// The divide-and-conquer algorithm [RBDA, 7; Featherstone, IJRR 18(9), 1999]: two parts whose
/// inverse inertias at their outer bodies are known are joined to one part.
///
/// Bodies in depth-first order are halved until each is alone; a joint or a loop is closed in the
/// smallest part that contains all its bodies. With n bodies in a chain, or in neighbours' loops
/// along one, parts have few outer bodies: O(n) work in O(log n) levels, whose two largest parts
/// run on threads of their own. Bodies with many branches are outer bodies of many parts and cost
/// more. Bodies without inertia become part of the joint that they stand between.
class DivideAndConquerAssembly {
 public:
  /// @param model  must outlive this object
  /// @throws DomainError naming a body without full inertia that carries not exactly one other
  /// body, or to which a loop is fixed
  /// @throws DimensionError if a part has more than 128 outer bodies
  DivideAndConquerAssembly(const Model& model, const Mobility& mobility, std::vector<Loop> loops);
  ~DivideAndConquerAssembly();
  DivideAndConquerAssembly(DivideAndConquerAssembly&&) noexcept;
  DivideAndConquerAssembly& operator=(DivideAndConquerAssembly&&) noexcept;

  /// Levels of the tree of parts: ⌈log₂ bodies⌉.
  int levels() const;

  /// H u̇ + c = τ + Kᵀ λ, K u̇ = k; λ is zero for rows that follow from others.
  /// @param acceleration  in: entries of prescribed coordinates; out: all, size 6 + n
  /// @param multipliers   out: λ
  /// @param threads       1 or 2; the numbers do not depend on it
  /// @throws DomainError if a wrench acts on a body without inertia
  DynamicsStatus solve(const LoopMotion& motion, const Loads& loads, VectorRef acceleration,
                       VectorRef multipliers, int threads = 2);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace spacedyn
