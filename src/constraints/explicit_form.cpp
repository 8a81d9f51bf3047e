#include "spacedyn/constraints/explicit_form.hpp"

#include <Eigen/Cholesky>

#include "constraints/implicit_form.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
namespace {

/// Fills in all that follows from G and g.
void project(const Model& model, const State& state, const Loads& loads, ExplicitForm& form) {
  const MatrixX H = inertia_matrix(model, state);
  // c + H g, with gravity and external wrenches
  const VectorX bias = inverse_dynamics(model, state, form.g, loads);
  VectorX tau(model.velocity_size());
  tau << loads.F_b, loads.tau;
  form.H_G = form.G.transpose() * H * form.G;
  form.C_G = form.G.transpose() * bias;
  form.force = form.G.transpose() * tau;
  const Eigen::LLT<MatrixX> factorization(form.H_G);
  if (factorization.info() != Eigen::Success) {
    throw NumericalError("the inertia matrix of a robot with constraints is not positive definite",
                         0.0, 0, "inertia matrix");
  }
  form.rate_change = factorization.solve(form.force - form.C_G);
  form.constraint_force = H * (form.G * form.rate_change) + bias - tau;
}

void require_size(const char* what, Eigen::Index rows, Eigen::Index columns, Eigen::Index expected,
                  Eigen::Index expected_columns) {
  if (rows == expected && columns == expected_columns) return;
  throw DimensionError(std::string(what) + " of explicit joints is " + std::to_string(rows) + "×" +
                       std::to_string(columns) + ", expected " + std::to_string(expected) + "×" +
                       std::to_string(expected_columns));
}

}  // namespace

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
  form.rate = form.G.transpose() * state.velocity();
  project(model, state, loads, form);
  return form;
}

ExplicitForm explicit_form(const Model& model, State& state, const ExplicitJoints& joints,
                           const VectorX& y, const VectorX& rate, const Loads& loads) {
  if (!joints.position || !joints.jacobian || !joints.change) {
    throw DomainError("explicit joints need the functions position, jacobian and change");
  }
  if (!model.loops().empty()) {
    throw DomainError("explicit joints are those of a tree, but model '" + model.name() +
                      "' has loop '" + model.loops()[0].name + "'");
  }
  const Eigen::Index n = model.joint_count();
  const VectorX q = joints.position(y);
  const MatrixX G = joints.jacobian(y);
  const VectorX g = joints.change(y, rate);
  require_size("the position", q.size(), 1, n, 1);
  require_size("the jacobian", G.rows(), G.cols(), n, y.size());
  require_size("the change", g.size(), 1, n, 1);
  require_size("the rate", rate.size(), 1, y.size(), 1);
  state.q = q;
  state.qd = G * rate;
  state.check(model);
  loads.check(model);
  const Eigen::Index base = model.has_fixed_base() ? 0 : 6;
  ExplicitForm form;
  form.G = MatrixX::Zero(6 + n, base + y.size());
  form.G.topLeftCorner(base, base).setIdentity();
  form.G.bottomRightCorner(n, y.size()) = G;
  form.g = VectorX::Zero(6 + n);
  form.g.tail(n) = g;
  form.rate.resize(base + y.size());
  form.rate << state.velocity().head(base), rate;
  project(model, state, loads, form);
  return form;
}

ExplicitForm explicit_form(const Model& model, const State& state, const Loads& loads) {
  return explicit_form(model, state, loads, Mobility(model), VectorX::Zero(model.velocity_size()));
}

}  // namespace spacedyn
