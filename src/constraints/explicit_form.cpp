#include "spacedyn/constraints/explicit_form.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

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

void require_functions(const Model& model, const ExplicitJoints& joints) {
  if (!joints.position || !joints.jacobian || !joints.change) {
    throw DomainError("explicit joints need the functions position, jacobian and change");
  }
  if (model.loops().empty()) return;
  throw DomainError("explicit joints are those of a tree, but model '" + model.name() +
                    "' has loop '" + model.loops()[0].name + "'");
}

/// What the functions return, of the right sizes.
struct JointsAt {
  VectorX q, g;
  MatrixX G;

  JointsAt(const ExplicitJoints& joints, const VectorX& y, const VectorX& rate, Eigen::Index n)
      : q(joints.position(y)), g(joints.change(y, rate)), G(joints.jacobian(y)) {
    require_size("the position", q.size(), 1, n, 1);
    require_size("the jacobian", G.rows(), G.cols(), n, y.size());
    require_size("the change", g.size(), 1, n, 1);
    require_size("the rate", rate.size(), 1, y.size(), 1);
  }
};

/// One of the rows Nᵀ (q − γ(y)).
class ExplicitRow final : public ConstraintFunction {
 public:
  ExplicitRow(std::shared_ptr<const ExplicitJoints> joints, Eigen::Index row)
      : joints_(std::move(joints)), row_(row) {}

  double value(ConstVectorRef q) const noexcept override {
    const VectorX y = joints_->coordinates(q);
    return normal(joints_->jacobian(y)).dot(q - joints_->position(y));
  }
  void gradient(ConstVectorRef q, VectorRef gradient) const noexcept override {
    gradient = normal(joints_->jacobian(joints_->coordinates(q)));
  }
  // of motions that keep to γ, whose φ̈ is Nᵀ (q̈ − g)
  double curvature(ConstVectorRef q, ConstVectorRef qd) const noexcept override {
    const VectorX y = joints_->coordinates(q);
    const MatrixX G = joints_->jacobian(y);
    const VectorX rate = G.householderQr().solve(qd);
    return -normal(G).dot(joints_->change(y, rate));
  }

 private:
  /// A column of N: what Householder's reflections of G leave of the last axes.
  VectorX normal(const MatrixX& G) const {
    VectorX axis = VectorX::Unit(G.rows(), G.cols() + row_);
    axis.applyOnTheLeft(G.householderQr().householderQ());
    return axis;
  }

  std::shared_ptr<const ExplicitJoints> joints_;
  Eigen::Index row_;
};

}  // namespace

std::vector<LoopDescription> explicit_loops(const Model& model, const ExplicitJoints& joints,
                                            const VectorX& y) {
  require_functions(model, joints);
  if (!joints.coordinates) throw DomainError("explicit joints fly with the function coordinates");
  const Eigen::Index n = model.joint_count(), m = y.size();
  if (n > kMostFunctionJoints) {
    throw DomainError("explicit joints fly with at most " + std::to_string(kMostFunctionJoints) +
                      " joints, got " + std::to_string(n));
  }
  const JointsAt at(joints, y, VectorX::Zero(m), n);
  const VectorX back = joints.coordinates(at.q);
  require_size("the result of coordinates", back.size(), 1, m, 1);
  SingularValues values(static_cast<int>(n), static_cast<int>(m));
  values.matrix() = at.G;
  values.decompose_relative(kRankTolerance);
  if (values.rank() < m) {
    throw DomainError("the jacobian of explicit joints has rank " + std::to_string(values.rank()) +
                      ", expected " + std::to_string(m));
  }
  if (!((back - y).norm() <= kRankTolerance * (1.0 + y.norm()))) {
    throw DomainError("coordinates of the position of explicit joints are not y");
  }
  const auto shared = std::make_shared<const ExplicitJoints>(joints);
  std::vector<LoopDescription> loops;
  for (Eigen::Index row = 0; row < n - m; ++row) {
    LoopDescription loop;
    loop.name = "explicit_" + std::to_string(row);
    loop.type = LoopType::function;
    for (int joint = 1; joint <= n; ++joint) loop.joints.push_back(model.joint(joint).name);
    loop.function = std::make_shared<const ExplicitRow>(shared, row);
    loops.push_back(std::move(loop));
  }
  return loops;
}

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
  require_functions(model, joints);
  const Eigen::Index n = model.joint_count();
  const JointsAt at(joints, y, rate, n);
  state.q = at.q;
  state.qd = at.G * rate;
  state.check(model);
  loads.check(model);
  const Eigen::Index base = model.has_fixed_base() ? 0 : 6;
  ExplicitForm form;
  form.G = MatrixX::Zero(6 + n, base + y.size());
  form.G.topLeftCorner(base, base).setIdentity();
  form.G.bottomRightCorner(n, y.size()) = at.G;
  form.g = VectorX::Zero(6 + n);
  form.g.tail(n) = at.g;
  form.rate.resize(base + y.size());
  form.rate << state.velocity().head(base), rate;
  project(model, state, loads, form);
  return form;
}

ExplicitForm explicit_form(const Model& model, const State& state, const Loads& loads) {
  return explicit_form(model, state, loads, Mobility(model), VectorX::Zero(model.velocity_size()));
}

}  // namespace spacedyn
