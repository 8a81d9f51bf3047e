#include "spacedyn/analysis/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "analysis/system_loads.hpp"
#include "forces/compliant_only.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"
#include "state/state_changes.hpp"

namespace spacedyn {
namespace {

constexpr int kMostIterations = 3000;
/// What a step turns or, as a part of the size of the system, moves at most: motions are followed.
constexpr double kLongestStep = 0.05;
/// Most growth of a motion that leads away, within a step.
constexpr double kMostGrowth = 0.5;
/// s²: from there on steps are Newton's.
constexpr double kEndless = 1e12;
/// Most growth of what is out of balance in a step, and how spans of steps change.
constexpr double kMostRise = 4.0, kFaster = 4.0, kFasterAgain = 1.5, kSlower = 0.25;
constexpr int kMostTries = 30;
/// Parts of the weight: rounding, and what is no longer improved upon.
constexpr double kRounding = 1e-15, kGoodEnough = 1e-11;
/// Iterations without a halved residual after which it is rounding of stiff springs, where it is
/// within the tolerance, or a small part of the weight.
constexpr int kPatience = 8, kMostPatience = 50;
constexpr double kNearlyBalanced = 1e-6;

ForcedSystem with_held(const ForcedSystem& system, const std::vector<int>& held) {
  ForcedSystem changed = system;
  for (const int joint : held) {
    const auto& locked = changed.locked_joints;
    if (std::find(locked.begin(), locked.end(), joint) == locked.end()) {
      changed.locked_joints.push_back(joint);
    }
  }
  return changed;
}

class EquilibriumSearch {
 public:
  EquilibriumSearch(const ForcedSystem& system, const State& start, const std::vector<int>& held)
      : system_(with_held(system, held)),
        model_(*system_.model),
        discrete_(system_),
        loads_(system_, discrete_, 0.0),
        free_(loads_.mobility().free()),
        loops_(model_, active_loops(system_, discrete_)),
        is_in_orbit_(std::any_of(
            system.forces.begin(), system.forces.end(),
            [](const auto& force) { return declarations_of(*force).scene.orbit.exists(); })),
        sum_(model_),
        frames_(model_),
        velocities_(model_) {
    result_.state = start;
    result_.state.v_0.setZero();
    result_.state.omega_0.setZero();
    result_.state.qd.setZero();
    follow(model_, result_.state);
  }

  Equilibrium run() {
    double best = std::numeric_limits<double>::infinity(), halved = best;
    Equilibrium nearest;
    int stalled = 0;  // iterations since the least residual has halved
    measure();
    for (result_.iterations = 0; result_.iterations <= kMostIterations; ++result_.iterations) {
      const double residual = result_.residual, part = residual / result_.weight;
      const bool opens = phi_.size() > 0 && phi_.cwiseAbs().maxCoeff() > 1e-12 * size_;
      const bool is_done = part <= kRounding || (part <= kGoodEnough && residual >= 0.5 * best);
      if (residual < best && !opens) {
        best = residual;
        nearest = result_;
      }
      stalled = best < 0.5 * halved ? 0 : stalled + 1;
      halved = std::min(halved, stalled == 0 ? best : halved);
      const bool is_known = stalled > kPatience && best <= kEquilibriumTolerance * nearest.weight;
      if (is_known || (!opens && is_done)) {
        nearest.iterations = result_.iterations;
        nearest.found = true;
        return nearest;
      }
      if (stalled > kMostPatience && best <= kNearlyBalanced * nearest.weight) break;
      step();
    }
    if (best < result_.residual) result_ = nearest;
    result_.found = result_.residual <= kEquilibriumTolerance * result_.weight;
    return result_;
  }

 private:
  void rest_auxiliaries() {
    State& state = result_.state;
    state.z = loads_.elements().initial_auxiliary();
    compute_link_frames(model_, state, frames_);
    compute_link_velocities(model_, state, frames_, velocities_);
    const EvaluationContext now{0.0, model_, state, frames_, velocities_, state.z};
    for (const SystemElements::Slot& slot : loads_.elements().slots()) {
      std::vector<ElementEvent> events;
      slot.element().append_events(events);
      for (const ElementEvent& event : events) {
        if (!event.reset) continue;
        event.reset(slice_of(now, slot.slice), state.z.segment(slot.slice.offset, slot.slice.size));
      }
    }
  }

  /// Forces of free coordinates, rows of the loops, and what remains unbalanced.
  void measure() {
    rest_auxiliaries();
    const State& state = result_.state;
    VectorX rates;
    loads_.evaluate(state, sum_, rates);
    linear_ = linearize(system_, state, 0.0, VectorX::Zero(model_.velocity_size()), discrete_);
    TreeWorkspace workspace(model_, loads_.mobility());
    VectorX acceleration = VectorX::Zero(model_.velocity_size()), forces = acceleration;
    update_motion(state, acceleration, workspace);
    if (forward_dynamics(sum_, workspace, acceleration, forces) != DynamicsStatus::ok) {
      throw NumericalError("the inertia matrix is not positive definite at this state", 0.0, 0,
                           "inertia matrix");
    }
    H_ = linear_.H(free_, free_);
    face_orbit();
    force_ = H_ * acceleration(free_);
    G_ = MatrixX::Zero(loops_.rows(), static_cast<Eigen::Index>(free_.size()));
    phi_ = VectorX::Zero(loops_.rows());
    VectorX unbalanced = force_;
    if (loops_.rows() > 0) {
      MatrixX K_T(model_.velocity_size(), loops_.rows());
      loops_.jacobian(frames_, state, K_T);
      loops_.residual(frames_, state, phi_);
      G_ = K_T(free_, Eigen::all).transpose();
      unbalanced -= G_.transpose() * LeastNormSolver(MatrixX(G_.transpose())).solve(force_);
    }
    size_ = 0.1;
    for (const Vector3& r : frames_.r) size_ = std::max(size_, (r - frames_.r[0]).norm());
    result_.weight = model_.total_mass() * system_.gravity.norm() + sum_.tau.lpNorm<1>() +
                     sum_.force.lpNorm<1>() + sum_.moment.lpNorm<1>() / size_ +
                     sum_.F_b.lpNorm<1>();
    if (result_.weight == 0.0) result_.weight = 1.0;
    Eigen::Index worst = 0;
    result_.residual = unbalanced.size() == 0 ? 0.0 : unbalanced.cwiseAbs().maxCoeff(&worst);
    if (unbalanced.size() > 0) result_.unbalanced = name_of(free_[static_cast<std::size_t>(worst)]);
  }

  /// In an orbit the tide carries the whole system away from the orbit, however much is damped, and
  /// nothing accelerates there alone: what moves it outwards is led back, by damping of the other
  /// sign.
  void face_orbit() {
    const auto count = static_cast<Eigen::Index>(free_.size());
    turn_ = VectorX::Zero(count);
    tide_ = 0.0;
    if (!is_in_orbit_) return;
    VectorX outward = VectorX::Zero(count);
    const auto move = [&](int row) {
      const auto found = std::find(free_.begin(), free_.end(), row);
      if (found != free_.end()) outward(found - free_.begin()) = 1.0;
    };
    if (model_.robots().empty()) move(0);
    for (const Robot& robot : model_.robots()) {
      if (!robot.floats) return;
      move(robot.first + 5);
    }
    const VectorX momentum = H_ * outward;
    const double mass = outward.dot(momentum);
    const double spring = outward.dot(linear_.K(free_, free_) * outward);
    if (!(mass > 0.0 && spring < 0.0)) return;
    turn_ = std::sqrt(2.0 / mass) * momentum;
    tide_ = -spring / mass;
  }

  std::string name_of(int row) const {
    if (row >= 6) return "joint '" + model_.joint(row - 5).name + "'";
    return std::string(row < 3 ? "the force" : "the torque") + " on the base " +
           (row < 3 ? "along " : "about ") + "xyz"[row % 3];
  }

  /// 1/s², of motions that lead away, negative of those that come back; ascending.
  VectorX growths() const {
    if (free_.empty()) return VectorX::Zero(1);
    const auto count = static_cast<Eigen::Index>(free_.size());
    MatrixX projector = MatrixX::Identity(count, count);
    if (G_.rows() > 0) projector -= LeastNormSolver(G_).pseudo_inverse() * G_;
    const MatrixX S = linear_.K(free_, free_) + tide_ * turn_ * turn_.transpose();
    const MatrixX away = -0.5 * projector.transpose() * (S + S.transpose()) * projector;
    const Eigen::LLT<MatrixX> factors(H_);
    const MatrixX half = factors.matrixL().solve(away);
    const MatrixX full = factors.matrixL().solve(half.transpose());
    return symmetric_eigenvalues(MatrixX(0.5 * (full + full.transpose())));
  }

  /// Rotations in rad, and lengths as parts of the size of the system.
  double length_of(const VectorX& step) const {
    double longest = 0.0;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const int row = free_[i];
      const bool slides =
          row < 3 || (row >= 6 && model_.joint(row - 5).type == JointType::prismatic);
      const double moved = std::abs(step(static_cast<Eigen::Index>(i)));
      longest = std::max(longest, slides ? moved / size_ : moved);
    }
    return longest;
  }

  VectorX solve(double span) const {
    const Eigen::Index count = H_.rows(), rows = G_.rows();
    MatrixX system = MatrixX::Zero(count + rows, count + rows);
    system.topLeftCorner(count, count) =
        (H_ - turn_ * turn_.transpose()) / span + linear_.K(free_, free_);
    system.topRightCorner(count, rows) = G_.transpose();
    system.bottomLeftCorner(rows, count) = G_;
    VectorX right(count + rows);
    right << force_, -phi_;
    return LeastNormSolver(system).solve(right).head(count);
  }

  /// A step after which no force is out of balance by much more than before: where something begins
  /// to touch, or stiff chains pull taut, Newton's steps would go to and fro.
  void step() {
    const Place from{result_.state, linear_, H_, G_, force_, phi_, size_};
    const double before = result_.residual;
    longest_ = std::min((has_slowed_ ? kFasterAgain : kFaster) * longest_, kEndless);
    for (int tries = 0;; ++tries) {
      move();
      measure();
      has_slowed_ = tries > 0;
      if (result_.residual <= kMostRise * before || tries == kMostTries) return;
      longest_ = kSlower * span_;
      result_.state = from.state;
      linear_ = from.linear;
      H_ = from.H;
      G_ = from.G;
      force_ = from.force;
      phi_ = from.phi;
      size_ = from.size;
      face_orbit();
    }
  }

  void move() {
    const double away = growths().maxCoeff();
    span_ = away > 0.0 ? std::min(longest_, kMostGrowth / away) : longest_;
    VectorX move = solve(span_);
    for (int tries = 0; tries < 200 && !(length_of(move) <= kLongestStep); ++tries) {
      span_ *= std::min(0.5, 0.7 * kLongestStep / length_of(move) + 0.05);
      move = solve(span_);
    }
    const double length = length_of(move);
    if (length > kLongestStep) move *= kLongestStep / length;
    VectorX displacement = VectorX::Zero(model_.velocity_size());
    displacement(free_) = move;
    State& state = result_.state;
    state.r_0 += displacement.head<3>();
    state.A_0 = turn_by(displacement.segment<3>(3), state.A_0);
    displace_joints(model_, displacement.tail(model_.joint_count()), state.q);
    follow(model_, state);
  }

  /// What a step begins with.
  struct Place {
    State state;
    Linearization linear;
    MatrixX H, G;
    VectorX force, phi;
    double size;
  };

  const ForcedSystem system_;
  const Model& model_;
  const DiscreteState discrete_;
  SystemLoads loads_;
  const std::vector<int> free_;
  LoopEquations loops_;
  const bool is_in_orbit_;
  Loads sum_;
  LinkFrames frames_;
  LinkVelocities velocities_;
  Linearization linear_;
  MatrixX H_, G_;
  VectorX force_, phi_;
  VectorX turn_;       // √(2/m) of what a motion outwards has of momentum, of the damping turned
  double tide_ = 0.0;  // 1/s², its growth
  bool has_slowed_ = false;
  double size_ = 1.0, longest_ = kEndless, span_ = kEndless;  // spans: s²
  Equilibrium result_;
};

}  // namespace

Equilibrium find_equilibrium(const ForcedSystem& system, const State& start,
                             const std::vector<int>& held) {
  require_compliant(*system.model, system.forces, "an equilibrium");
  start.check(*system.model);
  return EquilibriumSearch(system, start, held).run();
}

}  // namespace spacedyn
