/// @file
/// Rigid contacts of a run that goes on by fixed steps: impulses of each step, and what became of
/// the contacts. Private.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "integration/contacts/contact_account.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/impulses/contact_finder.hpp"
#include "integration/impulses/contact_sweeps.hpp"

namespace spacedyn {

/// The contacts of a time-stepping method.
///
/// A step moves by the mean of its velocities before and after, and contacts are those at its
/// middle. A point that strikes within the step gives back e of its approach at once; what comes
/// slowly is put down on the surface. So the normal impulse never adds energy. A step that ends
/// with shapes inside each other, or short of where they have come to rest, is corrected by the
/// least motion, and what energy that takes or gives is counted.
class StepContacts {
 public:
  StepContacts(const SimulationSetup& setup, const EquationsOfMotion& equations);

  bool is_idle() const { return finder_.contacts().empty(); }

  /// Velocities of a step.
  struct Motion {
    double h = 0.0;        ///< s
    VectorX before;        ///< u at the start
    VectorX after;         ///< without impulses; after solve() with them
    VectorX displacement;  ///< of the whole step, after finish()
  };
  /// Finds the points of a step. @pre the equations are evaluated at its middle, reached with the
  /// velocities of its start
  /// @param added  to H by what is implicit: RobotInertias::update()
  /// @returns false after a failure of the equations
  bool start(EquationsOfMotion& equations, const Motion& motion, const MatrixX* added);
  /// H, with what is added. @pre start() has found points, or something is added
  RobotInertias& inertias() { return sweeps_.inertias(); }
  /// Finds the impulses of the velocities without them.
  void solve(Motion& motion);
  /// Changes velocities, and impulses as well where the change is larger than the tolerance.
  /// @returns the size of the change
  double correct(ConstVectorRef change, Motion& motion);
  /// The mean wrenches of the impulses on the bodies. @param wrenches  out
  void wrenches(double h, std::vector<BodyWrench>& wrenches) const;
  /// Takes the impulses for those of the step.
  void finish(Motion& motion);
  /// Zeros of the robots that have struck something in the step.
  void clear_struck(VectorRef velocities) const;
  /// Counts what the impulses of the step have done.
  /// @param x  the end of the step, without counts
  void count(const EquationsOfMotion& equations, VectorX& x) const;
  /// Whether shapes had to be moved apart, and by what, an energy that was not there: J.
  bool has_parted() const { return has_parted_; }
  const VectorX& parting() const { return parting_; }
  void count_parting(const EquationsOfMotion& equations, double energy, VectorX& x);

  /// Takes the last finish() for what has happened until a time.
  using Note = std::function<void(double, const std::string&)>;
  void finish_step(double start, double end, const Note& note);
  std::vector<ContactSummary> summaries(double time, ConstVectorRef integrals) const;
  /// Appends what the channel of contacts records. @pre the kinematics are up to date
  void read(const EquationsOfMotion& equations, std::vector<ContactReading>& readings) const;

  void transfer(Archive& archive);

 private:
  /// An impulse, for the first guess of the next step.
  struct Memory {
    std::size_t pair = 0;
    Vector3 place = Vector3::Zero();    ///< in the axes of the first body
    Vector3 impulse = Vector3::Zero();  ///< inertial axes

    void transfer(Archive& archive) { archive(pair, place, impulse); }
  };
  /// Of a contact in the last step.
  struct Effect {
    double impulse = 0.0, friction_work = 0.0, lost = 0.0, residual = 0.0;
    Vector3 friction = Vector3::Zero();  ///< tangential impulse
    ContactReading reading;
    bool touches = false;
  };
  struct Row {
    ContactAccount account;
    long steps = 0;  ///< in a row that had an impulse
    double first = 0.0;

    void transfer(Archive& archive) { archive(account, steps, first); }
  };

  /// A found point on its bodies: b is −1 of the ground.
  struct Place {
    Matrix3 axes;          ///< columns n, t_1, t_2
    int a, b;              ///< bodies
    Vector3 arm_a, arm_b;  ///< from their centroids
    Vector3 on_a;          ///< in the axes of the first
    double bounce = 0.0;   ///< what restitution asks of the normal velocity, m/s
    bool strikes = false;
  };

  bool add_points(EquationsOfMotion& equations);
  void set_conditions(std::size_t i, const Motion& motion);
  /// Impulses of a group, with less restitution where that would add energy.
  void find_impulses(std::size_t group, Motion& motion);
  bool adds_energy(ContactSweeps::Group group, const Motion& motion) const;
  Vector3 first_guess(std::size_t i) const;
  void move_apart(Motion& motion);
  void collect(const Motion& motion);
  void remember();

  const ContactSweeps::Limits limits_;
  ContactFinder finder_;
  ContactSweeps sweeps_;
  double size_ = 0.0;  // m, of the largest shape
  std::vector<FoundPoint> found_;
  std::vector<Place> places_;
  std::vector<Memory> memory_, next_memory_;
  std::vector<Effect> effects_;
  std::vector<Row> rows_;
  std::vector<double> gaps_, residuals_;  // of points and of groups
  std::vector<char> is_halted_;  // struck without a bounce: whether it must still close its gap
  VectorX parting_, free_;       // and the velocities without impulses
  bool has_parted_ = false;
  double h_ = 0.0;
};

}  // namespace spacedyn
