#include <algorithm>

#include "constraints/coupling_row.hpp"
#include "constraints/incremental_memory.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// Null vectors of Kᵀ that have their memory from the start.
constexpr Eigen::Index kMostNullVectors = 64;

}  // namespace

IncrementalAssembly::Memory::Memory(const Model& model, const Mobility& its_mobility,
                                    std::vector<Loop> loops)
    : equations(model, std::move(loops)),
      mobility(its_mobility),
      plan(model, equations.loops()),
      joints(at(model.body_count())),
      rows(at(plan.rows)),
      points(equations.loops().size(), Vector3::Zero()),
      C(plan.C_size, 0.0),
      e(plan.e_size, 0.0),
      N(plan.N_size, 0.0),
      T(plan.T_size, 0.0),
      Y(plan.Y_size, 0.0),
      ranks(rows.size()) {
  noted.assign(points.size(), 0);
  for (const EliminationPlan::LoopPart& part : plan.loops) most_pivots.push_back(part.size);
  for (const Loop& loop : equations.loops()) {
    coefficient.push_back(coefficients.size());
    coefficients.resize(coefficients.size() + loop.joints.size(), 0.0);
    axes.push_back(loop_traits(loop.type).has_axis ? rotation_from_z_to(loop.axis)
                                                   : Matrix3(Matrix3::Identity()));
    const bool joins = loop_traits(loop.type).joins_points;
    const int home = joins ? meeting_body(model, loop.from.body, loop.to.body) : 0;
    positive.push_back(joins ? joints_down_to(model, loop.to.body, home) : std::vector<int>());
    negative.push_back(joins ? joints_down_to(model, loop.from.body, home) : std::vector<int>());
  }
  for (int i = 1; i <= model.joint_count(); ++i) {
    joints[at(i)].set(model.joint(i), mobility.joint_free(i));
  }
  joints[0].is_free = mobility.base_free();
  lambda = right = nothing = null_vector = VectorX::Zero(plan.rows);
  force = response = VectorX::Zero(model.velocity_size());
  null_vectors = MatrixX::Zero(plan.rows, std::min<Eigen::Index>(plan.rows, kMostNullVectors));
}

void IncrementalAssembly::Memory::place_rows(const LinkFrames& frames) noexcept {
  std::fill(C.begin(), C.end(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Loop& loop = equations.loops()[i];
    if (!loop_traits(loop.type).joins_points) continue;
    const LoopPoints ends(loop, axes[i], frames);
    const auto found = loop_rows(loop, ends);
    points[i] = ends.to;
    std::copy_n(found.begin(), plan.loops[i].size, rows.begin() + plan.loops[i].first);
  }
  for (std::size_t body = 0; body < plan.bodies.size(); ++body) {
    const EliminationPlan::BodyPart& part = plan.bodies[body];
    for (const EliminationPlan::Tip& tip : part.tips) {
      const EliminationPlan::Column& column = part.columns[at(tip.column)];
      const Vector3 arm = points[at(column.loop)] - joints[body].x;
      for (int r = 0; r < column.size; ++r) {
        const LoopRow& row = rows[at(plan.loops[at(column.loop)].first + r)];
        Eigen::Map<Vector6> wrench(&C[column.C + 6 * at(r)]);
        wrench.head<3>() -= tip.sign * (row.angular + arm.cross(row.linear));
        wrench.tail<3>() -= tip.sign * row.linear;
      }
    }
  }
}

void IncrementalAssembly::Memory::place_couplings(const State& state) noexcept {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for_each_coefficient(equations.loops()[i], state.q,
                         [&](std::size_t k, double c) { coefficients[coefficient[i] + k] = c; });
  }
}

DynamicsStatus IncrementalAssembly::Memory::update(const State& state,
                                                   const LinkFrames& frames) noexcept {
  place_couplings(state);
  const Model& robot = model();
  joints[0].place(frames.r[0], frames.r[0], Vector3::Zero(), frames.A[0], robot.body(0));
  for (int i = 1; i <= robot.joint_count(); ++i) {
    joints[at(i)].place(frames.o[at(i)], frames.r[at(i)], frames.k[at(i)], frames.A[at(i)],
                        robot.body(i));
  }
  place_rows(frames);
  std::fill(N.begin(), N.end(), 0.0);
  std::fill(ranks.begin(), ranks.end(), BlockRow());
  rank = 0;
  for (int body = robot.joint_count(); body > 0; --body) {
    close_loops(body);
    if (!pass_joint(body)) return DynamicsStatus::inertia_not_positive_definite;
  }
  close_loops(0);
  if (!mobility.base_free()) return DynamicsStatus::ok;
  base.compute(joints[0].I.matrix());
  return base.info() == Eigen::Success ? DynamicsStatus::ok
                                       : DynamicsStatus::inertia_not_positive_definite;
}

/// Hands inertia and open rows to the lower body. @returns false where nothing moves
bool IncrementalAssembly::Memory::pass_joint(int body) noexcept {
  const EliminationPlan::BodyPart& part = plan.bodies[at(body)];
  ArticulatedJoint& joint = joints[at(body)];
  ArticulatedJoint& lower = joints[at(part.lower)];
  if (!joint.reduce()) return false;
  const Vector3 arm = joint.x - lower.x;
  lower.I.add_shifted(joint.I, arm);
  for (std::size_t i = at(part.closing); i < part.columns.size(); ++i) {
    const EliminationPlan::Column& column = part.columns[i];
    const bool joins = loop_traits(equations.loops()[at(column.loop)].type).joins_points;
    const double reach = joins ? (points[at(column.loop)] - joint.x).norm() : 0.0;
    for (int r = 0; r < column.size; ++r) {
      BlockRow& row = ranks[at(plan.loops[at(column.loop)].first + r)];
      e[column.e + at(r)] =
          joint.pass(arm, reach, &C[column.C + 6 * at(r)], &C[column.up + 6 * at(r)], row);
    }
  }
  for (const EliminationPlan::JointRow& row : part.joint_rows) {
    const EliminationPlan::Column& column = part.columns[at(row.column)];
    if (!joint.is_free) continue;
    // with the coefficient of the joint itself, which has no wrench
    const double c = coefficients[row.coefficient], all = e[column.e] + c;
    Eigen::Map<Vector6> up(&C[column.up]);
    up += joint.shifted(arm, joint.U * (c * joint.inverse_D));
    BlockRow& size = ranks[at(plan.loops[at(column.loop)].first)];
    size.size += (all * all - e[column.e] * e[column.e]) * joint.inverse_D;
    size.terms += c * c * joint.inverse_D;
    e[column.e] = all;
  }
  for (const EliminationPlan::Coupling& coupling : part.couplings) {
    const EliminationPlan::Column& a = part.columns[at(coupling.first)];
    const EliminationPlan::Column& b = part.columns[at(coupling.second)];
    add_outer(&e[a.e], a.size, &e[b.e], b.size, joint.inverse_D, &N[coupling.N]);
  }
  return true;
}

void IncrementalAssembly::Memory::close_loops(int body) noexcept {
  const EliminationPlan::BodyPart& part = plan.bodies[at(body)];
  for (int i = 0; i < part.closing; ++i) {
    eliminate(body, part.columns[at(i)].loop, &C[part.columns[at(i)].C]);
  }
}

void IncrementalAssembly::Memory::eliminate(int body, int loop, const double* C_own) noexcept {
  const EliminationPlan::LoopPart& part = plan.loops[at(loop)];
  const int m = part.size;
  double* P = &N[part.own];
  rank += invert_block(m, P, &ranks[at(part.first)], least_pivot, most_pivots[at(loop)]);
  double* own_Y = &Y[part.Y];
  multiply(6, m, C_own, m, P, own_Y);
  joints[at(body)].I.add_product(own_Y, C_own, m);
  for (const EliminationPlan::Neighbour& other : part.neighbours) {
    multiply(m, m, P, other.size, &N[other.N], &T[other.T]);
    subtract_product(6, m, C_own, other.size, &T[other.T], &C[other.C]);
  }
  for (const EliminationPlan::Coupling& fill : part.fill) {
    const EliminationPlan::Neighbour& a = part.neighbours[at(fill.first)];
    const EliminationPlan::Neighbour& b = part.neighbours[at(fill.second)];
    subtract_transposed_product(a.size, m, &N[a.N], b.size, &T[b.T], &N[fill.N]);
  }
}

/// Forces of the given f and of right sides, from the tips to the base.
void IncrementalAssembly::Memory::fall_inward(const double* f) noexcept {
  for (ArticulatedJoint& joint : joints) joint.p.setZero();
  for (int body = model().joint_count(); body >= 0; --body) {
    const EliminationPlan::BodyPart& part = plan.bodies[at(body)];
    ArticulatedJoint& joint = joints[at(body)];
    for (int i = 0; i < part.closing; ++i) {
      const EliminationPlan::LoopPart& loop = plan.loops[at(part.columns[at(i)].loop)];
      const double* b = right.data() + loop.first;
      for (int r = 0; r < loop.size; ++r) {
        joint.p += b[r] * Eigen::Map<const Vector6>(&Y[loop.Y + 6 * at(r)]);
      }
      for (const EliminationPlan::Neighbour& other : loop.neighbours) {
        subtract_transposed_product(other.size, loop.size, &T[other.T], 1, b,
                                    right.data() + plan.loops[at(other.loop)].first);
      }
    }
    if (body == 0) return;
    const double part_of_D = joint.fall(f == nullptr ? 0.0 : f[5 + body]);
    ArticulatedJoint& lower = joints[at(part.lower)];
    lower.p += joint.shifted(joint.x - lower.x, joint.p + joint.U * part_of_D);
    for (std::size_t i = at(part.closing); i < part.columns.size(); ++i) {
      const EliminationPlan::Column& column = part.columns[i];
      double* b = right.data() + plan.loops[at(column.loop)].first;
      for (int r = 0; r < column.size; ++r) b[r] -= e[column.e + at(r)] * part_of_D;
    }
  }
}

/// Accelerations and multipliers, from the base to the tips.
void IncrementalAssembly::Memory::rise_outward(double* y) noexcept {
  for (int body = 0; body <= model().joint_count(); ++body) {
    const EliminationPlan::BodyPart& part = plan.bodies[at(body)];
    ArticulatedJoint& joint = joints[at(body)];
    if (body > 0) {
      double with_loops = 0.0;
      for (std::size_t i = at(part.closing); i < part.columns.size(); ++i) {
        const EliminationPlan::Column& column = part.columns[i];
        const double* part_of_lambda = lambda.data() + plan.loops[at(column.loop)].first;
        for (int r = 0; r < column.size; ++r) with_loops += e[column.e + at(r)] * part_of_lambda[r];
      }
      y[5 + body] = joint.rise(joints[at(part.lower)], with_loops);
    }
    for (int i = part.closing - 1; i >= 0; --i) {
      const EliminationPlan::LoopPart& loop = plan.loops[at(part.columns[at(i)].loop)];
      double* own = lambda.data() + loop.first;
      for (int r = 0; r < loop.size; ++r) {
        own[r] = Eigen::Map<const Vector6>(&Y[loop.Y + 6 * at(r)]).dot(joint.a);
        for (int k = 0; k < loop.size; ++k) {
          own[r] += N[loop.own + at(r + k * loop.size)] * right(loop.first + k);
        }
      }
      for (const EliminationPlan::Neighbour& other : loop.neighbours) {
        subtract_product(loop.size, other.size, &T[other.T], 1,
                         lambda.data() + plan.loops[at(other.loop)].first, own);
      }
    }
  }
}

void IncrementalAssembly::Memory::solve(const double* f, ConstVectorRef b, double* y) noexcept {
  right = b;
  // what is not read may be anything
  for (int row = 0; row < plan.rows; ++row) {
    if (!ranks[at(row)].is_pivot) right(row) = 0.0;
  }
  fall_inward(f);
  joints[0].a.setZero();
  if (mobility.base_free()) {
    Vector6 given = -joints[0].p;
    if (f != nullptr) {
      given.head<3>() += Eigen::Map<const Vector3>(f + 3);
      given.tail<3>() += Eigen::Map<const Vector3>(f);
    }
    joints[0].a = base.solve(given);
  }
  Eigen::Map<Vector3> linear(y), angular(y + 3);
  linear = joints[0].a.tail<3>();
  angular = joints[0].a.head<3>();
  rise_outward(y);
}

bool IncrementalAssembly::Memory::is_redundant(int row) const {
  return !ranks[at(row)].is_pivot && !ranks[at(row)].is_rounding;
}

}  // namespace spacedyn
