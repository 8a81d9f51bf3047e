/// @file
/// Finds the instants at which root functions cross zero inside a step.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "integration/contacts/resting_contacts.hpp"
#include "integration/contacts/rigid_contacts.hpp"
#include "integration/contacts/tolerances.hpp"
#include "integration/events/event_sequence.hpp"
#include "integration/events/root_search.hpp"
#include "integration/steppers/advancer.hpp"
#include "spacedyn/integration/events.hpp"

namespace spacedyn {

/// Watches the root functions of a run: those of its events, behind them one for each stop, the
/// margin of the force with which it holds a resting joint, and behind these those of rigid
/// contacts.
///
/// Functions that say what bounds them are followed through each step, see RootSearch. Those that
/// do not are sampled at the parts of a step, and so are the forces of what is held. A root is then
/// found on states of true, shorter steps to root_tolerance(), and the step ends just behind
/// it. A function that has fired is not looked at before it has left zero by kRearming of the
/// greatest value that it has had: where what it has done keeps it at zero, roundings are no
/// crossings. Nor are they of a function that rests at zero without having fired: its zero is put
/// aside by the size of what counts as rest. Those of impacts, which may recur at once, are
/// excepted.
class EventDetector {
 public:
  /// @param contacts, rigid  of the same run, must outlive this object
  /// @param unit  of time, for root_tolerance(), s
  EventDetector(const std::vector<Event>& events, const RestingContacts& contacts,
                const RigidContacts& rigid, double unit);
  /// How forces of rigid contacts are read.
  using ContactReader = std::function<void(const EquationsOfMotion& equations,
                                           std::vector<ContactReading>& readings)>;
  void read_contacts_by(ContactReader reader) { contact_reader_ = std::move(reader); }

  bool is_idle() const { return old_.empty(); }
  /// Notes the signs at the start.
  void start(EquationsOfMotion& equations, const VectorX& x, double time);
  /// Notes the signs after the actions of events; a function that has just crossed counts to the
  /// side to which it moves now, so that a bounce begins where it came from.
  void resume(EquationsOfMotion& equations, const Step& step);

  /// Shortens an accepted step so that it ends on its first event.
  /// @param outputs  inside the step: functions that must be sampled are looked at as often
  /// @returns whether there is one; fired() then says which
  bool shorten(EquationsOfMotion& equations, Advancer& advancer, Step& step, double outputs);
  /// Indices of the functions that crossed at the end of the last step, ascending.
  const std::vector<std::size_t>& fired() const { return fired_; }
  /// Whether the function of an event lies on another side of zero than at the end of the step.
  bool has_changed_sides(std::size_t event, double value) const {
    return (value >= 0.0) != (old_[event] >= 0.0);
  }
  /// Whether a function of the rigid contacts has.
  bool rigid_fired() const { return !fired_.empty() && fired_.back() >= first_rigid_; }

  /// @name At the end of a step, in event_jumps.cpp
  /// @{
  /// Notes which conditions hold just before an instant.
  void note_conditions(EquationsOfMotion& equations, const VectorX& x, double time);
  /// Whether an event that has crossed happens: it is armed and its conditions hold.
  bool may_happen(std::size_t event) const { return sequence_.is_armed(event) && holds_[event]; }
  /// Events whose values have jumped since the last call or the end of the step, at the instant
  /// that begins now, and those that are due at it; conditions still count as noted.
  const std::vector<std::size_t>& find_jumps(EquationsOfMotion& equations, const VectorX& x,
                                             double time);
  bool looks_for_jumps() const { return looks_for_jumps_; }
  /// Events that are due have happened.
  void take_due(const std::vector<std::size_t>& events);
  /// Value of a function, smooth where it fires, at a state. @returns NaN if that is not usable
  double value_at(std::size_t function, EquationsOfMotion& equations, const VectorX& x,
                  double time) const;
  /// Whether a function that fires has an instant of its own, at which something changes.
  bool moves(std::size_t function, const EquationsOfMotion& equations) const;
  std::string name_of(std::size_t function, const EquationsOfMotion& equations) const;
  /// The next instant at which an event with a delay is due; infinite if none is.
  double next_due() const { return sequence_.next_due(); }
  /// Takes note of an event, after its actions.
  void happen(std::size_t event, double time);
  /// Takes over what has happened until a time.
  void restore(const std::vector<EventRecord>& happened, double time);
  /// @}

  /// Notes that an event has happened.
  /// @throws NumericalError if it happens ever faster: it chatters
  void count(std::size_t event, double time, long steps);

  /// @throws IoError if a checkpoint has other functions
  void transfer(Archive& archive);

 private:
  class StepView;

  /// Values of all functions at a state. @returns false if the state is not usable
  bool evaluate(EquationsOfMotion& equations, const VectorX& x, double time,
                std::vector<double>& values);
  /// Updates the kinematics, and evaluates the equations where the forces of stops are asked for.
  bool update(EquationsOfMotion& equations, const VectorX& x, double time) const;
  /// Value of the function of an event. @pre as value_of()
  double value_of_event(std::size_t event, const EquationsOfMotion& equations) const;
  double quantity_of(const EventQuantity& quantity, const EquationsOfMotion& equations) const;
  /// Value of one function. @pre update(), and evaluate_inside() for the margins of stops
  double value_of(std::size_t function, const EquationsOfMotion& equations) const;
  /// A joint on its stop has not passed it.
  double from_inside(std::size_t event, double value, const EquationsOfMotion& equations) const;
  bool bounces(std::size_t function) const;
  /// Whether an event makes connections, and they hold. What has triggered it may then stay at
  /// zero, as the connections hold it there.
  bool waits(std::size_t event, const EquationsOfMotion& equations) const;
  /// Joints at their stops are inside.
  void keep_inside(const VectorX& q);
  bool crosses(std::size_t event, double before, double after) const;
  /// Whether an event waits, rests on its stop or is decided by rigid contacts.
  bool keeps_side(std::size_t event, const EquationsOfMotion& equations) const;
  /// Sight of a function. @pre as value_of()
  Sight sight_of(std::size_t function, const EquationsOfMotion& equations) const;
  /// Fills the node of search_ at an instant of a step. @returns false if there is no state
  bool see(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
           const RootSearch::Indices& functions, RootSearch::Node& node);
  /// Whether search_ finds a crossing in a step; fills new_ otherwise.
  bool find(EquationsOfMotion& equations, Stepper& stepper, const Step& step, double outputs);
  /// Whether only samples tell what functions do inside a step that begins with `left`.
  bool must_sample(const EquationsOfMotion& equations, const RootSearch::Node& left) const;
  bool may_rest_at_zero(std::size_t function) const;
  /// Puts the zeros of functions aside that rest there at the beginning of a step, and back.
  /// @returns whether any has been moved
  bool offset_resting(const Vector3& place, double h);
  /// Adds the events about rigid contacts of which a function has fired.
  void add_contact_events(const EquationsOfMotion& equations);
  /// Where a function that was said to have left zero after an event has truly done so.
  double leave(const std::function<double(double)>& value, double start, double right,
               bool positive) const;
  double tolerance(double time) const { return root_tolerance(time, unit_); }
  [[noreturn]] void stop_chattering(std::size_t event, double time, long steps, double span) const;
  [[noreturn]] void stop_striking(double time, long steps, double span) const;
  /// The root of one function in a bracket, by true steps.
  double find_root(EquationsOfMotion& equations, Advancer& advancer, Step& step, std::size_t event,
                   double left, double right);

  static constexpr double kTiny = std::numeric_limits<double>::min();  // stands for a side of zero
  static constexpr double kRearming = 1e-9;
  static constexpr double kResting = 1e-11;  // parts of the lengths in a function that are rounding
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
  const double unit_;
  std::size_t first_rigid_;
  std::vector<bool> is_about_rigid_;                // of events; empty without rigid contacts
  std::vector<std::vector<std::size_t>> connects_;  // what events make
  std::vector<double> old_, right_, new_;
  std::vector<double> largest_;  // magnitudes of all values so far
  std::vector<double> offsets_;  // added to the functions of events
  RootSearch search_;
  RootSearch::Node begin_, end_;  // of a part of a step
  std::vector<std::size_t> fired_, jumped_;
  EventSequence sequence_;
  std::vector<bool> holds_;     // conditions of events
  std::vector<bool> awakened_;  // events that others have armed at this instant
  bool looks_for_jumps_ = false, has_conditions_ = false, needs_forces_ = false;
  ContactReader contact_reader_;
  mutable std::vector<ContactReading> readings_;
  std::vector<History> history_;
  History strikes_;  // on all stops
  VectorX x_;
};

}  // namespace spacedyn
