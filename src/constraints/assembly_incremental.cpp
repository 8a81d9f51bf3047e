#include "spacedyn/constraints/assembly_incremental.hpp"

#include <algorithm>
#include <cmath>

#include "constraints/incremental_memory.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {

IncrementalAssembly::IncrementalAssembly(const Model& model, const Mobility& mobility)
    : IncrementalAssembly(model, mobility, model.loops()) {}
IncrementalAssembly::IncrementalAssembly(const Model& model, const Mobility& mobility,
                                         std::vector<Loop> loops)
    : memory_(std::make_unique<Memory>(model, mobility, std::move(loops))) {}
IncrementalAssembly::~IncrementalAssembly() = default;
IncrementalAssembly::IncrementalAssembly(IncrementalAssembly&&) noexcept = default;
IncrementalAssembly& IncrementalAssembly::operator=(IncrementalAssembly&&) noexcept = default;

const LoopEquations& IncrementalAssembly::equations() const { return memory_->equations; }
const Mobility& IncrementalAssembly::mobility() const { return memory_->mobility; }
int IncrementalAssembly::rank() const { return memory_->rank; }
int IncrementalAssembly::rank_of(int loop) const {
  const EliminationPlan::LoopPart& part = memory_->plan.loops[at(loop)];
  const auto first = memory_->ranks.begin() + part.first;
  return static_cast<int>(
      std::count_if(first, first + part.size, [](const BlockRow& row) { return row.is_pivot; }));
}

double IncrementalAssembly::independence(int loop) const {
  const EliminationPlan::LoopPart& part = memory_->plan.loops[at(loop)];
  double largest = 0.0;
  for (int r = 0; r < part.size; ++r) {
    const BlockRow& row = memory_->ranks[at(part.first + r)];
    if (!row.is_pivot) continue;
    largest = std::max(largest, memory_->N[part.own + at(r * (part.size + 1))] * row.terms);
  }
  return 1.0 / largest;
}

int IncrementalAssembly::most_independent(int loop) const { return memory_->most_pivots[at(loop)]; }

DynamicsStatus IncrementalAssembly::update(const State& state, const LinkFrames& frames,
                                           double tolerance) noexcept {
  SPACEDYN_ASSERT(state.q.size() == memory_->model().joint_count());
  memory_->least_pivot = tolerance * tolerance;
  return memory_->update(state, frames);
}

DynamicsStatus IncrementalAssembly::note_ranks(const State& state,
                                               const LinkFrames& frames) noexcept {
  Memory& m = *memory_;
  for (std::size_t i = 0; i < m.most_pivots.size(); ++i) m.most_pivots[i] = m.plan.loops[i].size;
  const DynamicsStatus status = update(state, frames);
  for (std::size_t i = 0; i < m.most_pivots.size(); ++i) {
    m.noted[i] = std::max(m.noted[i], rank_of(static_cast<int>(i)));
    m.most_pivots[i] = m.noted[i];
  }
  return status;
}

void IncrementalAssembly::multipliers(ConstVectorRef b, VectorRef lambda) noexcept {
  memory_->solve(nullptr, b, memory_->response.data());
  lambda = memory_->lambda;
}

void IncrementalAssembly::respond(ConstVectorRef b, VectorRef y) noexcept {
  memory_->solve(nullptr, b, y.data());
}

void IncrementalAssembly::solve(ConstVectorRef f, ConstVectorRef b, VectorRef y,
                                VectorRef lambda) noexcept {
  memory_->force = f;
  memory_->solve(memory_->force.data(), b, y.data());
  lambda = memory_->lambda;
}

void IncrementalAssembly::apply(ConstVectorRef u, VectorRef rate) const noexcept {
  const Memory& m = *memory_;
  for (std::size_t i = 0; i < m.points.size(); ++i) {
    const EliminationPlan::LoopPart& part = m.plan.loops[i];
    const Loop& loop = m.equations.loops()[i];
    if (!loop_traits(loop.type).joins_points) {
      rate(part.first) = 0.0;
      for (std::size_t k = 0; k < loop.joints.size(); ++k) {
        rate(part.first) += m.coefficients[m.coefficient[i] + k] * u(loop.joints[k] + 5);
      }
      continue;
    }
    Vector3 w = Vector3::Zero(), omega = Vector3::Zero();
    const auto add = [&](const std::vector<int>& path, double sign) {
      for (const int joint : path) {
        const double qd = sign * u(joint + 5);
        w += qd * m.joints[at(joint)].velocity_at(m.points[i]);
        omega += qd * m.joints[at(joint)].angular();
      }
    };
    add(m.positive[i], 1.0);
    add(m.negative[i], -1.0);
    for (int r = part.first; r < part.first + part.size; ++r) {
      rate(r) = m.rows[at(r)].linear.dot(w) + m.rows[at(r)].angular.dot(omega);
    }
  }
}

void IncrementalAssembly::apply_transposed(ConstVectorRef lambda, VectorRef torque) const noexcept {
  const Memory& m = *memory_;
  torque.setZero();
  for (std::size_t i = 0; i < m.points.size(); ++i) {
    const EliminationPlan::LoopPart& part = m.plan.loops[i];
    const Loop& loop = m.equations.loops()[i];
    for (std::size_t k = 0; k < loop.joints.size(); ++k) {
      torque(loop.joints[k] - 1) += m.coefficients[m.coefficient[i] + k] * lambda(part.first);
    }
    if (!loop_traits(loop.type).joins_points) continue;
    Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
    for (int r = part.first; r < part.first + part.size; ++r) {
      linear += lambda(r) * m.rows[at(r)].linear;
      angular += lambda(r) * m.rows[at(r)].angular;
    }
    const auto add = [&](const std::vector<int>& path, double sign) {
      for (const int joint : path) {
        const ArticulatedJoint& each = m.joints[at(joint)];
        torque(joint - 1) +=
            sign * (each.velocity_at(m.points[i]).dot(linear) + each.angular().dot(angular));
      }
    };
    add(m.positive[i], 1.0);
    add(m.negative[i], -1.0);
  }
}

double IncrementalAssembly::largest(ConstVectorRef b) const noexcept {
  double result = 0.0;
  for (int row = 0; row < memory_->plan.rows; ++row) {
    if (memory_->ranks[at(row)].is_pivot) result = std::max(result, std::abs(b(row)));
  }
  return result;
}

void IncrementalAssembly::shorten(VectorRef lambda) noexcept {
  Memory& m = *memory_;
  Eigen::Index count = 0;
  for (int row = 0; row < m.plan.rows; ++row) {
    if (m.ranks[at(row)].is_rounding) lambda(row) = 0.0;
    if (!m.is_redundant(row)) continue;
    // what a unit of this row does, taken back by the others
    m.null_vector.setZero();
    m.null_vector(row) = 1.0;
    m.force.setZero();
    apply_transposed(m.null_vector, m.force.tail(m.model().joint_count()));
    m.solve(m.force.data(), m.nothing, m.response.data());
    m.null_vector += m.lambda;
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index i = 0; i < count; ++i) {
        m.null_vector -= m.null_vectors.col(i).dot(m.null_vector) * m.null_vectors.col(i);
      }
    }
    if (count == m.null_vectors.cols()) {
      m.null_vectors.conservativeResize(Eigen::NoChange, 2 * count);
    }
    m.null_vectors.col(count) = m.null_vector / m.null_vector.norm();
    lambda -= m.null_vectors.col(count).dot(lambda) * m.null_vectors.col(count);
    ++count;
  }
}

MatrixX IncrementalAssembly::jacobian_transposed() const {
  const Memory& m = *memory_;
  MatrixX K_T = MatrixX::Zero(m.model().velocity_size(), m.plan.rows);
  VectorX unit = VectorX::Zero(m.plan.rows);
  for (int row = 0; row < m.plan.rows; ++row) {
    unit(row) = 1.0;
    apply_transposed(unit, K_T.col(row).tail(m.model().joint_count()));
    unit(row) = 0.0;
  }
  return K_T;
}

std::vector<std::string> IncrementalAssembly::redundant_loops() const {
  const Memory& m = *memory_;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < m.points.size(); ++i) {
    const EliminationPlan::LoopPart& part = m.plan.loops[i];
    for (int r = part.first; r < part.first + part.size; ++r) {
      if (m.ranks[at(r)].is_pivot) continue;
      names.push_back(m.equations.loops()[i].name);
      break;
    }
  }
  return names;
}

}  // namespace spacedyn
