/// @file
/// Rigid contacts of a run: what meets, rests, sticks, slides and parts, and when. Private.
#pragma once

#include <string>
#include <vector>

#include "integration/contacts/contact_account.hpp"
#include "integration/contacts/impact.hpp"
#include "integration/contacts/resting_contacts.hpp"

namespace spacedyn {

/// Decides at the beginning of each segment what the points of rigid contacts do until its end.
///
/// Points that meet collide: those that approach each other at once, together with those that hold
/// already; what this drives together then collides next, as in a row of balls. A bounce that would
/// lift less than the tolerance of positions is plastic: then the point rests, and the instant of
/// that is where the series of its bounces would end. Points without approach are decided by their
/// accelerations, a ComplementarityProblem again. Until the next event modes do not change.
class RigidContacts {
 public:
  RigidContacts(const SimulationSetup& setup, EquationsOfMotion& equations);

  bool is_idle() const { return accounts_.empty(); }

  /// @param must_decide  whether an event may have changed velocities, forces or what holds
  /// @returns whether anything has changed
  /// @throws NumericalError if no impulses or forces satisfy the contacts
  bool resolve(const ContactInstant& now, bool must_decide);

  /// Takes the speed of the system from another run, so that both decide alike.
  void measure_by(const RigidDynamics* other) { measured_by_ = other; }

  /// Puts the points that hold onto each other, in position and velocity.
  /// @param touching  those that touch without a force as well
  /// @returns false after a failure of the equations
  bool close(EquationsOfMotion& equations, VectorX& x, double time, bool touching = false);

  /// @name Root functions of the detector, two for each point: they fire where they fall below zero
  /// @{
  std::size_t function_count() const { return 2 * point_count_; }
  static bool needs_forces(const EquationsOfMotion& equations);
  /// @pre the kinematics are up to date; where needs_forces() the equations are evaluated
  static double value(const EquationsOfMotion& equations, std::size_t function);
  /// Negative where a point that slides has turned round, or grows slower than errors of steps.
  static double sliding_margin(const EquationsOfMotion& equations, std::size_t point);
  /// Rate of the gap of a point that is apart; 0 of all other functions. @pre as value()
  static double rate(const EquationsOfMotion& equations, std::size_t function);
  /// The function as smooth numbers where it falls below zero, from where only changes count.
  static double level(const EquationsOfMotion& equations, std::size_t function);
  /// What an event about a contact sees when functions fire.
  bool concerns(const EquationsOfMotion& equations, std::size_t function, const Event& event) const;
  static bool is_about(const Event& event);
  /// @}

  /// Takes an evaluation into account: the greatest forces.
  void watch(const EquationsOfMotion& equations);
  std::vector<ContactSummary> summaries(double time, ConstVectorRef integrals) const;
  /// As the channel of contacts records them. @pre the equations are evaluated
  void read(const EquationsOfMotion& equations, std::vector<ContactReading>& readings) const;

  void transfer(Archive& archive);

 private:
  using Indices = std::vector<std::size_t>;

  Indices near_points(const ContactInstant& now) const;
  /// What impacts leave behind.
  struct Aftermath {
    Indices struck;  ///< points that met
    Indices rest;    ///< of them those whose bounces are too low to be resolved
    Indices low;     ///< all that stay, where points that others lifted are too slow to part
    double remaining = 0.0;  ///< s, until bounces that are not resolved would have ended
  };
  Aftermath collide(const ContactInstant& now, const Indices& near);
  Indices collide_in_stages(const ContactInstant& now, const Indices& near, const Indices& plastic);
  /// Fills rest, low and remaining.
  void land(const ContactInstant& now, const Indices& near, Aftermath& aftermath) const;
  /// Takes from low points what velocity they have left.
  void lay_down(const ContactInstant& now, const Indices& low);
  /// Closes all points that touch; what that takes counts as lost in the impact of one.
  void settle(const ContactInstant& now, std::size_t point);
  /// Lets each near point part, touch, stick or slide, as its velocity and its acceleration say.
  void choose_modes(const ContactInstant& now, const Indices& near);
  void note_touches(const ContactInstant& now, const Indices& struck);
  void watch_progress(const ContactInstant& now);
  /// @name In rigid_decision.cpp
  /// @{
  bool needs_decision(const ContactInstant& now, const Indices& near) const;
  Indices decide(const ContactInstant& now, const Indices& near) const;
  /// @param residual  with which a solution does as well, as a part of accelerations
  AccelerationDecision solve_accelerations(const ContactInstant& now, const Indices& closed,
                                           double residual) const;
  /// @returns points that begin to slide
  Indices set_modes(const ContactInstant& now, const AccelerationDecision& decision) const;
  /// Points of one contact that begin to slide side by side go straight, while nothing turns them.
  void straighten(const ContactInstant& now, const Indices& begun) const;
  void release_turning(const ContactInstant& now);
  /// Leaves out redundant points that others carry.
  void leave_out_carried(const ContactInstant& now) const;
  /// Lets points slide that stick at the edge of their friction, where no others carry them.
  void yield(const ContactInstant& now);
  [[noreturn]] void fail(const ContactInstant& now) const;
  /// @}
  void tell(const ContactInstant& now, double rest_time);
  bool close_positions(EquationsOfMotion& equations, VectorX& x, double time, bool touching);
  bool close_velocities(EquationsOfMotion& equations, VectorX& x, double time, bool touching);
  bool holds(const EquationsOfMotion& equations, std::size_t contact) const;
  /// Sets the speed of the system. @pre the equations have been evaluated
  void measure_speed(const ContactInstant& now, const Indices& near) const;

  const SimulationSetup& setup_;
  const RigidPoints* points_;  // null without contacts
  const RigidDynamics* measured_by_ = nullptr;
  std::size_t point_count_ = 0;
  double rest_time_ = 0.0;
  std::vector<ContactAccount> accounts_;
  double watched_since_ = 0.0;  // s
  long decisions_ = 0;          // since then
};

}  // namespace spacedyn
