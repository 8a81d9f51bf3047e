/// @file
/// Joints that rest on impulsive stops.
#pragma once

#include <vector>

#include "integration/contacts/landing.hpp"

namespace spacedyn {

class AccelerationDecision;

/// The impulsive stops of a run on which joints may rest, and which of them do.
///
/// A stop pushes and never pulls: an AccelerationDecision says which hold. Which joints rest is
/// part of the discrete state of the system.
class RestingContacts {
 public:
  /// Without any for methods that cannot lock joints.
  /// @param equations  of the same run, whose discrete state gets the stops
  RestingContacts(const SimulationSetup& setup, EquationsOfMotion& equations);

  /// One impulsive stop: a joint position with a direction, reached from inside.
  struct Stop {
    std::size_t event;  ///< by whose name and function it goes
    int joint;
    double outward;      ///< direction of the joint's motion into the stop, ±1
    double restitution;  ///< of bounces
  };
  const std::vector<Stop>& stops() const { return stops_; }
  /// The stop of an event; nothing if it has none.
  const Stop* stop_of(std::size_t event) const;
  /// Whether a joint is at the stop to stay, by itself or locked there.
  bool is_at_rest(const Stop& stop) const;

  const SimulationSetup& setup() const { return setup_; }
  /// Value of a stop's function. @pre the kinematics are up to date
  double value(const EquationsOfMotion& equations, const Stop& stop) const;
  /// Whether a stop alone holds its joint.
  bool is_held(std::size_t stop) const { return contacts_[stop] == Contact::held; }
  /// Whether the forces of stops must be known.
  bool any_held() const;
  /// Stops that alone hold their joints.
  std::vector<std::size_t> held() const;
  /// Free coordinates, and those that only stops hold.
  Mobility released(const EquationsOfMotion& equations) const;
  /// Positive while a stop pushes, negative when it would have to pull; 1 without contact.
  /// @pre if any_held(): the equations are evaluated
  double margin(const EquationsOfMotion& equations, std::size_t stop) const;

  /// @name Actions of events
  /// @{
  /// @returns whether the joint rests on a stop, where it is locked now
  bool lock(int joint);
  /// @returns whether the joint was locked at a stop, which decides what it does
  bool release(int joint);
  /// Lets a stop hold its joint, whose velocity is zero, or lets the joint go.
  void set_held(EquationsOfMotion& equations, std::size_t i, bool held);
  /// Puts a joint onto its stop, to the last bit.
  void place_on(EquationsOfMotion& equations, const Stop& stop, VectorX& x, double time) const;
  /// Lets go those at rest that leave their stops, and only those; points of rigid contacts that
  /// hold may part as well, but keep their modes.
  /// @returns whether any has changed
  bool exchange(const ContactInstant& now);
  /// Lets go the joints that a decision says their stops would have to pull.
  /// @returns whether there are any
  bool release_pulled(EquationsOfMotion& equations, const AccelerationDecision& decision);
  /// @}

  /// Events of stops that are touched at the start.
  std::vector<std::size_t> touched(EquationsOfMotion& equations, const VectorX& x,
                                   double time) const;
  /// Lets joints come to rest that have arrived, and lets go those that would be pulled.
  /// @param arrived  events of this instant
  /// @returns whether anything has changed
  /// @throws NumericalError if stops are struck ever faster and no joint comes to rest
  bool resolve(const ContactInstant& now, const std::vector<std::size_t>& arrived);

  void transfer(Archive& archive);

 private:
  using Contact = DiscreteState::StopContact;

  std::vector<std::size_t> arrive(const ContactInstant& now,
                                  const std::vector<std::size_t>& events);
  /// Stops that alone hold their joints and would have to pull them.
  std::vector<std::size_t> pulling(const EquationsOfMotion& equations) const;

  const SimulationSetup& setup_;
  std::vector<Stop> stops_;
  std::vector<Contact>& contacts_;  // in the discrete state
  Landing landing_;
  std::vector<bool> was_at_rest_;  // when it was told last
};

}  // namespace spacedyn
