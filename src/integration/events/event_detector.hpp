/// @file
/// Finds the instants at which root functions cross zero inside a step.
#pragma once

#include <optional>
#include <vector>

#include "integration/contacts/resting_contacts.hpp"
#include "integration/contacts/rigid_contacts.hpp"
#include "integration/steppers/advancer.hpp"
#include "spacedyn/integration/events.hpp"

namespace spacedyn {

/// Watches the root functions of a run: those of its events, behind them one for each stop, the
/// margin of the force with which it holds a resting joint, and behind these those of rigid
/// contacts.
///
/// A crossing is looked for between a few places in each step, so a function must not cross zero
/// twice within one of Stepper::watched_parts(); but joints at stops that turn round behind them
/// are seen, and functions whose rates are given where they rise above zero in between. Its root is
/// then found on states of true, shorter steps to max(1e-12 s, 4 eps |t|), and the step ends just
/// behind it.
class EventDetector {
 public:
  /// @param contacts, rigid  of the same run, must outlive this object
  EventDetector(const std::vector<Event>& events, const RestingContacts& contacts,
                const RigidContacts& rigid);

  bool is_idle() const { return old_.empty(); }
  /// Notes the signs at the start.
  void start(EquationsOfMotion& equations, const VectorX& x, double time);
  /// Notes the signs after the actions of events; a function that has just crossed counts to the
  /// side to which it moves now, so that a bounce begins where it came from.
  void resume(EquationsOfMotion& equations, const Step& step);

  /// Shortens an accepted step so that it ends on its first event.
  /// @returns whether there is one; fired() then says which
  bool shorten(EquationsOfMotion& equations, Advancer& advancer, Step& step);
  /// Indices of the functions that crossed at the end of the last step, ascending.
  const std::vector<std::size_t>& fired() const { return fired_; }
  /// Whether a function of the rigid contacts has.
  bool rigid_fired() const { return !fired_.empty() && fired_.back() >= first_rigid_; }

  /// Notes that an event has happened.
  /// @throws NumericalError if it happens ever faster: it chatters
  void count(std::size_t event, double time, long steps);

  /// @throws IoError if a checkpoint has other functions
  void transfer(Archive& archive);

 private:
  /// Values of all functions at a state. @returns false if the state is not usable
  bool evaluate(EquationsOfMotion& equations, const VectorX& x, double time,
                std::vector<double>& values);
  /// Updates the kinematics, and evaluates the equations where the forces of stops are asked for.
  bool update(EquationsOfMotion& equations, const VectorX& x, double time) const;
  /// Value of one function. @pre update(), and evaluate_inside() for the margins of stops
  double value_of(std::size_t function, const EquationsOfMotion& equations) const;
  /// A joint on its stop has not passed it.
  double from_inside(std::size_t event, double value) const;
  bool bounces(std::size_t function) const;
  /// Whether an event has nothing left to do: it only makes connections, and they hold. What has
  /// triggered it may then stay at zero, as the connections hold it there.
  bool waits(std::size_t event, const EquationsOfMotion& equations) const;
  /// Joints at their stops are inside.
  void keep_inside(const VectorX& q);
  bool crosses(std::size_t event, double before, double after) const;
  bool any_crosses(const std::vector<double>& before, const std::vector<double>& after) const;
  /// The first part of a step in which a function crosses zero, its values at both ends in left_
  /// and right_; the last one if none does.
  std::pair<double, double> find_part(EquationsOfMotion& equations, Stepper& stepper,
                                      const Step& step);
  /// Whether a function has crossed zero where one turns; then @p right is there.
  bool ends_at(EquationsOfMotion& equations, Stepper& stepper, const Step& step, double left,
               double turn, double& right);
  /// Whether a joint passes its stop and turns round between two places on the near side; then
  /// @p right is where it turns.
  bool looks_behind(EquationsOfMotion& equations, Stepper& stepper, const Step& step, double left,
                    double& right);
  /// Whether a function whose rate is known rises to zero and falls again between two places; then
  /// @p right is a place in between.
  bool finds_peak(EquationsOfMotion& equations, Stepper& stepper, const Step& step, double left,
                  double& right);
  /// Whether a gap of a rigid contact closes and opens between two places; then @p right is where
  /// it is least. In event_detector_contacts.cpp, with the next.
  bool finds_touch(EquationsOfMotion& equations, Stepper& stepper, const Step& step, double left,
                   double& right);
  /// Adds the events about rigid contacts of which a function has fired.
  void add_contact_events(const EquationsOfMotion& equations);
  bool finds_peak(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
                  std::size_t event, double left, double& right);
  void fill_rates(const EquationsOfMotion& equations, std::vector<double>& rates) const;
  /// Where a function that was said to have left zero after an event has truly done so.
  double leave(const std::function<double(double)>& value, double start, double right,
               bool positive) const;
  [[noreturn]] void stop_chattering(std::size_t event, double time, long steps, double span) const;
  [[noreturn]] void stop_striking(double time, long steps, double span) const;
  /// The root of one function in a bracket, by true steps.
  double find_root(EquationsOfMotion& equations, Advancer& advancer, Step& step, std::size_t event,
                   double left, double right);

  static constexpr std::size_t kWatched = 64;
  static constexpr std::size_t kWatchedStrikes = 1024;
  struct History {
    std::vector<double> times;  // the last kWatched
    std::vector<std::size_t> events;

    void transfer(Archive& archive) { archive(times, events); }
  };

  const std::vector<Event>& events_;
  const RestingContacts& contacts_;
  const RigidContacts& rigid_;
  std::size_t first_rigid_;
  std::vector<bool> is_about_rigid_;  // of events; empty without rigid contacts
  std::vector<std::vector<std::size_t>>
      connects_;  // of events that do nothing else, what they make
  std::vector<double> old_, left_, right_, peak_, new_;
  bool has_rates_;
  std::vector<double> left_rates_, right_rates_;  // 0 where none is given
  std::vector<std::size_t> fired_;
  std::vector<History> history_;
  History strikes_;  // on all stops
  VectorX x_, left_x_, peak_x_;
};

}  // namespace spacedyn
