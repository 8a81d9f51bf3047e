#include "spacedyn/analysis/linearization.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "analysis/system_loads.hpp"
#include "forces/compliant_only.hpp"
#include "inertia/dense_size.hpp"
#include "kinematics/acceleration_check.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/rotations.hpp"
#include "system/motion_forces.hpp"

namespace spacedyn {
namespace {

constexpr std::array<const char*, 3> kAxes{".x", ".y", ".z"};

void append_axes(const std::string& name, std::vector<std::string>& names) {
  for (const char* axis : kAxes) names.push_back(name + axis);
}

void append_coordinates(const Model& model, const Mobility& mobility, const char* linear,
                        const char* angular, const char* joint, std::vector<std::string>& names) {
  if (mobility.base_free()) {
    append_axes(std::string("base.") + linear, names);
    append_axes(std::string("base.") + angular, names);
  }
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (!mobility.joint_free(i)) continue;
    names.push_back(model.joint(i).name + '.' + joint);
  }
}

void name_all(const SystemLoads& loads, Linearization& result) {
  const Model& model = *loads.elements().system().model;
  const auto append = [&](const char* linear, const char* angular, const char* joint,
                          std::vector<std::string>& names) {
    append_coordinates(model, loads.mobility(), linear, angular, joint, names);
  };
  append("position", "rotation", "position", result.state_names);
  append("velocity", "angular_velocity", "velocity", result.state_names);
  for (const SystemElements::Auxiliary& z : loads.elements().auxiliaries()) {
    result.state_names.push_back(z.element + ".state_" + std::to_string(z.index));
  }
  append("force", "torque", "torque", result.input_names);
  for (const Frame& frame : model.frames()) {
    for (const char* what : {".position", ".rotation", ".velocity", ".angular_velocity"}) {
      append_axes(frame.name + what, result.output_names);
    }
  }
}

/// Rows of C of one frame in all coordinates: twist per velocity and per configuration.
struct FrameRows {
  MatrixX J, twist_configuration;
};

FrameRows frame_rows(const Model& model, const State& state, const Frame& frame) {
  const Eigen::Index n = model.joint_count();
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  Matrix6X J_m(6, n);
  frame_jacobian(model, frames, frame, J_m);
  FrameRows rows{MatrixX(6, 6 + n), MatrixX::Zero(6, 6 + n)};
  rows.J << base_jacobian(frames, frame), J_m;

  // ∂(J u)/∂x_j = J̇ u with J̇ along a motion at unit rate of coordinate j
  LinkVelocities unit(model);
  for (Eigen::Index j = 3; j < 6 + n; ++j) {
    State moving = state;
    moving.v_0.setZero();
    moving.omega_0.setZero();
    moving.qd.setZero();
    (j < 6 ? moving.omega_0(j - 3) : moving.qd(j - 6)) = 1.0;
    compute_link_velocities(model, moving, frames, unit);
    frame_jacobian_derivative(model, frames, unit, frame, J_m);
    Vector6 base_twist;
    base_twist << state.v_0, state.omega_0;
    rows.twist_configuration.col(j) =
        J_m * state.qd + base_jacobian_derivative(frames, unit, frame) * base_twist;
  }
  return rows;
}

MatrixX outputs(const Model& model, const std::vector<int>& free, const State& state,
                Eigen::Index states) {
  const auto size = static_cast<Eigen::Index>(free.size());
  const auto count = static_cast<Eigen::Index>(model.frames().size());
  MatrixX C = MatrixX::Zero(12 * count, states);
  Eigen::Index row = 0;
  for (const Frame& frame : model.frames()) {
    const FrameRows rows = frame_rows(model, state, frame);
    C.block(row, 0, 6, size) = rows.J(Eigen::all, free);
    C.block(row + 6, 0, 6, size) = rows.twist_configuration(Eigen::all, free);
    C.block(row + 6, size, 6, size) = rows.J(Eigen::all, free);
    row += 12;
  }
  return C;
}

/// A and B from derivatives of accelerations with all loads in them.
void assemble(const Model& model, const Mobility& mobility, const State& state,
              const ForwardDynamicsDerivatives& forward, const LoadDerivatives& loads,
              Linearization& result) {
  const std::vector<int>& free = mobility.free();
  const auto f = static_cast<Eigen::Index>(free.size());
  const Eigen::Index z = loads.rate_auxiliary.rows();
  const MatrixX by_configuration =
      forward.configuration + forward.force * loads.force_configuration;
  const MatrixX by_velocity = forward.velocity + forward.force * loads.force_velocity;
  const MatrixX by_auxiliary = forward.force * loads.force_auxiliary;

  result.A = MatrixX::Zero(2 * f + z, 2 * f + z);
  result.A.block(0, f, f, f).setIdentity();
  if (mobility.base_free()) {
    // A_0 = Exp(δθ) A_ref with ω = ω_ref + δω: δθ̇ = δω + ω_ref × δθ
    result.A.block<3, 3>(3, 3) = tilde(state.omega_0);
  }
  for (const int first : model.spherical_joints()) {
    const auto column = std::find(free.begin(), free.end(), first + 5) - free.begin();
    if (column == f) continue;
    // R = R_ref Exp(δ) with ω = ω_ref + δω in the axes of the carried link: δ̇ = δω − ω_ref × δ
    result.A.block<3, 3>(column, column) = -tilde(state.qd.segment<3>(first - 1));
  }
  result.A.block(f, 0, f, f) = by_configuration(free, free);
  result.A.block(f, f, f, f) = by_velocity(free, free);
  result.A.block(f, 2 * f, f, z) = by_auxiliary(free, Eigen::all);
  result.A.block(2 * f, 0, z, f) = loads.rate_configuration(Eigen::all, free);
  result.A.block(2 * f, f, z, f) = loads.rate_velocity(Eigen::all, free);
  result.A.block(2 * f, 2 * f, z, z) = loads.rate_auxiliary;

  result.B = MatrixX::Zero(2 * f + z, f);
  result.B.block(f, 0, f, f) = forward.force(free, free);
}

void list_rough(const Mobility& mobility, Eigen::Index velocity_size,
                const std::vector<bool>& rough, Linearization& result) {
  std::vector<std::size_t> columns;
  const auto size = static_cast<std::size_t>(velocity_size);
  for (const std::size_t first : {std::size_t{0}, size}) {
    for (const int row : mobility.free()) {
      columns.push_back(first + static_cast<std::size_t>(row));
    }
  }
  for (std::size_t i = 2 * size; i < rough.size(); ++i) columns.push_back(i);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (rough[columns[i]]) result.rough.push_back(result.state_names[i]);
  }
}

/// Rows K u = b of loops and motion constraints, and how K u − b changes with the configuration.
struct HeldRows {
  MatrixX K, rate_configuration;
  std::vector<int> of_positions;  ///< that constrain positions, too

  void append(const MatrixX& rows, const MatrixX& changes) {
    const Eigen::Index before = K.rows();
    K.conservativeResize(before + rows.rows(), rows.cols());
    rate_configuration.conservativeResize(before + rows.rows(), rows.cols());
    K.bottomRows(rows.rows()) = rows;
    rate_configuration.bottomRows(rows.rows()) = changes;
  }
};

/// Keeps the states of the manifold that rows leave: coordinates that follow go with the others.
void reduce(const Model& model, const HeldRows& rows, const Mobility& mobility,
            Linearization& result) {
  const std::vector<int>& free = mobility.free();
  const IndependentCoordinates positions = independent_coordinates(
      rows.K(rows.of_positions, Eigen::all), rows.rate_configuration(rows.of_positions, Eigen::all),
      mobility, model.followers());
  const IndependentCoordinates velocities =
      independent_coordinates(rows.K, rows.rate_configuration, mobility, model.followers());
  const auto f = static_cast<Eigen::Index>(free.size());
  const Eigen::Index y = positions.G.cols(), u = velocities.G.cols();
  const Eigen::Index z = result.A.rows() - 2 * f;
  MatrixX E = MatrixX::Zero(2 * f + z, y + u + z);
  E.block(0, 0, f, y) = positions.G(free, Eigen::all);
  E.block(f, y, f, u) = velocities.G(free, Eigen::all);
  if (!velocities.dependent.empty()) {
    const LeastNormSolver dependent(rows.K(Eigen::all, velocities.dependent));
    MatrixX follow = MatrixX::Zero(rows.K.cols(), y);
    follow(velocities.dependent, Eigen::all) =
        dependent.solve(MatrixX(-(rows.rate_configuration * positions.G)));
    E.block(f, 0, f, y) = follow(free, Eigen::all);
  }
  E.bottomRightCorner(z, z).setIdentity();
  std::vector<Eigen::Index> kept;
  const auto keep = [&](const std::vector<int>& independent, Eigen::Index first) {
    for (Eigen::Index i = 0; i < f; ++i) {
      if (std::binary_search(independent.begin(), independent.end(),
                             free[static_cast<std::size_t>(i)])) {
        kept.push_back(first + i);
      }
    }
  };
  keep(positions.independent, 0);
  keep(velocities.independent, f);
  for (Eigen::Index i = 0; i < z; ++i) kept.push_back(2 * f + i);
  result.position_count = static_cast<int>(y);
  result.A = MatrixX((result.A * E)(kept, Eigen::all));
  result.B = MatrixX(result.B(kept, Eigen::all));
  result.C = MatrixX(result.C * E);
  result.rate = VectorX(result.rate(kept));
  std::vector<std::string> names;
  for (const Eigen::Index i : kept) {
    names.push_back(result.state_names[static_cast<std::size_t>(i)]);
  }
  result.state_names = std::move(names);
}

/// Leaves out the inputs of joints that follow others.
void drop_followers(const Model& model, const Mobility& mobility, Linearization& result) {
  if (model.followers().empty()) return;
  std::vector<Eigen::Index> kept;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < mobility.free().size(); ++i) {
    const int row = mobility.free()[i];
    if (row >= 6 && model.follower(row - 5) != nullptr) continue;
    kept.push_back(static_cast<Eigen::Index>(i));
    names.push_back(result.input_names[i]);
  }
  result.B = MatrixX(result.B(Eigen::all, kept));
  result.input_names = std::move(names);
  // what is not smooth in a joint that follows is not smooth in the other
  for (std::string& name : result.rough) {
    const std::size_t end = name.rfind('.');
    const auto joint = model.find_joint(name.substr(0, end));
    const Follower* follower = joint ? model.follower(*joint) : nullptr;
    if (follower != nullptr) name = model.joint(follower->followed).name + name.substr(end);
  }
  std::sort(result.rough.begin(), result.rough.end());
  result.rough.erase(std::unique(result.rough.begin(), result.rough.end()), result.rough.end());
}

/// Loads at the state, finite.
Loads loads_at(SystemLoads& system, const State& state, double time, VectorX& auxiliary_rate) {
  Loads loads(*system.elements().system().model);
  system.evaluate(state, loads, auxiliary_rate);
  if (!loads.F_b.allFinite() || !loads.tau.allFinite() || !loads.force.allFinite() ||
      !loads.moment.allFinite() || !auxiliary_rate.allFinite()) {
    throw NumericalError("a load is not finite at this state", time, 0, "loads");
  }
  return loads;
}

State checked(const SystemElements& elements, const State& state, ConstVectorRef acceleration) {
  const Model& model = *elements.system().model;
  state.check(model);
  check_acceleration(model, acceleration);
  if (!elements.system().gravity.allFinite()) throw DomainError("gravity is not finite");
  State result = state;
  if (result.z.size() == 0) result.z = elements.initial_auxiliary();
  if (result.z.size() != elements.auxiliary_size()) {
    throw DimensionError("z has " + std::to_string(result.z.size()) + " elements, expected " +
                         std::to_string(elements.auxiliary_size()) +
                         ", those of the forces and controllers");
  }
  return result;
}

}  // namespace

Linearization linearize(const ForcedSystem& system, const State& given, double time,
                        ConstVectorRef acceleration, const DiscreteState& discrete) {
  require_no_rigid_contact(*system.model, system.forces, "linearization");
  const std::vector<Loop> loops = active_loops(system, discrete);
  SystemLoads all(system, discrete, time);
  const State state = checked(all.elements(), given, acceleration);
  const Model& model = *system.model;
  const Mobility& mobility = all.mobility();
  VectorX auxiliary_rate;
  Loads loads = loads_at(all, state, time, auxiliary_rate);

  ForwardDynamicsDerivatives forward(model);
  DerivativesWorkspace workspace(model);
  ConstrainedDerivatives closed;
  const auto differentiate = [&] {
    forward.acceleration = acceleration;
    if (!loops.empty()) {
      closed = constrained_derivatives(model, loops, state, loads, mobility, acceleration);
      forward = closed.motion;
    } else if (forward_dynamics_derivatives(state, loads, mobility, workspace, forward) !=
               DynamicsStatus::ok) {
      throw singularity_error(model, state, time);
    }
  };
  differentiate();
  HeldRows rows;
  rows.append(closed.K, closed.rate_configuration);
  rows.of_positions.resize(static_cast<std::size_t>(closed.K.rows()));
  std::iota(rows.of_positions.begin(), rows.of_positions.end(), 0);
  MotionForces motions(all.elements());
  MatrixX motion_stiffness = MatrixX::Zero(model.velocity_size(), model.velocity_size());
  if (motions.any_holds(discrete)) {
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const EvaluationContext context{time, model, state, frames, velocities, state.z};
    motions.update(context, discrete,
                   [&](ConstVectorRef force, VectorRef without_loops, VectorRef change) {
                     without_loops = forward.force * force;
                     change = without_loops;
                   });
    motions.hold(context, {}, forward.acceleration, loads);
    differentiate();
    const MotionDerivatives moving = motions.differentiate(context, forward.acceleration);
    motion_stiffness = moving.force_configuration;
    forward.configuration += forward.force * motion_stiffness;
    motions.close(moving.residual_configuration, forward.configuration);
    motions.close(moving.residual_velocity, forward.velocity);
    motions.close(MatrixX::Zero(moving.residual_velocity.rows(), forward.force.cols()),
                  forward.force);
    for (const int row : motions.rows_of_positions()) {
      rows.of_positions.push_back(static_cast<int>(rows.K.rows()) + row);
    }
    rows.append(motions.jacobian_transposed().transpose(), moving.rate_configuration);
  }
  InverseDynamicsDerivatives inverse(model);
  inverse_dynamics_derivatives(state, forward.acceleration, loads, workspace, inverse);
  const LoadDerivatives changes = all.differentiate(state);

  Linearization result;
  result.time = time;
  result.position_count = static_cast<int>(mobility.free().size());
  name_all(all, result);
  assemble(model, mobility, state, forward, changes, result);
  result.C = outputs(model, mobility.free(), state, result.A.cols());
  result.rate.resize(result.A.rows());
  result.rate << VectorX(state.velocity()(mobility.free())),
      VectorX(forward.acceleration(mobility.free())), auxiliary_rate;
  result.H = inverse.acceleration;
  result.D = inverse.velocity - changes.force_velocity;
  result.K = inverse.configuration - changes.force_configuration - motion_stiffness;
  list_rough(mobility, model.velocity_size(), rough_columns(all, state), result);
  if (!loops.empty()) result.K -= closed.force_configuration;
  if (rows.K.rows() > 0) reduce(model, rows, mobility, result);
  drop_followers(model, mobility, result);
  return result;
}

Linearization linearize(const ForcedSystem& system, const State& state, double time,
                        ConstVectorRef acceleration) {
  return linearize(system, state, time, acceleration, DiscreteState(system));
}

Linearization linearize(const ForcedSystem& system, const State& state, double time) {
  return linearize(system, state, time, VectorX::Zero(system.model->velocity_size()));
}

}  // namespace spacedyn
