#include "spacedyn/analysis/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "forces/compliant_only.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

void check_matrix(const MatrixX& matrix, Eigen::Index size, const std::string& name) {
  if (matrix.rows() != size || matrix.cols() != size) {
    throw DimensionError(name + " is " + std::to_string(matrix.rows()) + "x" +
                         std::to_string(matrix.cols()) + ", expected " + std::to_string(size) +
                         "x" + std::to_string(size));
  }
  if (!matrix.allFinite()) throw DomainError(name + " has an element that is not finite");
  const double scale = size == 0 ? 0.0 : matrix.cwiseAbs().maxCoeff();
  if (!(matrix - matrix.transpose()).isZero(1e-8 * scale)) {
    throw DomainError(name + " is not symmetric: the system has no real modes");
  }
}

MatrixX free_part(const MatrixX& matrix, const std::vector<int>& free) {
  return matrix(free, free);
}

/// Coordinates that no stiffness acts on.
std::vector<int> unsprung(const MatrixX& K) {
  std::vector<int> rows;
  for (int i = 0; i < K.rows(); ++i) {
    if (K.row(i).isZero(0.0)) rows.push_back(i);
  }
  return rows;
}

bool is_diagonal(const MatrixX& K) { return (K - MatrixX(K.diagonal().asDiagonal())).isZero(0.0); }

/// How many eigenvalues are zero: exactly known for springs at the joints, else by rounding.
int count_rigid(const MatrixX& K, const VectorX& lambda, int unsprung_count) {
  if (is_diagonal(K)) return unsprung_count;
  const auto size = static_cast<double>(lambda.size());
  const double rounding = 100.0 * size * kEps * lambda.cwiseAbs().maxCoeff();
  return static_cast<int>((lambda.cwiseAbs().array() <= rounding).count());
}

/// Unit vectors of the coordinates, each made orthogonal in H to those before it.
MatrixX rigid_shapes(const MatrixX& H, const std::vector<int>& coordinates) {
  MatrixX shapes = MatrixX::Zero(H.rows(), static_cast<Eigen::Index>(coordinates.size()));
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    shapes(coordinates[static_cast<std::size_t>(j)], j) = 1.0;
    for (Eigen::Index k = 0; k < j; ++k) {
      const VectorX momentum = H * shapes.col(k);
      shapes.col(j) -= shapes.col(k) * (momentum.dot(shapes.col(j)) / momentum.dot(shapes.col(k)));
    }
  }
  return shapes;
}

/// Eigenvalues ascending, those of rigid-body modes exactly zero, and unit shapes.
struct Solution {
  VectorX lambda;
  MatrixX shapes;
  int rigid = 0;
};

void set_rigid(const MatrixX& H, const MatrixX& K, Solution& solution) {
  const std::vector<int> coordinates = unsprung(K);
  solution.rigid = count_rigid(K, solution.lambda, static_cast<int>(coordinates.size()));
  // the eigenvalues nearest zero are neighbours
  Eigen::Index first = 0;
  for (Eigen::Index i = 1; i + solution.rigid <= solution.lambda.size(); ++i) {
    const auto largest = [&](Eigen::Index at) {
      return std::max(std::abs(solution.lambda(at)),
                      std::abs(solution.lambda(at + solution.rigid - 1)));
    };
    if (solution.rigid > 0 && largest(i) < largest(first)) first = i;
  }
  solution.lambda.segment(first, solution.rigid).setZero();
  if (static_cast<int>(coordinates.size()) == solution.rigid) {
    solution.shapes.middleCols(first, solution.rigid) = rigid_shapes(H, coordinates);
  }
}

bool is_positive_definite(const MatrixX& H) {
  return H.rows() == 0 || Eigen::LLT<MatrixX>(H).info() == Eigen::Success;
}

Solution solve(const MatrixX& H, const MatrixX& K) {
  if (H.rows() == 0) return {};
  if (!is_positive_definite(H)) {
    throw NumericalError("the inertia matrix is not positive definite at this configuration", 0.0,
                         0, "inertia matrix");
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(K, H);
  if (solver.info() != Eigen::Success) {
    throw NumericalError("the eigenvalues of the modes did not converge", 0.0, 0, "modes");
  }
  Solution solution{solver.eigenvalues(), solver.eigenvectors(), 0};
  set_rigid(H, K, solution);
  for (Eigen::Index i = 0; i < solution.shapes.cols(); ++i) {
    auto shape = solution.shapes.col(i);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    shape /= shape(largest) < 0.0 ? -shape.norm() : shape.norm();
  }
  return solution;
}

Mode describe(const MatrixX& H, const MatrixX& D, const MatrixX& K, const Mobility& mobility,
              double lambda, const VectorX& free_shape) {
  Mode mode;
  mode.omega = std::sqrt(std::max(lambda, 0.0));
  mode.growth_rate = std::sqrt(std::max(-lambda, 0.0));
  mode.shape = VectorX::Zero(H.rows());
  mode.shape(mobility.free()) = free_shape;
  const VectorX momentum = H * mode.shape;
  mode.modal_mass = momentum.dot(mode.shape);
  if (mode.omega > 0.0) {
    mode.damping_ratio = mode.shape.dot(D * mode.shape) / (2.0 * mode.omega * mode.modal_mass);
  }
  const Eigen::Index n = H.rows() - 6;
  mode.strain_share = VectorX::Zero(n);
  if (lambda != 0.0) {
    mode.strain_share =
        mode.shape.cwiseProduct(K * mode.shape).tail(n) / (lambda * mode.modal_mass);
  }
  if (!mobility.base_free()) {
    mode.participation = momentum.head<6>() / mode.modal_mass;
    mode.effective_mass = mode.participation.cwiseAbs2() * mode.modal_mass;
  }
  return mode;
}

double damping_coupling(const MatrixX& D, const MatrixX& shapes) {
  const MatrixX modal = shapes.transpose() * D * shapes;
  if (modal.size() == 0) return 0.0;
  const double least = kEps * modal.cwiseAbs().maxCoeff();
  double largest = 0.0;
  for (Eigen::Index j = 0; j < modal.cols(); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) {
      const double scale = std::sqrt(std::abs(modal(i, i) * modal(j, j)));
      // modes without damping of their own couple to nothing
      if (scale > least) {
        largest = std::max(largest, std::abs(modal(i, j)) / scale);
      }
    }
  }
  return largest;
}

/// Adds what springs and dampers between bodies do to the joints at rest: the rest of their
/// derivatives is zero, for they are internal.
void add_springs(const Model& model, const State& rest,
                 const std::vector<std::shared_ptr<const ForceElement>>& forces, MatrixX& K,
                 MatrixX& D) {
  const int n = model.joint_count();
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, rest, frames);
  compute_link_velocities(model, rest, frames, velocities);
  const VectorX none;
  for (const auto& force : forces) {
    if (!force->belongs_to_modes()) continue;
    force->check(model);
    LoadDerivatives derivatives(model, 0);
    force->differentiate({0.0, model, rest, frames, velocities, none}, derivatives);
    const MatrixX by_position = derivatives.force_configuration.bottomRightCorner(n, n);
    const MatrixX by_velocity = derivatives.force_velocity.bottomRightCorner(n, n);
    // a Hessian and a dissipation, symmetric but for rounding
    K.bottomRightCorner(n, n) -= 0.5 * (by_position + by_position.transpose());
    D.bottomRightCorner(n, n) -= 0.5 * (by_velocity + by_velocity.transpose());
  }
}

/// What the same springs do at rest.
void add_static_loads(const Model& model, const State& rest,
                      const std::vector<std::shared_ptr<const ForceElement>>& forces,
                      Loads& loads) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, rest, frames);
  compute_link_velocities(model, rest, frames, velocities);
  const VectorX none;
  for (const auto& force : forces) {
    if (force->belongs_to_modes())
      force->apply({0.0, model, rest, frames, velocities, none}, loads);
  }
}

/// That of springs of spherical joints depends on where they are.
MatrixX stiffness_at(const Model& model, const State& state) {
  MatrixX K = stiffness_matrix(model);
  for (const int first : model.spherical_joints()) {
    if (!has_spring(model, first)) continue;
    const Matrix3 own = spring_stiffness(model, state.q.segment<3>(first - 1), first);
    K.block<3, 3>(first - 1, first - 1) = 0.5 * (own + own.transpose());
  }
  return K;
}

/// Adds the torques that hold the system there, the least beside what the loops hold.
void hold_at_rest(const Model& model, const State& rest, Loads& loads) {
  const int n = model.joint_count();
  const VectorX missing =
      inverse_dynamics(model, rest, VectorX::Zero(6 + n), loads).tail(n) - loads.tau;
  const LoopEquations loops(model);
  LoopMotion motion(model);
  motion.compute(model, rest);
  MatrixX K_T(6 + n, loops.rows());
  loops.jacobian(motion.frames, motion.state, K_T);
  const MatrixX joints = K_T.bottomRows(n);
  const VectorX multipliers = joints.completeOrthogonalDecomposition().solve(missing);
  loads.tau += missing - joints * multipliers;
}

}  // namespace

double Mode::frequency() const { return omega / (2.0 * kPi); }

namespace {

/// Modes of the displacements that a basis spans: its columns have 6 + n elements.
/// Of unit length without those of joints that follow others.
Modes modes_along(const Model& model, const MatrixX& basis, const MatrixX& H, const MatrixX& D,
                  const MatrixX& K, const Mobility& mobility) {
  const MatrixX stiffness = basis.transpose() * K * basis;
  const Solution solution =
      solve(basis.transpose() * H * basis, 0.5 * (stiffness + stiffness.transpose()));
  Modes result;
  result.rigid_count = solution.rigid;
  for (Eigen::Index i = 0; i < solution.lambda.size(); ++i) {
    VectorX shape = basis * solution.shapes.col(i);
    shape /= own_motion(model, shape).norm();
    result.modes.push_back(describe(H, D, K, mobility, solution.lambda(i), shape(mobility.free())));
  }
  result.damping_coupling = damping_coupling(basis.transpose() * D * basis, solution.shapes);
  return result;
}

}  // namespace

Modes compute_modes(const MatrixX& H, const MatrixX& D, const MatrixX& K,
                    const Mobility& mobility) {
  const auto size =
      static_cast<Eigen::Index>(mobility.free().size() + mobility.prescribed().size());
  check_matrix(H, size, "the inertia matrix");
  check_matrix(D, size, "the damping matrix");
  check_matrix(K, size, "the stiffness matrix");
  const Solution solution = solve(free_part(H, mobility.free()), free_part(K, mobility.free()));
  Modes result;
  result.rigid_count = solution.rigid;
  for (Eigen::Index i = 0; i < solution.lambda.size(); ++i) {
    result.modes.push_back(describe(H, D, K, mobility, solution.lambda(i), solution.shapes.col(i)));
  }
  result.damping_coupling = damping_coupling(free_part(D, mobility.free()), solution.shapes);
  return result;
}

Modes compute_modes(const Model& model, const State& state, const Mobility& mobility,
                    const Vector3& gravity,
                    const std::vector<std::shared_ptr<const ForceElement>>& forces) {
  require_compliant(model, forces, "modal analysis");
  State rest = state;
  rest.v_0.setZero();
  rest.omega_0.setZero();
  rest.qd = VectorX::Zero(model.joint_count());
  Loads loads(model);
  if (!mobility.base_free()) loads.gravity = gravity;
  const InverseDynamicsDerivatives derivatives =
      inverse_dynamics_derivatives(model, rest, VectorX::Zero(model.velocity_size()), loads);
  MatrixX D = MatrixX::Zero(model.velocity_size(), model.velocity_size());
  MatrixX K = D;
  const int n = model.joint_count();
  if (!mobility.base_free()) {
    // the Hessian of the gravity potential, symmetric but for rounding
    const MatrixX joints = derivatives.configuration.bottomRightCorner(n, n);
    K.bottomRightCorner(n, n) = 0.5 * (joints + joints.transpose());
  }
  K.bottomRightCorner(n, n) += stiffness_at(model, rest);
  D.bottomRightCorner(n, n) += damping_matrix(model);
  add_springs(model, rest, forces, K, D);
  if (model.loops().empty()) {
    const MatrixX& H = derivatives.acceleration;
    if (!is_positive_definite(free_part(H, mobility.free()))) throw singularity_error(model, rest);
    return compute_modes(H, D, K, mobility);
  }
  // the loops turn with what they carry at rest: geometric stiffness
  loads.tau = passive_torque(model, rest);
  add_static_loads(model, rest, forces, loads);
  hold_at_rest(model, rest, loads);
  const ConstrainedDerivatives closed = constrained_derivatives(
      model, model.loops(), rest, loads, mobility, VectorX::Zero(model.velocity_size()));
  const MatrixX turned =
      0.5 * (closed.force_configuration + closed.force_configuration.transpose());
  K.bottomRightCorner(n, n) -= turned.bottomRightCorner(n, n);
  const IndependentCoordinates left =
      independent_coordinates(closed.K, closed.rate_configuration, mobility, model.followers());
  return modes_along(model, left.G, derivatives.acceleration, D, K, mobility);
}

Mobility hold_unsprung_joints(const Model& model, const Mobility& mobility) {
  VectorX stiffness = stiffness_matrix(model).diagonal();
  for (const Follower& each : model.followers()) {
    stiffness(each.followed - 1) += stiffness(each.joint - 1);
  }
  for (const Follower& each : model.followers()) {
    stiffness(each.joint - 1) = stiffness(each.followed - 1);
  }
  std::vector<bool> free;
  for (int i = 1; i <= model.joint_count(); ++i) {
    free.push_back(mobility.joint_free(i) && stiffness(i - 1) > 0.0);
  }
  return {mobility.base_free(), free};
}

namespace {

/// Unit length, the phase chosen so that the largest element is real and positive.
Eigen::VectorXcd normalized(const Eigen::VectorXcd& shape) {
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  const std::complex<double> pivot = shape(largest);
  return shape * (std::conj(pivot) / std::abs(pivot)) / shape.norm();
}

}  // namespace

double EigenMode::frequency() const { return std::abs(eigenvalue.imag()) / (2.0 * kPi); }

std::vector<EigenMode> eigenmodes(const MatrixX& A) {
  if (A.rows() != A.cols()) throw DomainError("only a square matrix has eigenmodes");
  if (!A.allFinite()) throw DomainError("the matrix has an element that is not finite");
  if (A.rows() == 0) return {};
  const Eigen::EigenSolver<MatrixX> solver(A);
  if (solver.info() != Eigen::Success) {
    throw NumericalError("the eigenvalues did not converge", 0.0, 0, "eigenvalues");
  }
  const double rounding =
      std::sqrt(static_cast<double>(A.rows()) * std::numeric_limits<double>::epsilon() *
                A.cwiseAbs().maxCoeff());
  std::vector<EigenMode> modes;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    EigenMode mode;
    mode.eigenvalue = solver.eigenvalues()(i);
    mode.omega = std::abs(mode.eigenvalue);
    if (mode.omega <= rounding) {
      mode.eigenvalue = mode.omega = 0.0;
    } else {
      if (mode.eigenvalue.imag() < 0.0) continue;  // the other of a pair
      mode.damping_ratio = -mode.eigenvalue.real() / mode.omega;
    }
    mode.shape = normalized(solver.eigenvectors().col(i));
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const EigenMode& a, const EigenMode& b) { return a.omega < b.omega; });
  return modes;
}

}  // namespace spacedyn
