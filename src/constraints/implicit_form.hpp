/// @file
/// K and k of the loops of a model at a state. Private.
#pragma once

#include "spacedyn/constraints/loop_equations.hpp"

namespace spacedyn {

/// K u̇ = k, [RBDA] (3.11).
struct ImplicitForm {
  MatrixX K;  ///< rows×(6+n)
  VectorX k;

  ImplicitForm(const Model& model, const State& state) {
    const LoopEquations equations(model);
    LoopMotion seen(model);
    seen.compute(model, state);
    MatrixX K_T(model.velocity_size(), equations.rows());
    equations.jacobian(seen.frames, seen.state, K_T);
    K = K_T.transpose();
    k = VectorX::Zero(equations.rows());
    equations.bias(seen.frames, seen.velocities, seen.state, k);
  }
  /// Columns of the joints; those of the base are zero.
  MatrixX joints() const { return K.rightCols(K.cols() - 6); }
};

}  // namespace spacedyn
