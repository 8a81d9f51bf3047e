#include "textbook/assembly_maximal.hpp"

#include <cmath>

#include <Eigen/SparseLU>

#include "constraints/coupling_row.hpp"
#include "constraints/indices.hpp"
#include "constraints/loop_rows.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

using SparseEntry = Eigen::Triplet<double>;

/// Compliance of rows against what forces on them move, and how often its effect is taken back.
constexpr double kRowCompliance = 1e-10;
constexpr int kMostSparseSolutions = 4;
constexpr double kSparselySolved = 1e-15;

/// Places of the unknowns: base acceleration, then of each body its acceleration (linear, angular,
/// of the centroid), the wrench of its joint and the acceleration of its joint; then λ.
int place_of_body(int body) { return body == 0 ? 0 : 6 + 13 * (body - 1); }
int place_of_wrench(int body) { return place_of_body(body) + 6; }
int place_of_joint(int body) { return place_of_body(body) + 12; }

}  // namespace

struct MaximalAssembly::Memory {
  Memory(const Model& its_model, const Mobility& its_mobility, std::vector<Loop> loops)
      : model(its_model),
        mobility(its_mobility),
        equations(its_model, std::move(loops)),
        unknowns(6 + 13 * its_model.joint_count()),
        coasting(its_model),
        k(VectorX::Zero(equations.rows())),
        right(VectorX::Zero(unknowns + equations.rows())) {}

  void add(int row, int column, double value) { triplets.emplace_back(row, column, value); }
  void add(int row, int column, const Matrix3& block) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) add(row + i, column + j, block(i, j));
    }
  }
  void add_body(int body, const LoopMotion& motion, const Loads& loads);
  void add_joint(int body, const LoopMotion& motion, const Loads& loads, double given);
  void add_loop(int index, const LoopMotion& motion);
  bool factorize();

  const Model& model;
  Mobility mobility;
  LoopEquations equations;
  int unknowns;
  LinkAccelerations coasting;
  VectorX k, right;
  std::vector<SparseEntry> triplets;
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors;
  bool is_analyzed = false;
};

/// m v̇, J ω̇ of the response to what is left of the loads while the body coasts.
void MaximalAssembly::Memory::add_body(int body, const LoopMotion& motion, const Loads& loads) {
  const int row = place_of_body(body);
  const Body& its = model.body(body);
  const Matrix3& A = motion.frames.A[at(body)];
  const Matrix3 J = A * its.inertia_L * A.transpose();
  const Vector3& omega = motion.velocities.omega[at(body)];
  add(row, row, Matrix3(its.mass * Matrix3::Identity()));
  add(row + 3, row + 3, J);
  right.segment<3>(row) =
      loads.force.col(body) + its.mass * (loads.gravity - coasting.vd[at(body)]);
  right.segment<3>(row + 3) =
      loads.moment.col(body) - J * coasting.omegad[at(body)] - omega.cross(J * omega);
  if (body == 0) {
    right.head<6>() += loads.F_b;
    return;
  }
  // the wrench of the joint acts about the centroid here, and back on the lower body
  const int wrench = place_of_wrench(body), lower = model.topology().connection(body);
  const Vector3 arm = motion.frames.r[at(body)] - motion.frames.r[at(lower)];
  const int below = place_of_body(lower);
  for (int i = 0; i < 6; ++i) add(row + i, wrench + i, -1.0);
  if (lower == 0 && !mobility.base_free()) return;
  for (int i = 0; i < 6; ++i) add(below + i, wrench + i, 1.0);
  add(below + 3, wrench, tilde(arm));
}

void MaximalAssembly::Memory::add_joint(int body, const LoopMotion& motion, const Loads& loads,
                                        double given) {
  const Joint& joint = model.joint(body);
  const int lower = model.topology().connection(body);
  const int own = place_of_body(body), below = place_of_body(lower);
  const int wrench = place_of_wrench(body), rate = place_of_joint(body);
  const Vector3& axis = motion.frames.k[at(body)];
  const bool turns = joint.type == JointType::revolute;
  const Vector3 linear =
      turns ? Vector3(axis.cross(motion.frames.r[at(body)] - motion.frames.p[at(body)])) : axis;
  // v̇ − v̇_B − ω̇_B × arm − s q̈ = 0 and ω̇ − ω̇_B − s q̈ = 0
  const Vector3 arm = motion.frames.r[at(body)] - motion.frames.r[at(lower)];
  for (int i = 0; i < 6; ++i) {
    add(wrench + i, own + i, 1.0);
    add(wrench + i, below + i, -1.0);
  }
  add(wrench, below + 3, tilde(arm));
  for (int i = 0; i < 3; ++i) {
    add(wrench + i, rate, -linear(i));
    if (turns) add(wrench + 3 + i, rate, -axis(i));
  }
  if (!mobility.joint_free(body)) {
    add(rate, rate, 1.0);
    right(rate) = given;
    return;
  }
  // τ = s · wrench + armature q̈
  for (int i = 0; i < 3; ++i) {
    add(rate, wrench + i, linear(i));
    if (turns) add(rate, wrench + 3 + i, axis(i));
  }
  add(rate, rate, joint.armature);
  right(rate) = loads.tau(body - 1);
}

void MaximalAssembly::Memory::add_loop(int index, const LoopMotion& motion) {
  const Loop& loop = equations.loops()[at(index)];
  const int first = unknowns + equations.first_row(index);
  double size = 0.0;
  if (loop_traits(loop.type).joins_points) {
    const Matrix3 axes = loop_traits(loop.type).has_axis ? rotation_from_z_to(loop.axis)
                                                         : Matrix3(Matrix3::Identity());
    const LoopPoints ends(loop, axes, motion.frames);
    const auto rows = loop_rows(loop, ends);
    for (const auto& [body, sign] : {std::pair(loop.to.body, 1.0), {loop.from.body, -1.0}}) {
      const Vector3 arm = ends.to - motion.frames.r[at(body)];
      const int column = place_of_body(body);
      const bool is_held = body == 0 && !mobility.base_free();
      for (int r = 0; r < loop.rows(); ++r) {
        Vector6 wrench;
        wrench << rows[at(r)].linear, rows[at(r)].angular + arm.cross(rows[at(r)].linear);
        wrench *= sign;
        for (int i = 0; i < 6; ++i) {
          add(first + r, column + i, wrench(i));
          if (!is_held) add(column + i, first + r, -wrench(i));
        }
      }
      if (!is_held) size += 1.0 / std::max(model.body(body).mass, 1e-3 * model.total_mass());
    }
  } else {
    for_each_coefficient(loop, motion.state.q, [&](std::size_t i, double c) {
      const int rate = place_of_joint(loop.joints[i]);
      add(first, rate, c);
      if (mobility.joint_free(loop.joints[i])) add(rate, first, -c);
      size += c * c / model.total_mass();
    });
  }
  for (int r = 0; r < loop.rows(); ++r) add(first + r, first + r, kRowCompliance * size);
}

bool MaximalAssembly::Memory::factorize() {
  const Eigen::Index size = right.size();
  matrix.resize(size, size);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  matrix.makeCompressed();
  // zeros are kept: the pattern is always the same
  if (!is_analyzed) factors.analyzePattern(matrix);
  is_analyzed = true;
  factors.factorize(matrix);
  return factors.info() == Eigen::Success;
}

MaximalAssembly::MaximalAssembly(const Model& model, const Mobility& mobility,
                                 std::vector<Loop> loops)
    : memory_(std::make_unique<Memory>(model, mobility, std::move(loops))) {}
MaximalAssembly::~MaximalAssembly() = default;
MaximalAssembly::MaximalAssembly(MaximalAssembly&&) noexcept = default;
MaximalAssembly& MaximalAssembly::operator=(MaximalAssembly&&) noexcept = default;

DynamicsStatus MaximalAssembly::solve(const LoopMotion& motion, const Loads& loads,
                                      VectorRef acceleration, VectorRef multipliers) {
  Memory& m = *memory_;
  const int n = m.model.joint_count();
  m.triplets.clear();
  m.right.setZero();
  compute_link_accelerations(m.model, motion.state, motion.frames, motion.velocities,
                             VectorX::Zero(6 + n), m.coasting);
  for (int body = 0; body <= n; ++body) {
    if (body > 0 || m.mobility.base_free()) m.add_body(body, motion, loads);
  }
  if (!m.mobility.base_free()) {
    for (int i = 0; i < 6; ++i) m.add(i, i, 1.0);
    m.right.head<6>() = acceleration.head<6>();
  }
  for (int body = 1; body <= n; ++body) m.add_joint(body, motion, loads, acceleration(body + 5));
  for (std::size_t i = 0; i < m.equations.loops().size(); ++i) {
    m.add_loop(static_cast<int>(i), motion);
  }
  m.equations.bias(motion.frames, motion.velocities, m.coasting, motion.state, m.k);
  m.right.tail(m.k.size()) = m.k;
  if (!m.factorize()) return DynamicsStatus::inertia_not_positive_definite;

  VectorX solution = m.factors.solve(m.right);
  const VectorX compliance = m.matrix.diagonal().tail(m.k.size());
  for (int i = 1; i < kMostSparseSolutions; ++i) {
    VectorX rest = m.right - m.matrix * solution;
    rest.tail(m.k.size()) += compliance.cwiseProduct(solution.tail(m.k.size()));
    const VectorX step = m.factors.solve(rest);
    solution += step;
    if (step.head(m.unknowns).lpNorm<Eigen::Infinity>() <
        kSparselySolved * solution.head(m.unknowns).lpNorm<Eigen::Infinity>()) {
      break;
    }
  }
  if (!solution.allFinite()) return DynamicsStatus::inertia_not_positive_definite;
  acceleration.head<6>() = solution.head<6>();
  for (int body = 1; body <= n; ++body) acceleration(body + 5) = solution(place_of_joint(body));
  multipliers = solution.tail(m.k.size());
  return DynamicsStatus::ok;
}

long MaximalAssembly::nonzeros() const { return memory_->matrix.nonZeros(); }
long MaximalAssembly::factor_nonzeros() const {
  return memory_->factors.nnzL() + memory_->factors.nnzU();
}

}  // namespace spacedyn
