#include "constraints/singular_passage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "constraints/elimination_plan.hpp"
#include "constraints/indices.hpp"
#include "constraints/loop_kernel.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/state/configuration.hpp"

namespace spacedyn {
namespace {

/// Independence, of its largest value, below which a posture counts as nearly singular. It is the
/// square of a distance: 0.025 of the reach of a joint.
constexpr double kNearSingular = 6.25e-4;

/// Independence that the nearest of the postures on both sides are to have gained: 2.2 times as
/// far away as the border of kNearSingular.
constexpr double kGainedIndependence = 4.84 * kNearSingular;

/// Where the search for their distance begins and ends: rad, or of the size of the model.
constexpr double kFirstReach = 0.05;
constexpr double kLongestReach = 0.3;
constexpr int kMostTrials = 12;
constexpr double kSteadyTrial = 1.2;  // factor between trials that ends the search

/// Where the states around a posture are like it, it counts as regular up to this part of it.
constexpr double kStillRegular = 0.05;

/// NodeWeights of the values at −5 … −1 and 1 … 5 in that at 0, of the polynomial through them, and
/// of the polynomial that leaves out the last on each side.
constexpr int kSides = 5;
constexpr int kNodes = 2 * kSides;
using NodeWeights = std::array<double, kSides>;
constexpr NodeWeights kNodeWeights = {5.0 / 6.0, -10.0 / 21.0, 5.0 / 28.0, -5.0 / 126.0,
                                      1.0 / 252.0};
constexpr NodeWeights kFewerNodeWeights = {4.0 / 5.0, -2.0 / 5.0, 4.0 / 35.0, -1.0 / 70.0, 0.0};

constexpr double node_weight(int node, const NodeWeights& weights = kNodeWeights) {
  return weights[static_cast<std::size_t>(node / 2)];
}
constexpr double node_place(int node) { return (node % 2 == 0 ? 1.0 : -1.0) * (node / 2 + 1); }

/// Newton's method at the postures on both sides.
constexpr int kMostClosings = 30;
constexpr double kNodeClosed = 4.0 * std::numeric_limits<double>::epsilon();
constexpr double kNodeNearlyClosed = 1e-12;

/// Part of the way between postures by which the two polynomials may differ: where paths come near
/// each other without meeting, they bend too sharply for both.
constexpr double kSmoothPath = 1e-7;

/// Part of that way below which a posture that is put onto the loops comes back to the state.
constexpr double kCollapsed = 0.01;

/// A loop counts as at rest as long as its accelerations reach its velocities on so small a part of
/// its size.
constexpr double kAtRest = 1e-12;

/// How far open, in sizes of the model, loops may be for a state to show what is regular: stages of
/// an implicit step can be anywhere.
constexpr double kOnLoops = 1e-6;

/// Rows less independent than this do not say where a mechanism is that they hold in its place.
constexpr double kHeldRows = 1e-2;

/// Part of that way, and of the velocity, by which a state may be beside the path.
constexpr double kOffPath = 0.2;

/// Joints that move one of the points of a loop against the other.
std::vector<int> joints_of(const Model& model, const Loop& loop) {
  if (!loop_traits(loop.type).joins_points) return loop.joints;
  const int home = meeting_body(model, loop.from.body, loop.to.body);
  std::vector<int> joints = joints_down_to(model, loop.from.body, home);
  const std::vector<int> others = joints_down_to(model, loop.to.body, home);
  joints.insert(joints.end(), others.begin(), others.end());
  return joints;
}

}  // namespace

template <typename Rows>
bool RegularPostures::is_near(const Rows& rows) const {
  for (int i = 0; i < count(); ++i)
    if (rows.rank_of(i) < ranks_[at(i)] || rows.independence(i) < kNearSingular * most_[at(i)])
      return true;
  return !is_known_;
}

template <typename Rows>
void RegularPostures::take(const Rows& rows) {
  for (int i = 0; i < count(); ++i) {
    ranks_[at(i)] = std::max(ranks_[at(i)], rows.rank_of(i));
    if (rows.rank_of(i) > 0) most_[at(i)] = std::max(most_[at(i)], rows.independence(i));
  }
}

void RegularPostures::take_border(const IncrementalAssembly& rows) {
  for (int i = 0; i < count(); ++i) {
    ranks_[at(i)] = std::min(ranks_[at(i)], rows.rank_of(i));
    most_[at(i)] = std::min(most_[at(i)], kStillRegular / kNearSingular * rows.independence(i));
  }
}

double RegularPostures::least(const IncrementalAssembly& rows, int& loop) const {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count(); ++i) {
    const double part = rows.rank_of(i) < ranks_[at(i)] ? 0.0 : rows.independence(i) / most_[at(i)];
    if (part < least) least = part, loop = i;
  }
  return least;
}

bool RegularPostures::have_rank(const IncrementalAssembly& rows, bool lowers) {
  bool have = true;
  for (int i = 0; i < count(); ++i) {
    if (rows.rank_of(i) >= ranks_[at(i)]) continue;
    have = false;
    if (lowers) ranks_[at(i)] = rows.rank_of(i);
  }
  return have;
}

struct SingularPassage::Memory {
  Memory(const IncrementalAssembly& solver, double model_size)
      : model(solver.equations().model()),
        length(model_size),
        motion(model),
        loops(solver.equations().model(), solver.mobility(), solver.equations().loops()),
        tree_workspace(solver.equations().model(), solver.mobility()),
        nodes(kNodes, State(solver.equations().model())),
        residual(VectorX::Zero(solver.equations().rows())) {
    const Eigen::Index size = solver.equations().model().velocity_size();
    change = sum = force = displacement = velocity_change = VectorX::Zero(size);
    displacements = velocity_changes = MatrixX::Zero(size, kNodes);
  }

  VectorX interpolate(const MatrixX& values, const NodeWeights& weights) const {
    VectorX result = VectorX::Zero(values.rows());
    for (int node = 0; node < kNodes; ++node)
      result += node_weight(node, weights) * values.col(node);
    return result;
  }

  /// Puts a posture onto the loops. @returns false where that fails
  bool close(State& node, Eigen::Index column);
  void close_velocity(State& node, Eigen::Index column);

  const Model& model;
  double length;  // m, of the model
  LoopMotion motion;
  LoopWorkspace loops;
  TreeWorkspace tree_workspace;
  std::vector<State> nodes;
  VectorX residual, change, sum, force, displacement, velocity_change;
  MatrixX displacements, velocity_changes;
  bool is_on_loops = false;  // the state that is looked at
};

bool SingularPassage::Memory::close(State& node, Eigen::Index column) {
  IncrementalAssembly& solver = loops.solver;
  auto moved = displacements.col(column);
  moved.setZero();
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0;; ++i) {
    motion.compute(model, node);
    solver.equations().residual(motion.frames, motion.state, residual);
    const double open = residual.lpNorm<Eigen::Infinity>();
    if (solver.update(motion.state, motion.frames) != DynamicsStatus::ok) return false;
    const bool is_done = open <= kNodeClosed * length || !(open < 0.5 * before);
    if (is_done && open <= kNodeNearlyClosed * length) break;
    if ((is_done && i > 2) || i == kMostClosings) return false;
    before = open;
    residual *= -1.0;
    solver.respond(residual, change);
    moved += change;
    node.r_0 += change.head<3>();
    node.A_0 = turn_by(change.segment<3>(3), node.A_0);
    displace_joints(model, change.tail(node.q.size()), node.q);
  }
  return true;
}

/// @pre the solver is factorized there
void SingularPassage::Memory::close_velocity(State& node, Eigen::Index column) {
  IncrementalAssembly& solver = loops.solver;
  solver.equations().velocity(motion.frames, motion.velocities, motion.state, residual);
  residual *= -1.0;
  solver.respond(residual, change);
  velocity_changes.col(column) = change;
  node.v_0 += change.head<3>();
  node.omega_0 += change.segment<3>(3);
  node.qd += change.tail(node.qd.size());
}

SingularPassage::SingularPassage(IncrementalAssembly& solver)
    : solver_(solver),
      moved_(solver.equations().model()),
      beginning_(VectorX::Zero(solver.equations().model().joint_count())),
      direction_(beginning_),
      size_(model_size(solver.equations().model(), solver.equations().loops())),
      regular_(solver.equations().loops().size()) {
  for (const Loop& loop : solver.equations().loops()) joints_.push_back(joints_of(model(), loop));
}
SingularPassage::~SingularPassage() = default;

/// Of the fastest joint; floating robots may fly together as fast as they like.
double SingularPassage::speed_along(ConstVectorRef direction) {
  moved_.qd = direction;
  const Robot* first = nullptr;
  for (const Robot& robot : model().robots()) {
    if (!robot.floats) continue;
    if (first == nullptr) first = &robot;
    moved_.qd.segment<3>(robot.first - 1) -= direction.segment<3>(first->first - 1);
  }
  return size_of(moved_.qd);
}

bool SingularPassage::is_near(const LoopWorkspace& loops) const {
  return regular_.is_near(*loops.kernel);
}
bool SingularPassage::is_near() const { return regular_.is_near(solver_); }

void SingularPassage::note(const LoopWorkspace& loops) {
  if (!is_near(loops)) regular_.take(*loops.kernel);
}

void SingularPassage::move(const State& state, double time, State& moved) const {
  moved = state;
  displace_joints(model(), time * direction_, moved.q);
}

bool SingularPassage::factorize(const State& state, double time) {
  move(state, time, moved_);
  Memory& m = *memory_;
  m.motion.compute(model(), moved_);
  return m.loops.solver.update(m.motion.state, m.motion.frames) == DynamicsStatus::ok;
}

double SingularPassage::measure(const State& state, double time) {
  if (!factorize(state, time)) return 0.0;
  int loop = weakest_loop_;
  const double least = regular_.least(memory_->loops.solver, loop);
  if (time == 0.0) weakest_loop_ = loop;
  return least;
}

/// s between the postures that are looked at; 0 where none is better than the state itself.
/// @param speed  of the direction, rad/s or lengths of the model
/// @param here   as measure()
double SingularPassage::span(const State& state, double speed, double here) {
  double time = kFirstReach / speed;
  for (int trial = 0; trial < kMostTrials && time * speed < kLongestReach; ++trial) {
    const double ahead = measure(state, time), behind = measure(state, -time);
    const double gained = 0.5 * (ahead + behind) - here;
    const double factor = gained > 0.0 ? std::sqrt(kGainedIndependence / gained) : 2.0;
    if (std::min(ahead, behind) > kNearSingular && factor < kSteadyTrial &&
        factor > 1.0 / kSteadyTrial)
      return time;
    time *= std::clamp(factor, 0.25, 4.0);
  }
  if (memory_->is_on_loops) {
    factorize(state, 0.0);
    regular_.take_border(memory_->loops.solver);
  }
  return 0.0;
}

/// Before the first posture is known: those on both sides say what is regular.
void SingularPassage::look_around(const State& state) {
  for (const VectorX& direction : {state.qd, beginning_}) {
    const double speed = speed_along(direction);
    if (!(speed > 0.0)) continue;
    regular_.begin();
    direction_ = direction;
    for (const double reach : {0.0, kFirstReach, -kFirstReach}) {
      if (factorize(state, reach / speed)) regular_.take(memory_->loops.solver);
    }
  }
}

VectorX SingularPassage::of_weakest_loop(ConstVectorRef joints) const {
  VectorX part = VectorX::Zero(joints.size());
  for (const int joint : joints_[at(weakest_loop_)]) part(joint - 1) = joints(joint - 1);
  return part;
}

/// That of the velocity or, where the weakest loop is at rest, that in which it begins to move.
/// @returns whether it is at rest
bool SingularPassage::choose_direction(const State& state) {
  const double velocity = speed_along(of_weakest_loop(state.qd));
  const VectorX beginning = of_weakest_loop(beginning_);
  const bool is_at_rest = velocity * velocity <= kAtRest * speed_along(beginning);
  direction_ = is_at_rest ? beginning : state.qd;
  return is_at_rest;
}

SingularPassage::Path SingularPassage::find(const State& state, ConstVectorRef accelerations) {
  beginning_ = accelerations;
  return find(state);
}

SingularPassage::Path SingularPassage::find(const State& state) {
  if (memory_ == nullptr) memory_ = std::make_unique<Memory>(solver_, size_);
  if (!regular_.is_known()) look_around(state);
  if (!regular_.is_known()) return Path::none;
  Memory& m = *memory_;
  const double here = measure(state, 0.0);
  if (here > kNearSingular) return Path::none;
  m.loops.solver.equations().residual(m.motion.frames, m.motion.state, m.residual);
  m.is_on_loops = m.residual.lpNorm<Eigen::Infinity>() <= kOnLoops * size_;
  const bool is_at_rest = choose_direction(state);
  const double speed = speed_along(direction_);
  const double time = speed > 0.0 ? span(state, speed, here) : 0.0;
  if (time == 0.0) return Path::none;
  int collapsed = 0;
  for (int node = 0; node < kNodes; ++node) {
    State& there = m.nodes[at(node)];
    move(state, node_place(node) * time, there);
    if (!m.close(there, node)) return Path::none;
    if (size_of(of_weakest_loop(there.q - state.q)) < kCollapsed * speed * time) ++collapsed;
    m.close_velocity(there, node);
  }
  if (collapsed == kNodes) return is_at_rest ? hold(state, time) : Path::ambiguous;
  // whether the last posture has the rank that others had beside the loops
  if (!regular_.have_rank(m.loops.solver, m.is_on_loops)) return Path::none;
  const double velocity = is_at_rest ? std::numeric_limits<double>::infinity() : speed;
  return interpolate(velocity, speed * time);
}

/// No path leads out of the posture: rows beside it hold velocities and accelerations, and those
/// that are independent in it hold the positions.
SingularPassage::Path SingularPassage::hold(const State& state, double time) {
  Memory& m = *memory_;
  IncrementalAssembly& solver = m.loops.solver;
  m.motion.compute(model(), state);
  solver.equations().residual(m.motion.frames, m.motion.state, m.residual);
  if (solver.update(m.motion.state, m.motion.frames, kHeldRows) != DynamicsStatus::ok)
    return Path::none;
  m.residual *= -1.0;
  solver.respond(m.residual, m.displacement);
  for (int node = 0; node < kNodes; ++node) {
    State& there = m.nodes[at(node)];
    if (!factorize(state, node_place(node) * time)) return Path::none;
    there = moved_;
    m.close_velocity(there, node);
  }
  m.velocity_change = m.interpolate(m.velocity_changes, kNodeWeights);
  return Path::found;
}

SingularPassage::Path SingularPassage::interpolate(double speed, double reach) {
  Memory& m = *memory_;
  m.displacement = m.interpolate(m.displacements, kNodeWeights);
  m.velocity_change = m.interpolate(m.velocity_changes, kNodeWeights);
  const auto size = [&](const VectorX& all) { return size_of(all.tail(model().joint_count())); };
  const VectorX displacement = m.interpolate(m.displacements, kFewerNodeWeights) - m.displacement;
  const VectorX velocity = m.interpolate(m.velocity_changes, kFewerNodeWeights) - m.velocity_change;
  if (size(displacement) > kSmoothPath * reach || size(velocity) > kSmoothPath * speed)
    return Path::none;
  const VectorX turn = 0.5 * (m.displacements.col(0) - m.displacements.col(1));
  const bool is_beside = size(m.displacement) > kOffPath * reach || size(turn) > kOffPath * reach ||
                         size(m.velocity_change) > kOffPath * speed;
  return is_beside ? Path::ambiguous : Path::found;
}

const Loop& SingularPassage::weakest_loop() const {
  return solver_.equations().loops()[at(weakest_loop_)];
}
const VectorX& SingularPassage::displacement() const { return memory_->displacement; }
const VectorX& SingularPassage::velocity_change() const { return memory_->velocity_change; }
TreeWorkspace& SingularPassage::tree() { return memory_->tree_workspace; }

DynamicsStatus SingularPassage::accelerate(const Loads& loads, VectorRef acceleration,
                                           VectorRef forces) {
  Memory& m = *memory_;
  const VectorX given = acceleration;
  acceleration.setZero();
  forces.setZero();
  for (int node = 0; node < kNodes; ++node) {
    m.sum = given;
    update_motion(m.nodes[at(node)], m.sum, m.tree_workspace);
    const DynamicsStatus status = constrained_dynamics(m.nodes[at(node)], loads, {}, m.loops,
                                                       m.tree_workspace, m.sum, m.force);
    if (status != DynamicsStatus::ok) return status;
    acceleration += node_weight(node) * m.sum;
    forces += node_weight(node) * m.force;
  }
  return DynamicsStatus::ok;
}

}  // namespace spacedyn
