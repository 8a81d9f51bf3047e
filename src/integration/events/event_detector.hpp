/// @file
/// Finds the instants at which root functions cross zero inside a step. Private.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "integration/contacts/tolerances.hpp"
#include "integration/events/chatter_watch.hpp"
#include "integration/events/guard.hpp"
#include "integration/steppers/advancer.hpp"

namespace spacedyn {

/// Watches the root functions of a run, those of make_guards().
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
  /// How forces of contacts are read.
  void read_contacts_by(QuantityReader::Contacts contacts) {
    quantities_.read_contacts_by(std::move(contacts));
  }

  bool is_idle() const { return old_.empty(); }
  /// Functions by their indices; events have their own.
  const Guard& guard(std::size_t function) const { return *guards_[function]; }
  EventSequence& sequence() { return sequence_; }
  ChatterWatch& chatter() { return chatter_; }

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
  /// Whether a function lies on another side of zero than at the end of the step.
  bool has_changed_sides(std::size_t function, double value) const {
    return (value >= 0.0) != (old_[function] >= 0.0);
  }

  /// Notes which conditions hold just before an instant.
  void note_conditions(EquationsOfMotion& equations, const VectorX& x, double time);
  /// Events whose values have jumped since the last call or the end of the step, at the instant
  /// that begins now, and those that are due at it; conditions still count as noted.
  std::vector<std::size_t> find_jumps(EquationsOfMotion& equations, const VectorX& x, double time);
  /// Level of a function at a state. @returns NaN if that is not usable
  double level_at(std::size_t function, EquationsOfMotion& equations, const VectorX& x,
                  double time) const;

  /// @throws IoError if a checkpoint has other functions
  void transfer(Archive& archive);

 private:
  class StepView;

  bool holds_anything(const EquationsOfMotion& equations) const {
    return contacts_.any_held() ||
           (rigid_.function_count() > 0 && RigidContacts::needs_forces(equations));
  }
  /// Updates the kinematics, and evaluates the equations where forces are asked for.
  bool update(EquationsOfMotion& equations, const VectorX& x, double time) const;
  /// Values of all functions at a state. @returns false if the state is not usable
  bool evaluate(EquationsOfMotion& equations, const VectorX& x, double time,
                std::vector<double>& values);
  /// Lets a segment begin after the actions of events.
  void take_sides(const EquationsOfMotion& equations);
  /// Fills the node of search_ at an instant of a step. @returns false if there is no state
  bool see(EquationsOfMotion& equations, Stepper& stepper, const Step& step,
           const RootSearch::Indices& functions, RootSearch::Node& node);
  /// Whether search_ finds a crossing in a step; fills new_ otherwise.
  bool find(EquationsOfMotion& equations, Stepper& stepper, const Step& step, double outputs);
  /// Puts the zeros of functions aside that rest there at the beginning of a step, and back.
  /// @returns whether any has been moved
  bool offset_resting(const Vector3& place, double h);
  /// Adds the events that happen where functions have fired.
  void add_concerned(const EquationsOfMotion& equations);
  double tolerance(double time) const { return root_tolerance(time, chatter_.unit()); }
  /// The root of one function in a bracket, by true steps.
  double find_root(EquationsOfMotion& equations, Advancer& advancer, Step& step,
                   std::size_t function, double left, double right);

  static constexpr double kRearming = 1e-9;
  static constexpr double kResting = 1e-11;  // parts of the lengths in a function that are rounding

  const RestingContacts& contacts_;
  const RigidContacts& rigid_;
  EventSequence sequence_;
  QuantityReader quantities_;
  ChatterWatch chatter_;
  std::vector<std::unique_ptr<Guard>> guards_;
  std::vector<double> old_, right_, new_;
  RootSearch search_;
  RootSearch::Node begin_, end_;  // of a part of a step
  std::vector<std::size_t> fired_;
  VectorX x_;
};

}  // namespace spacedyn
