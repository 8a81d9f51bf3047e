/// @file
/// The root functions of a run as the detector of events sees them. Private.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "integration/contacts/resting_contacts.hpp"
#include "integration/contacts/rigid_contacts.hpp"
#include "integration/events/event_sequence.hpp"
#include "integration/events/root_search.hpp"
#include "spacedyn/integration/events.hpp"

namespace spacedyn {

/// What stands for a side of zero.
inline constexpr double kBesideZero = std::numeric_limits<double>::min();

/// One root function. It fires where it changes sides; zero belongs to the positive one.
///
/// Functions are asked at states whose kinematics are up to date; where forces are asked for, the
/// equations are evaluated there.
class Guard {
 public:
  Guard() = default;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  virtual ~Guard();

  /// The value as the search sees it: kBesideZero on its side where nothing inside a step changes
  /// that.
  virtual double value(const EquationsOfMotion& equations) const = 0;
  /// The value with what bounds it; `implied` where its side does not change inside a step.
  virtual Sight sight(const EquationsOfMotion& equations) const;
  /// The value as smooth numbers where it fires, from where only changes count.
  virtual double level(const EquationsOfMotion& equations) const { return value(equations); }
  /// Whether it fires where it changes sides.
  virtual bool counts(bool rises) const { return !rises; }
  bool crosses(double before, double after) const {
    // zero belongs to the positive side, so that a step that ends on a root has crossed it once
    const bool was = before >= 0.0, is = after >= 0.0;
    return was != is && counts(is);
  }
  /// Whether it is on a side to stay, whatever its value.
  virtual bool keeps_side(const EquationsOfMotion& /*equations*/) const { return false; }
  /// Whether what it does decides its side; else it is the one to which its value moves.
  virtual bool is_decided() const { return true; }
  /// Whether it makes a joint turn back, which may happen again at once.
  virtual bool bounces() const { return false; }
  /// Whether a value that rests at zero may be put aside.
  virtual bool may_rest_at_zero() const { return false; }
  /// To which side.
  virtual bool rests_above(double value) const { return value >= 0.0; }
  /// The value with which a segment begins, after what has fired has been done.
  virtual double after_actions(double value, bool /*has_fired*/,
                               const EquationsOfMotion& /*equations*/) const {
    return value;
  }
  /// Whether it has an instant of its own, at which something changes.
  virtual bool moves(const EquationsOfMotion& /*equations*/) const { return true; }
  /// Whether an event happens where this fires.
  virtual bool concerns(const Event& /*event*/, const EquationsOfMotion& /*equations*/) const {
    return false;
  }
  virtual std::string name(const EquationsOfMotion& equations) const = 0;

  double offset = 0.0;   ///< added to a value that rests at zero
  double largest = 0.0;  ///< magnitude of all values at the beginning of steps
};

/// Those of the events in their order, behind them the force with which each stop holds a resting
/// joint, and behind these those of rigid contacts. All that they are made of must outlive them.
std::vector<std::unique_ptr<Guard>> make_guards(const std::vector<Event>& events,
                                                const EventSequence& sequence,
                                                const QuantityReader& quantities,
                                                const RestingContacts& contacts,
                                                const RigidContacts& rigid);

}  // namespace spacedyn
