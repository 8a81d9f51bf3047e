#include <cmath>
#include <limits>
#include <vector>

#include "integration/equations/projection.hpp"
#include "integration/impulses/implicit_loads.hpp"
#include "integration/impulses/robot_inertias.hpp"
#include "integration/impulses/step_contacts.hpp"
#include "integration/steppers/stepper.hpp"
#include "spacedyn/state/followers.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {
namespace {

/// Evaluations of a step whose loads do not settle.
constexpr int kMostCorrections = 8;
/// A correction that is so many times the last one leads away.
constexpr double kDiverging = 2.0;
/// Beginnings of the iteration, each with the derivatives of where the last one has led.
constexpr int kMostPasses = 4;
/// How far means of auxiliary states may be off what their rates give, relative to them.
constexpr double kSettled = 1e-6;

/// Keeps m v_g⁺ = m v_g + Σ F h, r_g⁺ = r_g + h (v_g + v_g⁺)/2 and L⁺ = L + Σ M h of each robot, L
/// and M about its centroid, by a twist of its base. A step has them but for an error of its order.
class RobotMomenta {
 public:
  RobotMomenta(const SimulationSetup& setup, const EquationsOfMotion& equations)
      : robots_(equations.model(), {}, true) {
    const Model& model = equations.model();
    robots_.restrict_to(model, equations.mobility());
    // propellant takes momentum with it, and a base that is not free is where it is put
    const bool moves = equations.mobility().base_free() && model.total_mass() > 0.0;
    is_idle_ = draws_from_tanks(setup) || (!moves && robots_.is_empty());
    has_joints_ = model.robots().empty() && model.body(0).mass != model.total_mass();
    for (const Robot& robot : model.robots()) {
      has_joints_ = has_joints_ || robot.joint_count() > 0 || !robot.base.position.isZero(0.0);
    }
  }

  bool is_idle() const { return is_idle_; }
  /// Whether a robot moves in coordinates other than those of its centroid.
  bool has_joints() const { return !is_idle_ && has_joints_; }
  /// Takes the start of a step.
  void start(EquationsOfMotion& equations, const VectorX& x, double time) {
    if (is_idle_ || (x.size() == noted_.size() && x == noted_)) return;
    if (equations.update_kinematics(x, time)) robots_.note(equations);
  }
  /// Takes the loads of a step, and adds to its audit what that does not see.
  void receive(const EquationsOfMotion& equations, double h, FreeGroups::BesideLoads contacts,
               VectorX& rate) {
    if (is_idle_) return;
    rate.segment<3>(equations.layout().integrals() + StateLayout::angular_impulse) +=
        robots_.receive(equations, h, contacts);
  }
  const FreeGroups& robots() const { return robots_; }
  /// Takes the end of a step, where the equations are placed.
  void finish(const EquationsOfMotion& equations, const VectorX& x) {
    if (is_idle_) return;
    robots_.note(equations);
    noted_ = x;
  }

 private:
  FreeGroups robots_;
  bool is_idle_ = true, has_joints_ = false;
  VectorX noted_;  // the state whose momenta are known
};

/// The implicit midpoint rule, Moreau and Jean's θ-method with θ = ½:
///
///     H (u⁺ − u) = h f(q ⊕ h v/2, v, z_m) + Kᵀ Λ,   v = (u + u⁺)/2,   q⁺ = q ⊕ h v
///
/// with Λ the impulses of rigid contacts in the step (StepContacts), so that loads see velocities
/// that satisfy the contacts. Newton's method with the derivatives that elements say
/// (ImplicitLoads), until a correction is within the tolerance of contacts; contacts and H are
/// those where the velocity of the start leads to. Where auxiliary states are faster than the step
/// they are found by brackets, and end where they come to rest (ImplicitLoads::finish). Of order 2
/// where nothing touches; steps need not end where contacts begin, so their number does not matter.
class TimeSteppingStepper final : public Stepper {
 public:
  TimeSteppingStepper(const SimulationSetup& setup, EquationsOfMotion& equations)
      : equations_(equations),
        tolerance_(setup.integrator.contact_tolerance),
        contacts_(setup, equations),
        implicit_(equations),
        momenta_(setup, equations),
        middle_(VectorX::Zero(equations.layout().size())),
        rate_of_parting_(middle_),
        mean_(VectorX::Zero(6 + equations.layout().joints)),
        rate_(mean_),
        change_(mean_),
        correction_(mean_),
        impulse_(mean_),
        z_(VectorX::Zero(equations.layout().auxiliaries)),
        z_residual_(z_) {}

  void attempt(DifferentialEquation& equation, Step& step) override {
    const StateLayout& layout = equations_.layout();
    motion_.h = step.t_new - step.t_old;
    take_start(step);
    has_settled_ = false;
    for (int pass = 0; pass < kMostPasses && !has_settled_; ++pass) {
      equations_.contact_wrenches().clear();
      if (pass > 0 && !settle(step)) return;
      if (!evaluate(equation, step, motion_.before)) return;
      if (!find_velocities()) return;
      has_settled_ = !corrects_;
      if (corrects_ && !correct(equation, step, pass > 0)) return;
    }
    using Beside = FreeGroups::BesideLoads;
    if (corrects_) momenta_.receive(equations_, motion_.h, Beside::nothing, step.rate_new);
    contacts_.finish(motion_);
    contacts_.wrenches(motion_.h, equations_.contact_wrenches());
    if (!corrects_) {
      equations_.balance().add_wrenches(equations_.contact_wrenches(), step.rate_new);
      momenta_.receive(equations_, motion_.h, Beside::contact_wrenches, step.rate_new);
    }
    step.x_new = step.x_old + motion_.h * step.rate_new;
    const auto z_old = step.x_old.segment(layout.z(), layout.auxiliaries);
    const bool is_fast = layout.auxiliaries > 0 && implicit_.finish(z_old, z_, z_residual_);
    step.x_new.segment(layout.z(), layout.auxiliaries) = 2.0 * z_ - z_old;
    for (const int row : equations_.mobility().free()) {
      step.x_new(layout.v_0() + row) = motion_.after(row);
    }
    displace(equations_, step.x_old, motion_.displacement, step.x_new);
    contacts_.count(equations_, step.x_new);
    if (!move_robots(equation, step)) return;
    if (is_fast && !shorten(step)) return;
    // what follows an impact has little to do with it
    rate_ = (motion_.after - motion_.before) / motion_.h;
    contacts_.clear_struck(rate_);
    if (equations_.update_kinematics(step.x_new, step.t_new)) {
      momenta_.finish(equations_, step.x_new);
    }
  }

  void interpolate(DifferentialEquation& /*equation*/, const Step& step, double time,
                   VectorX& x) override {
    const double s = (time - step.t_old) / (step.t_new - step.t_old);
    x = step.x_old + s * (step.x_new - step.x_old);
  }

  int watched_parts() const override { return 1; }
  void restart(Restart reason) override {
    if (reason == Restart::state_jumped) rate_.setZero();
  }
  bool has_settled() const override { return has_settled_; }
  StepContacts* contacts() override { return &contacts_; }
  void transfer(Archive& archive) override {
    archive(contacts_, rate_);
    archive.require(rate_.size() == mean_.size() && rate_.allFinite());
  }

 private:
  /// Velocities at the start and a guess of their means.
  void take_start(const Step& step) {
    const StateLayout& layout = equations_.layout();
    motion_.before = step.x_old.segment(layout.v_0(), mean_.size());
    imposed_ = motion_.before;
    equations_.impose(step.t_old, motion_.before);
    equations_.impose(step.t_new, imposed_);
    mean_ = motion_.before + 0.5 * motion_.h * rate_;
    for (const int row : equations_.mobility().prescribed()) {
      mean_(row) = 0.5 * (motion_.before(row) + imposed_(row));
    }
    for (VectorX* each : {&motion_.before, &mean_}) follow(equations_.model(), *each);
    z_ = step.x_old.segment(layout.z(), layout.auxiliaries);
    implicit_.begin(motion_.h);
    momenta_.start(equations_, step.x_old, step.t_old);
    // what elements do, and what holds coordinates, is counted where contacts are known
    const std::vector<int>& held = equations_.mobility().prescribed();
    corrects_ = !implicit_.is_idle() || momenta_.has_joints() ||
                !equations_.held().is_unsupported() || (!held.empty() && held.back() > 5);
  }

  /// Fills middle_ with the mean velocities in the middle that others lead to.
  void place_middle(const Step& step, const VectorX& velocities) {
    const StateLayout& layout = equations_.layout();
    middle_ = step.x_old;
    turn_ = 0.5 * motion_.h * velocities;
    displace(equations_, step.x_old, turn_, middle_);
    middle_.segment(layout.v_0(), mean_.size()) = mean_;
    middle_.segment(layout.z(), layout.auxiliaries) = z_;
  }

  /// Takes means of auxiliary states that belong to the mean velocities.
  bool settle(const Step& step) {
    const StateLayout& layout = equations_.layout();
    if (layout.auxiliaries == 0) return true;
    place_middle(step, mean_);
    if (!equations_.update_kinematics(middle_, step.t_old + 0.5 * motion_.h)) return false;
    implicit_.settle(equations_, step.x_old.segment(layout.z(), layout.auxiliaries), z_);
    return true;
  }

  /// Ends fast auxiliary states where they come to rest, z_residual_; what elements no longer store
  /// is dissipated.
  bool shorten(Step& step) {
    const StateLayout& layout = equations_.layout();
    const auto& slots = equations_.elements().slots();
    stored_.assign(slots.size(), 0.0);
    for (const double sign : {1.0, -1.0}) {
      if (sign < 0.0) step.x_new.segment(layout.z(), layout.auxiliaries) = z_residual_;
      if (!equations_.update_kinematics(step.x_new, step.t_new)) return false;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].slice.size == 0) continue;
        stored_[i] += sign * equations_.elements().stored_energy(slots[i], equations_.context(),
                                                                 equations_.discrete());
      }
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      step.x_new(layout.integrals() + StateLayout::dissipated(static_cast<int>(i))) += stored_[i];
    }
    return true;
  }

  /// Fills rate_new with the rates at the mean velocities, in the middle that others lead to, and
  /// correction_ with how far the change of velocities is from what they give.
  bool evaluate(DifferentialEquation& equation, Step& step, const VectorX& velocities) {
    const StateLayout& layout = equations_.layout();
    place_middle(step, velocities);
    equation(middle_, step.rate_new, step.t_old + 0.5 * motion_.h);
    change_ = 2.0 * (mean_ - motion_.before);
    correction_ = motion_.h * step.rate_new.segment(layout.v_0(), mean_.size()) - change_;
    for (const int row : equations_.mobility().prescribed()) correction_(row) = 0.0;
    follow(equations_.model(), correction_);
    z_residual_ = step.x_old.segment(layout.z(), layout.auxiliaries) +
                  0.5 * motion_.h * step.rate_new.segment(layout.z(), layout.auxiliaries) - z_;
    return !equations_.failure();
  }

  /// Velocities after the step from the first evaluation.
  bool find_velocities() {
    if (!implicit_.is_idle()) implicit_.compute(equations_);
    if (!contacts_.start(equations_, motion_, implicit_.added())) return false;
    impulse_.setZero();
    if (!implicit_.is_idle()) {
      implicit_.add_reach(change_, impulse_);
      implicit_.add_auxiliary(z_residual_, impulse_);
      if (!contacts_.inertias().correct(impulse_, correction_)) {
        return equations_.failure().note(Failure::Cause::inertia_not_positive_definite);
      }
    }
    motion_.after = motion_.before + change_ + correction_;
    for (const int row : equations_.mobility().prescribed()) motion_.after(row) = imposed_(row);
    follow(equations_.model(), motion_.after);
    contacts_.solve(motion_);
    return true;
  }

  /// Evaluates the loads at the mean velocities until these are what they give.
  /// @param settles  whether auxiliary states are found anew for each velocity
  bool correct(DifferentialEquation& equation, Step& step, bool settles) {
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMostCorrections; ++i) {
      contacts_.wrenches(motion_.h, equations_.contact_wrenches());
      turn_ = 0.5 * (motion_.before + motion_.after) - mean_;
      implicit_.move_auxiliary(z_residual_, turn_, z_);
      mean_ += turn_;
      if (settles && !settle(step)) return false;
      if (!evaluate(equation, step, mean_)) return false;
      impulse_.setZero();
      if (!implicit_.is_idle()) implicit_.add_auxiliary(z_residual_, impulse_);
      if (!contacts_.inertias().correct(impulse_, correction_)) {
        return equations_.failure().note(Failure::Cause::inertia_not_positive_definite);
      }
      const double size = correction_.lpNorm<Eigen::Infinity>();
      if (size > kDiverging * last) break;
      last = size;
      contacts_.correct(correction_, motion_);
      has_settled_ = size <= tolerance_ && auxiliaries_are_settled(step);
      if (has_settled_) break;
    }
    turn_ = 0.5 * correction_;
    implicit_.move_auxiliary(z_residual_, turn_, z_);
    return true;
  }

  bool auxiliaries_are_settled(const Step& step) const {
    for (Eigen::Index i = 0; i < z_.size(); ++i) {
      const double way = std::abs(z_(i) - step.x_old(equations_.layout().z() + i));
      const double most = kSettled * (std::abs(z_(i)) + way) + motion_.h * tolerance_;
      if (!(std::abs(z_residual_(i)) <= most)) return false;
    }
    return true;
  }

  /// Ends a step where the momenta of robots say, and parts shapes meanwhile. @returns false after
  /// a failure
  bool move_robots(DifferentialEquation& equation, Step& step) {
    if (!momenta_.is_idle()) {
      if (!equations_.update_kinematics(step.x_new, step.t_new)) return false;
      momenta_.robots().move_centroid(equations_, step.x_new);
    }
    if (contacts_.has_parted()) part(equation, step);
    if (!momenta_.is_idle()) momenta_.robots().move_momentum(equations_, step.x_new);
    return !equations_.failure();
  }

  /// Moves shapes apart that the step has left inside each other, and counts what that lifts.
  void part(DifferentialEquation& equation, Step& step) {
    if (!equations_.update_kinematics(step.x_new, step.t_new)) return;
    const double before = equations_.audit_point().energy.total();
    middle_ = step.x_new;
    displace(equations_, middle_, contacts_.parting(), step.x_new);
    const double work = implicit_.is_idle() ? 0.0 : work_of_parting(equation, step);
    if (!equations_.update_kinematics(step.x_new, step.t_new)) return;
    contacts_.count_parting(equations_, equations_.audit_point().energy.total() - before - work,
                            step.x_new);
  }

  /// Counts the work of elements over the parting d, f·d: the odd part of their power at the
  /// velocities ±d in a second.
  double work_of_parting(DifferentialEquation& equation, Step& step) {
    const StateLayout& layout = equations_.layout();
    const int sources = static_cast<int>(equations_.elements().slots().size());
    double sum = 0.0;
    for (const double side : {0.5, -0.5}) {
      middle_ = step.x_new;
      middle_.segment(layout.v_0(), mean_.size()) = 2.0 * side * contacts_.parting();
      equation(middle_, rate_of_parting_, step.t_new);
      if (equations_.failure()) return 0.0;
      for (int source = 0; source < sources; ++source) {
        const int row = layout.integrals() + StateLayout::work(source);
        step.x_new(row) += side * rate_of_parting_(row);
        sum += side * rate_of_parting_(row);
      }
    }
    return sum;
  }

  EquationsOfMotion& equations_;
  const double tolerance_;
  StepContacts contacts_;
  ImplicitLoads implicit_;
  RobotMomenta momenta_;
  StepContacts::Motion motion_;
  bool has_settled_ = false;
  std::vector<double> stored_;  // by elements
  bool corrects_ = false;       // whether loads are more than gravity and contacts of free bodies
  VectorX middle_, turn_, imposed_, rate_of_parting_;
  VectorX mean_;        // velocities at which loads are evaluated
  VectorX rate_;        // of velocities in the last step
  VectorX change_;      // of velocities that belongs to the means
  VectorX correction_;  // of it
  VectorX impulse_;
  VectorX z_, z_residual_;
};

}  // namespace

std::unique_ptr<Stepper> make_time_stepping_stepper(const SimulationSetup& setup,
                                                    EquationsOfMotion& equations) {
  return std::make_unique<TimeSteppingStepper>(setup, equations);
}

}  // namespace spacedyn
