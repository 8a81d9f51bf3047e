#include "textbook/assembly_divide.hpp"

#include <algorithm>
#include <thread>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "constraints/articulated_loops.hpp"
#include "constraints/coupling_row.hpp"
#include "constraints/indices.hpp"
#include "constraints/loop_rows.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "textbook/part_tree.hpp"

namespace spacedyn {
namespace {

/// Part of what a body alone would do that is rounding of the inverse inertia of a part.
constexpr double kRoundingOfParts = 1e-10;

/// Moves a wrench (force, moment) to a point at `arm` before that of its moment.
Matrix6 moved_by(const Vector3& arm) {
  Matrix6 shift = Matrix6::Identity();
  shift.bottomLeftCorner<3, 3>() = tilde(arm);
  return shift;
}

}  // namespace

struct DivideAndConquerAssembly::Memory {
  Memory(const Model& its_model, const Mobility& its_mobility, std::vector<Loop> loops)
      : model(its_model),
        mobility(its_mobility),
        equations(its_model, std::move(loops)),
        tree(its_model, its_mobility.base_free(), equations.loops()),
        coasting(its_model),
        workspace(its_model),
        moving(its_model),
        velocities(its_model),
        all(its_model),
        k(VectorX::Zero(equations.rows())),
        k_rest(k),
        tau_rest(VectorX::Zero(its_model.velocity_size())),
        change(tau_rest),
        multiplier_change(k) {}

  void assemble(Part& part, int threads);
  void disassemble(Part& part, int threads);
  void begin(Part& part) const;
  void close(Part& part, PartJoint& joint) const;
  void close(Part& part, PartLoop& loop) const;
  void open(Part& part, PartJoint& joint);
  void open(Part& part, PartLoop& loop);

  void run(int threads);
  void find_rest(ConstVectorRef acceleration, ConstVectorRef multipliers);

  const Model& model;
  Mobility mobility;
  LoopEquations equations;
  PartTree tree;
  LinkAccelerations coasting;
  TreeWorkspace workspace;
  State moving;
  LinkVelocities velocities;
  Loads all;  // with the wrenches of loops
  VectorX k, k_rest, tau_rest, change, multiplier_change;
  // of the present run
  const LoopMotion* motion = nullptr;
  const Loads* loads = nullptr;  // null: none, and nothing moves
  const double* base_wrench = nullptr;
  const double* torque = nullptr;
  const double* right = nullptr;  // of the rows of loops
  double* acceleration = nullptr;
  double* multipliers = nullptr;
};

/// What is left of τ + Kᵀ λ − H u̇ − c, and of k − K u̇.
void DivideAndConquerAssembly::Memory::find_rest(ConstVectorRef found, ConstVectorRef lambda) {
  all = *loads;
  VectorX forces = VectorX::Zero(found.size());
  for (std::size_t i = 0; i < equations.loops().size(); ++i) {
    const Loop& loop = equations.loops()[i];
    const int first = equations.first_row(static_cast<int>(i));
    for_each_coefficient(loop, motion->state.q, [&](std::size_t j, double c) {
      forces(loop.joints[j] + 5) -= c * lambda(first);
    });
    if (!loop_traits(loop.type).joins_points) continue;
    const Matrix3 axes = loop_traits(loop.type).has_axis ? rotation_from_z_to(loop.axis)
                                                         : Matrix3(Matrix3::Identity());
    const LoopPoints ends(loop, axes, motion->frames);
    const auto rows = loop_rows(loop, ends);
    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
    for (int r = 0; r < loop.rows(); ++r) {
      force += lambda(first + r) * rows[at(r)].linear;
      moment += lambda(first + r) * rows[at(r)].angular;
    }
    const auto add = [&](int body, const Vector3& f, const Vector3& n) {
      all.add_wrench(body, motion->frames.r[at(body)], ends.to, f, n);
    };
    add(loop.to.body, force, moment);
    add(loop.from.body, -force, -moment);
  }
  VectorX needed(found.size());
  inverse_dynamics(motion->state, found, all, workspace, needed);
  tau_rest = -forces - needed;
  tau_rest.head<6>() += loads->F_b;
  tau_rest.tail(loads->tau.size()) += loads->tau;
  // K u̇ as the rate of the rows while bodies move with u̇
  moving = motion->state;
  moving.v_0 = found.head<3>();
  moving.omega_0 = found.segment<3>(3);
  moving.qd = found.tail(found.size() - 6);
  compute_link_velocities(model, moving, motion->frames, velocities);
  equations.velocity(motion->frames, velocities, moving, k_rest);
  k_rest = k - k_rest;
}

/// A body alone: Φ = M⁻¹, b what its loads do while it coasts.
void DivideAndConquerAssembly::Memory::begin(Part& part) const {
  if (part.lower) {
    const Part &a = *part.lower, &b = *part.upper;
    part.Phi.setZero();
    const auto take = [&](const Part& from, const std::vector<int>& places) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        const int to = places[i];
        if (to < 0) continue;
        part.b.segment<6>(6 * to) = from.b.segment<6>(6 * static_cast<int>(i));
        for (std::size_t j = 0; j < places.size(); ++j) {
          if (places[j] < 0) continue;
          part.Phi.block<6, 6>(6 * to, 6 * places[j]) = from.Phi.block<6, 6>(
              6 * static_cast<Eigen::Index>(i), 6 * static_cast<Eigen::Index>(j));
        }
      }
    };
    take(a, part.from_lower);
    take(b, part.from_upper);
    return;
  }
  const int body = part.bodies.front();
  const Body& its = model.body(body);
  const Matrix3& A = motion->frames.A[at(body)];
  const Matrix3 J = A * its.inertia_L * A.transpose();
  const Vector3& omega = motion->velocities.omega[at(body)];
  const Matrix3 J_inverse = J.inverse();
  part.Phi.setZero();
  part.Phi.topLeftCorner<3, 3>() = Matrix3::Identity() / its.mass;
  part.Phi.bottomRightCorner<3, 3>() = 0.5 * (J_inverse + J_inverse.transpose());
  part.b.setZero();
  if (body == 0) {
    part.b.head<3>() = Eigen::Map<const Vector3>(base_wrench) / its.mass;
    part.b.tail<3>() = J_inverse * Eigen::Map<const Vector3>(base_wrench + 3);
  }
  if (loads == nullptr) return;
  part.b.head<3>() += loads->force.col(body) / its.mass + loads->gravity - coasting.vd[at(body)];
  part.b.tail<3>() +=
      J_inverse * (loads->moment.col(body) - omega.cross(J * omega)) - coasting.omegad[at(body)];
}

void DivideAndConquerAssembly::Memory::close(Part& part, PartJoint& joint) const {
  const LinkFrames& frames = motion->frames;
  const Vector3& here = frames.r[at(joint.body)];
  // the joint about the centroid of the body that it carries
  const auto y = 6 * joint.upper;
  joint.c = part.Phi.middleCols<6>(y);
  Vector6 d = part.b.segment<6>(y);
  if (joint.lower >= 0) {
    joint.shift = moved_by(here - frames.r[at(joint.lower_body)]);
    joint.c -= part.Phi.middleCols<6>(6 * joint.lower) * joint.shift;
    d -= joint.shift.transpose() * part.b.segment<6>(6 * joint.lower);
  } else {
    // the base is held: it accelerates as prescribed
    const Vector6 given = Eigen::Map<const Vector6>(acceleration);
    d -= moved_by(here - frames.r[0]).transpose() * given;
  }
  Matrix6 W = joint.c.middleRows<6>(y);
  if (joint.lower >= 0) W -= joint.shift.transpose() * joint.c.middleRows<6>(6 * joint.lower);
  W = 0.5 * (W + W.transpose()).eval();
  Eigen::Index free = 0;
  for (std::size_t i = 0; i < joint.joints.size(); ++i) {
    const int number = joint.joints[i];
    const Vector3& axis = frames.k[at(number)];
    Vector6 s;
    if (model.joint(number).type == JointType::revolute) {
      s << axis.cross(here - frames.p[at(number)]), axis;
    } else {
      s << axis, Vector3::Zero();
    }
    if (!mobility.joint_free(number)) {
      d -= s * acceleration[number + 5];
      continue;
    }
    joint.S.col(free) = s;
    joint.torque(free) = torque[number - 1];
    joint.armature(free) = model.joint(number).armature;
    joint.free[at(static_cast<int>(free++))] = number;
  }
  joint.free_count = static_cast<int>(free);
  const Eigen::LLT<Matrix6> factors(W);
  joint.P = factors.solve(Matrix6::Identity());
  const auto S = joint.S.leftCols(free);
  const Matrix6X W_S = joint.P * S;
  MatrixX M = S.transpose() * W_S;
  M.diagonal() += joint.armature.head(free);
  const MatrixX M_inverse = Eigen::PartialPivLU<MatrixX>(M).inverse();
  joint.G.topRows(free) = M_inverse * W_S.transpose();
  joint.rate.head(free) = M_inverse * joint.torque.head(free) + joint.G.topRows(free) * d;
  joint.P -= W_S * joint.G.topRows(free);
  joint.wrench = W_S * (M_inverse * joint.torque.head(free)) - joint.P * d;
  part.Phi.noalias() -= joint.c * (joint.P * joint.c.transpose()).eval();
  part.b += joint.c * joint.wrench;
}

void DivideAndConquerAssembly::Memory::close(Part& part, PartLoop& item) const {
  const Loop& loop = equations.loops()[at(item.loop)];
  const LinkFrames& frames = motion->frames;
  const int m = loop.rows(), first = equations.first_row(item.loop);
  item.place(model, loop, motion->state, frames);
  item.c.setZero();
  VectorX d = -Eigen::Map<const VectorX>(right + first, m);
  for (const PartLoop::Tip& tip : item.tips) {
    if (tip.place < 0) {
      if (tip.body == 0 && !mobility.base_free()) {
        d += tip.wrench.transpose() * Eigen::Map<const Vector6>(acceleration);
      }
      continue;
    }
    item.c += part.Phi.middleCols<6>(6 * tip.place) * tip.wrench;
    d += tip.wrench.transpose() * part.b.segment<6>(6 * tip.place);
  }
  item.P.setZero();
  std::array<BlockRow, 6> rows;
  for (const PartLoop::Tip& tip : item.tips) {
    if (tip.place < 0) continue;
    item.P += tip.wrench.transpose() * item.c.middleRows<6>(6 * tip.place);
    const Body& body = model.body(tip.body);
    const Matrix3 J_inverse =
        (frames.A[at(tip.body)] * body.inertia_L * frames.A[at(tip.body)].transpose()).inverse();
    for (int r = 0; r < m; ++r) {
      // what the body alone would do, and what rounding makes of it
      const auto moment = tip.wrench.col(r).tail<3>();
      rows[at(r)].size += tip.wrench.col(r).head<3>().squaredNorm() / body.mass +
                          moment.squaredNorm() * J_inverse.norm();
    }
  }
  item.P = 0.5 * (item.P + item.P.transpose()).eval();
  invert_block(m, item.P.data(), rows.data(), kRoundingOfParts, m);
  item.lambda = -(item.P * d);
  part.Phi.noalias() -= item.c * (item.P * item.c.transpose()).eval();
  part.b += item.c * item.lambda;
}

void DivideAndConquerAssembly::Memory::open(Part& part, PartJoint& joint) {
  const Vector6 at_joint = joint.c.transpose() * part.force;
  for (int i = 0; i < joint.free_count; ++i) {
    acceleration[joint.free[at(i)] + 5] = joint.rate(i) + joint.G.row(i).dot(at_joint);
  }
  const Vector6 wrench = joint.wrench - joint.P * at_joint;
  part.force.segment<6>(6 * joint.upper) += wrench;
  if (joint.lower >= 0) part.force.segment<6>(6 * joint.lower) -= joint.shift * wrench;
}

void DivideAndConquerAssembly::Memory::open(Part& part, PartLoop& item) {
  const VectorX lambda = item.lambda - item.P * (item.c.transpose() * part.force);
  Eigen::Map<VectorX>(multipliers + equations.first_row(item.loop), lambda.size()) = lambda;
  for (const PartLoop::Tip& tip : item.tips) {
    if (tip.place >= 0) part.force.segment<6>(6 * tip.place) += tip.wrench * lambda;
  }
}

void DivideAndConquerAssembly::Memory::assemble(Part& part, int threads) {
  if (part.lower) {
    if (threads > 1) {
      std::thread other([&] { assemble(*part.upper, threads / 2); });
      assemble(*part.lower, threads - threads / 2);
      other.join();
    } else {
      assemble(*part.lower, 1);
      assemble(*part.upper, 1);
    }
  }
  begin(part);
  for (PartJoint& joint : part.joints) close(part, joint);
  for (PartLoop& loop : part.loops) close(part, loop);
}

void DivideAndConquerAssembly::Memory::disassemble(Part& part, int threads) {
  for (auto loop = part.loops.rbegin(); loop != part.loops.rend(); ++loop) open(part, *loop);
  for (auto joint = part.joints.rbegin(); joint != part.joints.rend(); ++joint) open(part, *joint);
  if (!part.lower) {
    if (part.bodies.front() != 0) return;
    // a free base; b and Φ are those after all that has been closed here, so begin again
    begin(part);
    Eigen::Map<Vector6> base(acceleration);
    base = part.b + part.Phi * part.force;
    return;
  }
  const auto give = [&](Part& to, const std::vector<int>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto own = 6 * static_cast<Eigen::Index>(i);
      if (places[i] < 0) {
        to.force.segment<6>(own).setZero();
      } else {
        to.force.segment<6>(own) = part.force.segment<6>(6 * places[i]);
      }
    }
  };
  give(*part.lower, part.from_lower);
  give(*part.upper, part.from_upper);
  if (threads > 1) {
    std::thread other([&] { disassemble(*part.upper, threads / 2); });
    disassemble(*part.lower, threads - threads / 2);
    other.join();
  } else {
    disassemble(*part.lower, 1);
    disassemble(*part.upper, 1);
  }
}

DivideAndConquerAssembly::DivideAndConquerAssembly(const Model& model, const Mobility& mobility,
                                                   std::vector<Loop> loops)
    : memory_(std::make_unique<Memory>(model, mobility, std::move(loops))) {}
DivideAndConquerAssembly::~DivideAndConquerAssembly() = default;
DivideAndConquerAssembly::DivideAndConquerAssembly(DivideAndConquerAssembly&&) noexcept = default;
DivideAndConquerAssembly& DivideAndConquerAssembly::operator=(DivideAndConquerAssembly&&) noexcept =
    default;

void DivideAndConquerAssembly::Memory::run(int threads) {
  Part* root = tree.root();
  if (root == nullptr) return;
  assemble(*root, threads);
  root->force.setZero();
  disassemble(*root, threads);
}

int DivideAndConquerAssembly::levels() const { return memory_->tree.levels(); }

DynamicsStatus DivideAndConquerAssembly::solve(const LoopMotion& motion, const Loads& loads,
                                               VectorRef acceleration, VectorRef multipliers,
                                               int threads) {
  Memory& m = *memory_;
  for (const int body : m.tree.massless()) {
    if (loads.force.col(body).isZero(0.0) && loads.moment.col(body).isZero(0.0)) continue;
    throw DomainError("divide and conquer cannot take a wrench on a body without inertia");
  }
  m.motion = &motion;
  m.loads = &loads;
  compute_link_accelerations(m.model, motion.state, motion.frames, motion.velocities,
                             VectorX::Zero(acceleration.size()), m.coasting);
  m.equations.bias(motion.frames, motion.velocities, m.coasting, motion.state, m.k);
  m.base_wrench = loads.F_b.data();
  m.torque = loads.tau.data();
  m.right = m.k.data();
  m.acceleration = acceleration.data();
  m.multipliers = multipliers.data();
  m.run(threads);
  // once more with what rounding has left
  m.find_rest(acceleration, multipliers);
  m.loads = nullptr;
  m.base_wrench = m.tau_rest.data();
  m.torque = m.tau_rest.data() + 6;
  m.right = m.k_rest.data();
  m.change.setZero();
  m.acceleration = m.change.data();
  m.multipliers = m.multiplier_change.data();
  m.run(threads);
  acceleration += m.change;
  multipliers += m.multiplier_change;
  return acceleration.allFinite() ? DynamicsStatus::ok
                                  : DynamicsStatus::inertia_not_positive_definite;
}

}  // namespace spacedyn
