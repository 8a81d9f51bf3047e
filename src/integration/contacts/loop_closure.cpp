#include "integration/contacts/loop_closure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "constraints/loop_sizes.hpp"
#include "constraints/singular_passage.hpp"
#include "integration/equations/projection.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/constraints/loop_equations.hpp"

namespace spacedyn {
namespace {

/// Newton's method ends when residuals are rounding of their sizes, or are so small parts of them
/// and shrink no more.
constexpr int kMostIterations = 12;
constexpr double kClosed = 4.0 * std::numeric_limits<double>::epsilon();
constexpr double kNearlyClosed = 1e-10;

/// Where rows nearly follow from others, as near a flat parallelogram, what they correct would be
/// rounding many times magnified: they are left out as long as little is open.
constexpr double kSteadyTolerance = 1e-2;
constexpr double kLeftOpen = 1e-12;
constexpr double kLeftOpenRate = 1e-11;

/// Velocities are closed with the matrices of the positions where these have moved so little since
/// that the rest, of the speed, is rounding.
constexpr double kKept = 1e-16;

/// Baumgarte's α = β: a part of what a fixed step allows, or so many decays in the duration.
constexpr double kDecayPerStep = 0.2;
constexpr double kDecaysPerRun = 1000.0;

/// How many times larger than a residual's size what it is the difference of may be: the places of
/// points from the base, or from the root of several robots, and the turns of coupled joints. No
/// displacement closes loops closer than these are rounded.
double terms_of(const LoopEquations& equations, const LoopMotion& motion, double length,
                const VectorX& sizes) {
  double most = 1.0;
  for (std::size_t i = 0; i < equations.loops().size(); ++i) {
    const Loop& loop = equations.loops()[i];
    if (loop_traits(loop.type).joins_points) {
      most = std::max({most, frame_position(motion.frames, loop.from).norm() / length,
                       frame_position(motion.frames, loop.to).norm() / length});
      continue;
    }
    const double size = sizes(equations.first_row(static_cast<int>(i)));
    for_each_coefficient(loop, motion.state.q, [&](std::size_t k, double c) {
      most = std::max(most, std::abs(c * motion.state.q(loop.joints[k] - 1)) / size);
    });
  }
  return most;
}

double gain_of(const IntegratorOptions& options, double duration) {
  return is_adaptive(options) ? kDecaysPerRun / duration : kDecayPerStep / options.step;
}

}  // namespace

LoopClosure::LoopClosure(const SimulationSetup& setup, double duration,
                         EquationsOfMotion& equations)
    : is_needed_(!setup.model->loops().empty() || !setup.connections.empty() ||
                 equations.held().motions() != nullptr),
      stabilization_(setup.integrator.constraints) {
  if (!is_needed_) return;
  change_ = VectorX::Zero(setup.model->velocity_size());
  if (stabilization_ != LoopStabilization::baumgarte) return;
  const double gain = gain_of(setup.integrator, duration);
  equations.held().stabilize({gain, gain});
}

void LoopClosure::follow(const EquationsOfMotion& equations) {
  if (changes_ == equations.held().loop_changes()) return;
  changes_ = equations.held().loop_changes();
  const std::vector<Loop>& loops = equations.held().active_loops();
  size_ = model_size(equations.model(), loops);
  int rows = 0;
  for (const Loop& loop : loops) rows += loop.rows();
  residual_ = sizes_ = VectorX::Zero(rows);
  groups_ = FreeGroups(equations.model(), loops);
}

bool LoopClosure::close(EquationsOfMotion& equations, VectorX& x, double time) {
  follow(equations);
  return equations.update_kinematics(x, time) &&
         (equations.held().loops() == nullptr || close_loops(equations, x, time)) &&
         close_motions(equations, x, time);
}

bool LoopClosure::close_loops(EquationsOfMotion& equations, VectorX& x, double time) {
  groups_.note(equations);
  passes_ = false;
  if (!close_positions(equations, x, time) || !groups_.restore_momentum(equations, x, time)) {
    return false;
  }
  if (!passes_) return close_velocities(equations, x, time);
  const VectorX& change = equations.held().passage()->velocity_change();
  x.segment(equations.layout().v_0(), change.size()) += change;
  return equations.update_kinematics(x, time);
}

bool LoopClosure::note_ranks(EquationsOfMotion& equations) {
  if (equations.held().loops() == nullptr || passes_) return true;
  const LoopMotion& motion = equations.own_motion();
  if (equations.held().loops()->solver.note_ranks(motion.state, motion.frames) ==
      DynamicsStatus::ok) {
    return true;
  }
  return equations.failure().note(Failure::Cause::inertia_not_positive_definite);
}

bool LoopClosure::find_path(EquationsOfMotion& equations) {
  SingularPassage& passage = *equations.held().passage();
  if (!passage.is_near()) return true;
  const SingularPassage::Path path = passage.find(equations.state());
  if (path == SingularPassage::Path::ambiguous)
    return equations.failure().note(Failure::Cause::branch_ambiguous, 0, &passage.weakest_loop());
  passes_ = path == SingularPassage::Path::found;
  return true;
}

bool LoopClosure::close_positions(EquationsOfMotion& equations, VectorX& x, double time) {
  IncrementalAssembly& solver = equations.held().loops()->solver;
  opening_.reset();
  double before = std::numeric_limits<double>::infinity();
  double tolerance = kSteadyTolerance;
  for (int i = 0; i < kMostIterations; ++i) {
    const LoopMotion& motion = equations.own_motion();
    solver.equations().residual(motion.frames, motion.state, residual_);
    row_sizes(solver.equations(), motion.state, size_, sizes_);
    Eigen::Index row = 0;
    const double largest = residual_.cwiseQuotient(sizes_).cwiseAbs().maxCoeff(&row);
    const double rounding = kClosed * terms_of(solver.equations(), motion, size_, sizes_);
    const bool may_pass = i == 0 && equations.held().passage()->is_near(*equations.held().loops());
    if (largest <= rounding && !may_pass) return true;
    if (!(largest < 0.5 * before)) {
      // as far as rounding lets it come, or not at all
      const bool is_steady = tolerance == kSteadyTolerance;
      if (largest <= (is_steady ? kLeftOpen : kNearlyClosed)) return true;
      if (!is_steady) {
        const int loop = solver.equations().loop_of(static_cast<int>(row));
        return equations.failure().note(
            Failure::Cause::loop_not_closed, loop,
            &equations.held().active_loops()[static_cast<std::size_t>(loop)]);
      }
      tolerance = kIncrementalTolerance;
    }
    before = largest;
    if (tolerance == kSteadyTolerance) opening_ = largest;
    if (solver.update(motion.state, motion.frames, tolerance) != DynamicsStatus::ok) {
      return equations.failure().note(Failure::Cause::inertia_not_positive_definite);
    }
    if (i == 0 && !find_path(equations)) return false;
    if (passes_) {
      change_ = equations.held().passage()->displacement();
    } else {
      residual_ *= -1.0;
      solver.respond(residual_, change_);
    }
    add_displacement(equations, change_, x);
    if (!equations.update_kinematics(x, time)) return false;
    if (passes_) return true;
  }
  return true;
}

bool LoopClosure::close_velocities(EquationsOfMotion& equations, VectorX& x, double time) {
  IncrementalAssembly& solver = equations.held().loops()->solver;
  for (const double tolerance : {kSteadyTolerance, kIncrementalTolerance}) {
    const LoopMotion& motion = equations.own_motion();
    solver.equations().velocity(motion.frames, motion.velocities, motion.state, residual_);
    const double rate = residual_.cwiseQuotient(sizes_).lpNorm<Eigen::Infinity>();
    const double speed = largest_part(equations.model(), motion.state.qd, size_);
    const bool is_steady = tolerance == kSteadyTolerance;
    if (!is_steady && rate <= kLeftOpenRate * speed) break;
    const bool is_kept = is_steady && opening_ && *opening_ * rate <= kKept * speed;
    if (!is_kept && solver.update(motion.state, motion.frames, tolerance) != DynamicsStatus::ok) {
      return equations.failure().note(Failure::Cause::inertia_not_positive_definite);
    }
    residual_ *= -1.0;
    solver.respond(residual_, change_);
    x.segment(equations.layout().v_0(), change_.size()) += change_;
    if (!equations.update_kinematics(x, time)) return false;
  }
  return true;
}

void LoopClosure::start(EquationsOfMotion& equations, LoopSummary& summary) {
  if (!is_needed_) return;
  follow(equations);
  MotionForces* motions = equations.held().motions();
  const bool has_motions = motions != nullptr && equations.held().update_motions();
  int rows = has_motions ? motions->holding_rows() : 0, rank = has_motions ? motions->rank() : 0;
  if (equations.held().loops() != nullptr && equations.held().update_loops()) {
    // of those by which joints follow others nothing is said
    const auto following = static_cast<int>(equations.model().followers().size());
    rows += equations.held().loops()->solver.equations().rows() - following;
    rank += equations.held().loops()->solver.rank() - following;
  }
  if (rows > summary.rows) {
    summary.rows = rows;
    summary.rank = rank;
  }
  watch(equations, summary);
  if (equations.held().loops() == nullptr) return;
  const IncrementalAssembly& solver = equations.held().loops()->solver;
  for (std::string& name : solver.redundant_loops()) {
    if (std::find(summary.redundant.begin(), summary.redundant.end(), name) ==
        summary.redundant.end()) {
      summary.redundant.push_back(std::move(name));
    }
  }
}

void LoopClosure::watch(EquationsOfMotion& equations, LoopSummary& summary) {
  follow(equations);
  const auto see = [](const VectorX& values, double& largest) {
    if (values.size() > 0) largest = std::max(largest, values.lpNorm<Eigen::Infinity>());
  };
  MotionForces* motions = equations.held().motions();
  if (motions != nullptr && equations.held().update_motions()) {
    see(motions->gaps(), summary.position_residual);
    see(motions->rates(), summary.velocity_residual);
  }
  if (equations.held().loops() == nullptr) return;
  const LoopEquations& loops = equations.held().loops()->solver.equations();
  const LoopMotion& motion = equations.own_motion();
  loops.residual(motion.frames, motion.state, residual_);
  see(residual_, summary.position_residual);
  loops.velocity(motion.frames, motion.velocities, motion.state, residual_);
  see(residual_, summary.velocity_residual);
  equations.held().passage()->note(*equations.held().loops());
  const int others = (motions != nullptr ? motions->holding_rows() : 0) -
                     static_cast<int>(equations.model().followers().size());
  if (loops.rows() + others < summary.rows) return;
  summary.rank = std::min(summary.rank, equations.held().loops()->rank() + others);
}

namespace {

/// Newton's method ends when gaps are rounding, or so small and shrink no more.
constexpr int kMostMotionIterations = 12;
constexpr double kClosedMotion = 4.0 * std::numeric_limits<double>::epsilon();
constexpr double kNearlyClosedMotion = 1e-10;

bool close_gaps(EquationsOfMotion& equations, VectorX& x, double time, VectorX& change) {
  MotionForces& motions = *equations.held().motions();
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostMotionIterations; ++i) {
    if (!equations.held().update_motions()) return false;
    Eigen::Index row = 0;
    const double largest = motions.gaps().cwiseAbs().maxCoeff(&row);
    const double size = motions.reach();
    if (largest <= kClosedMotion * size) return true;
    if (!(largest < 0.5 * before)) {
      if (largest <= kNearlyClosedMotion * size) return true;
      return equations.failure().note(Failure::Cause::motion_not_kept, motions.owner(row).name());
    }
    before = largest;
    motions.respond(motions.multipliers(-motions.gaps()), change);
    add_displacement(equations, change, x);
    if (!equations.update_kinematics(x, time)) return false;
  }
  return true;
}

}  // namespace

bool close_motions(EquationsOfMotion& equations, VectorX& x, double time) {
  if (equations.held().motions() == nullptr ||
      !equations.held().motions()->any_holds(equations.discrete())) {
    return true;
  }
  FreeGroups robots(equations.model(), equations.held().active_loops(), true);
  robots.note(equations);
  VectorX change(equations.model().velocity_size());
  if (!close_gaps(equations, x, time, change) || !robots.restore_momentum(equations, x, time) ||
      !equations.held().update_motions()) {
    return false;
  }
  MotionForces& motions = *equations.held().motions();
  motions.respond(motions.multipliers(-motions.rates()), change);
  x.segment(equations.layout().v_0(), change.size()) += change;
  return equations.update_kinematics(x, time);
}

MatrixX motion_rows(EquationsOfMotion& equations) {
  MotionForces* motions = equations.held().motions();
  const bool holds = motions != nullptr && motions->any_holds(equations.discrete()) &&
                     equations.held().update_motions();
  return holds ? motions->jacobian_transposed() : MatrixX(equations.model().velocity_size(), 0);
}

ConnectionRecord begin_motion(std::size_t connection, const MotionConstraint& constraint,
                              EquationsOfMotion& equations, VectorX& x, double time) {
  ConnectionRecord record;
  DiscreteState::ConnectionState state = equations.discrete().connections[connection];
  state.active = true;
  const Momentum before = equations.momentum();
  const double kinetic = equations.audit_point().energy.kinetic;
  equations.held().set_connection(connection, state);
  if (!equations.held().update_motions()) return record;
  MotionForces& motions = *equations.held().motions();
  Eigen::Index row = 0;
  const double gap = motions.gaps().cwiseAbs().maxCoeff(&row);
  if (gap > kConnectionTolerance * motions.size() + kPlaceRounding * motions.reach()) {
    throw NumericalError(
        fmt::format("connection '{}' cannot be made at t = {:.9g} s: its gap is {:.6g} m",
                    constraint.name(), time, gap),
        time, 0, "connection '" + constraint.name() + "'");
  }
  const VectorX lambda = motions.multipliers(-motions.rates());
  VectorX change(equations.model().velocity_size());
  motions.respond(lambda, change);
  x.segment(equations.layout().v_0(), change.size()) += change;
  if (!equations.update_kinematics(x, time)) return record;
  record.name = constraint.name();
  record.time = time;
  record.impulse = motions.part_of(constraint, lambda).norm();
  const Momentum after = equations.momentum();
  const double gained = equations.audit_point().energy.kinetic - kinetic;
  record.energy_lost = -gained;
  AuditIntegrals integrals;
  integrals.impulse = after.linear - before.linear;
  integrals.angular_impulse = after.angular_centroid - before.angular_centroid;
  (gained > 0.0 ? integrals.work : integrals.dissipated) = std::abs(gained);
  integrals.throughput = std::abs(gained);
  equations.balance().add(integrals, x);
  return record;
}

}  // namespace spacedyn
