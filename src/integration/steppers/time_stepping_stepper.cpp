#include "integration/equations/displacement.hpp"
#include "integration/impulses/step_contacts.hpp"
#include "integration/steppers/stepper.hpp"

namespace spacedyn {
namespace {

/// Moreau's midpoint rule: forces and contacts at the middle of a step, which is reached with the
/// velocities of its start,
///
///     q_m = q ⊕ h u/2,   H(q_m) (u⁺ − u) = h f(q_m, u + h u̇/2) + K(q_m)ᵀ Λ,   q⁺ = q ⊕ h (u +
///     u⁺)/2
///
/// with Λ the impulses of rigid contacts in the step (StepContacts). Of order 2 where nothing
/// touches; steps need not end where contacts begin, so their number does not matter.
class TimeSteppingStepper final : public Stepper {
 public:
  TimeSteppingStepper(const SimulationSetup& setup, EquationsOfMotion& equations)
      : equations_(equations),
        contacts_(setup, equations),
        middle_(VectorX::Zero(equations.layout().size())) {}

  void attempt(DifferentialEquation& equation, Step& step) override {
    const StateLayout& layout = equations_.layout();
    const Eigen::Index size = 6 + layout.joints;
    motion_.h = step.t_new - step.t_old;
    motion_.before = step.x_old.segment(layout.v_0(), size);
    if (!evaluate_middle(equation, step)) return;
    motion_.after = motion_.before + motion_.h * step.rate_new.segment(layout.v_0(), size);
    take_imposed();
    if (!contacts_.solve(equations_, motion_)) return;
    step.x_new = step.x_old + motion_.h * step.rate_new;
    for (const int row : equations_.mobility().free()) {
      step.x_new(layout.v_0() + row) = motion_.after(row);
    }
    displace(equations_, step.x_old, motion_.displacement, step.x_new);
    contacts_.count(equations_, step.x_new);
    if (contacts_.has_parted()) part(step);
    equations_.update_kinematics(step.x_new, step.t_new);
  }

  void interpolate(DifferentialEquation& /*equation*/, const Step& step, double time,
                   VectorX& x) override {
    const double s = (time - step.t_old) / (step.t_new - step.t_old);
    x = step.x_old + s * (step.x_new - step.x_old);
  }

  int watched_parts() const override { return 1; }
  StepContacts* contacts() override { return &contacts_; }
  void transfer(Archive& archive) override { contacts_.transfer(archive); }

 private:
  /// Fills rate_new with the rates at the middle.
  bool evaluate_middle(DifferentialEquation& equation, Step& step) {
    const StateLayout& layout = equations_.layout();
    const double half = 0.5 * motion_.h;
    middle_ = step.x_old + half * step.rate_old;
    turn_ = half * motion_.before;
    displace(equations_, step.x_old, turn_, middle_);
    middle_.tail(layout.integral_count()) = step.x_old.tail(layout.integral_count());
    equation(middle_, step.rate_new, step.t_old + half);
    return !equations_.failure();
  }

  /// Velocities that follow a reference are not in x.
  void take_imposed() {
    const State& state = equations_.state();
    for (const int row : equations_.mobility().prescribed()) {
      const double velocity = row < 3   ? state.v_0(row)
                              : row < 6 ? state.omega_0(row - 3)
                                        : state.qd(row - 6);
      motion_.before(row) = motion_.after(row) = velocity;
    }
  }

  /// Moves shapes apart that the step has left inside each other, and counts what that lifts.
  void part(Step& step) {
    if (!equations_.update_kinematics(step.x_new, step.t_new)) return;
    const double before = equations_.energy().total();
    middle_ = step.x_new;
    displace(equations_, middle_, contacts_.parting(), step.x_new);
    if (!equations_.update_kinematics(step.x_new, step.t_new)) return;
    contacts_.count_parting(equations_, equations_.energy().total() - before, step.x_new);
  }

  EquationsOfMotion& equations_;
  StepContacts contacts_;
  StepContacts::Motion motion_;
  VectorX middle_, turn_;
};

}  // namespace

std::unique_ptr<Stepper> make_time_stepping_stepper(const SimulationSetup& setup,
                                                    EquationsOfMotion& equations) {
  return std::make_unique<TimeSteppingStepper>(setup, equations);
}

}  // namespace spacedyn
