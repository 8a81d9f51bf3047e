/// @file
/// Joints that rest on impulsive stops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "integration/equations_of_motion.hpp"

namespace spacedyn {

/// The impulsive stops of a run on which joints may rest, and which of them do.
///
/// A stop pushes and never pulls: of acceleration away from it and force, both not negative, one is
/// zero; so are, at an impulse, velocity and reaction. Which one is found by the rule of Murty: the
/// first contact that contradicts itself changes sides, until none does. The matrix between them is
/// positive definite, so this ends, and its end is the only solution.
class RestingContacts {
 public:
  /// Without any for methods that cannot lock joints.
  explicit RestingContacts(const SimulationSetup& setup);

  /// One impulsive stop: a joint position with a direction, reached from inside.
  struct Stop {
    std::size_t event;  ///< by whose name and function it goes
    int joint;
    double outward;  ///< direction of the joint's motion into the stop, ±1
  };
  const std::vector<Stop>& stops() const { return stops_; }
  /// The stop of an event; nothing if it has none.
  const Stop* stop_of(std::size_t event) const;
  /// Whether a joint is at the stop to stay, by itself or locked there.
  bool is_at_rest(const Stop& stop) const;

  /// Whether the forces of stops must be known.
  bool any_held() const;
  /// Positive while a stop pushes, negative when it would have to pull; 1 without contact.
  /// @pre if any_held(): the equations are evaluated
  double margin(const EquationsOfMotion& equations, std::size_t stop) const;

  /// @name Actions of events
  /// @{
  /// @returns whether the joint rests on a stop, where it is locked now
  bool lock(int joint);
  /// @returns whether the joint was locked at a stop, which decides what it does
  bool release(int joint);
  /// Looks for a stop that contradicts itself at an impulse, and changes it.
  /// @param jump, reaction  Δq̇ of a joint; its impulse and, second, the size of rounding in it
  /// @returns whether there was one: the jump must be computed anew
  bool change_at_impulse(EquationsOfMotion& equations, const std::function<double(int)>& jump,
                         const std::function<std::pair<double, double>(int)>& reaction);
  /// @}

  /// Events of stops that are touched at the start.
  std::vector<std::size_t> touched(EquationsOfMotion& equations, const VectorX& x,
                                   double time) const;
  /// Lets joints come to rest that have arrived, and lets go those that would be pulled.
  /// @param x, rate   state and derivative, from the right; both may change
  /// @param arrived   events of this instant
  /// @param evaluate  computes the derivative anew
  /// @param happened  is told of what has changed
  /// @returns whether anything has
  bool settle(EquationsOfMotion& equations, VectorX& x, const VectorX& rate, double time,
              const std::vector<std::size_t>& arrived, const std::function<void()>& evaluate,
              const std::function<void(const std::string&)>& happened);

  void transfer(Archive& archive);

 private:
  enum class Contact : char {
    none,
    touching,  // at the stop without a force, for the length of a decision
    held,
    locked  // at the stop, held by a lock as well
  };

  bool comes_to_rest(const EquationsOfMotion& equations, const Stop& stop, const VectorX& x,
                     const VectorX& rate, double time) const;
  void arrive(EquationsOfMotion& equations, std::size_t stop, VectorX& x, const VectorX& rate,
              double time);
  void place_inside(EquationsOfMotion& equations, const Stop& stop, VectorX& x, double time) const;
  /// Looks for a stop that contradicts itself at rest, and changes it. @returns whether there was
  /// one
  bool change_at_rest(EquationsOfMotion& equations, const VectorX& rate);
  void part_from_what_moves(const EquationsOfMotion& equations, const VectorX& x);
  void set_held(EquationsOfMotion& equations, std::size_t stop, bool held);

  const SimulationSetup& setup_;
  std::vector<Stop> stops_;
  std::vector<Contact> contacts_;
  std::vector<bool> was_at_rest_;  // when it was told last
};

}  // namespace spacedyn
