#include "spacedyn/constraints/explicit_form.hpp"

#include <Eigen/Cholesky>

#include "constraints/implicit_form.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
ExplicitForm explicit_form(const Model& model, const State& state, const Loads& loads,
                           const Mobility& mobility, ConstVectorRef acceleration) {
  state.check(model);
  loads.check(model);
  const ImplicitForm loops(model, state);
  const std::vector<int>& free = mobility.free();
  const auto count = static_cast<Eigen::Index>(free.size());
  const Eigen::Index rows = loops.K.rows();

  ExplicitForm form;
  form.g = VectorX::Zero(model.velocity_size());
  for (const int row : mobility.prescribed()) form.g(row) = acceleration(row);
  MatrixX basis = MatrixX::Identity(count, count);
  if (rows > 0 && count > 0) {
    SingularValues values(static_cast<int>(rows), static_cast<int>(count));
    values.matrix() = loops.K(Eigen::all, free);
    values.decompose_relative(kRankTolerance);
    basis = values.kernel_basis();
    VectorX least(count);
    values.solve(loops.k - loops.K * form.g, 0.0, least);
    for (Eigen::Index i = 0; i < count; ++i) form.g(free[static_cast<std::size_t>(i)]) = least(i);
  }
  form.G = MatrixX::Zero(model.velocity_size(), basis.cols());
  form.G(free, Eigen::all) = basis;

  const MatrixX H = inertia_matrix(model, state);
  // c + H g, with gravity and external wrenches
  const VectorX bias = inverse_dynamics(model, state, form.g, loads);
  VectorX tau(model.velocity_size());
  tau << loads.F_b, loads.tau;
  form.H_G = form.G.transpose() * H * form.G;
  form.C_G = form.G.transpose() * bias;
  form.force = form.G.transpose() * tau;
  form.rate = form.G.transpose() * state.velocity();
  const Eigen::LLT<MatrixX> factorization(form.H_G);
  if (factorization.info() != Eigen::Success) {
    throw NumericalError("the inertia matrix of a robot with loops is not positive definite", 0.0,
                         0, "inertia matrix");
  }
  form.rate_change = factorization.solve(form.force - form.C_G);
  return form;
}

ExplicitForm explicit_form(const Model& model, const State& state, const Loads& loads) {
  return explicit_form(model, state, loads, Mobility(model), VectorX::Zero(model.velocity_size()));
}

}  // namespace spacedyn
