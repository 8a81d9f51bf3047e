/// @file
/// What a run adds up, notes and hands out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "integration/contacts/rigid_contacts.hpp"
#include "integration/events/limit_watch.hpp"
#include "integration/steppers/advancer.hpp"

namespace spacedyn {

/// The result of a run in the making: audit, notes, energies of sources, outputs.
class RunAccount {
 public:
  /// An inside instant of a step as the method's dense output has it; valid until the next call.
  using StateInside = std::function<const VectorX&(double)>;

  /// All must outlive this object. @param unit  of time, for root_tolerance(), s
  RunAccount(const SimulationSetup& setup, EquationsOfMotion& equations, Advancer& advancer,
             RigidContacts& rigid, SimulationObserver& observer, double unit);

  const SimulationResult& result() const { return result_; }
  SimulationResult& result() { return result_; }
  long emitted() const { return emitted_; }  ///< outputs so far

  /// Takes the beginning as what all is compared with. @pre the equations are evaluated there
  AuditPoint start(const Step& step);
  /// Adds the end of a step, of which the last evaluation is, or the beginning of the first one.
  AuditPoint audit(const Step& step);
  /// Watches tasks, contacts and limits in an accepted step.
  void watch(const Step& step, const StateInside& inside);
  void note(const EventRecord& event);
  /// Readings of all rigid contacts, and of those that the method steps over.
  void read_contacts(const EquationsOfMotion& equations,
                     std::vector<ContactReading>& readings) const;
  /// Hands out the state of the last evaluation.
  void emit(double time, const VectorX& x);
  /// Completes the result with the end. @pre the equations are evaluated there
  const SimulationResult& finish(const Step& step);

  /// The derivative at the beginning of a step. @throws NumericalError if there is none
  void evaluate(Step& step, double time);
  /// Throws what the equations failed with. @param time  of the last good state
  [[noreturn]] void fail_at(double time) const;

  void transfer(Archive& archive);

 private:
  AuditCause cause_of(const Step& step) const;
  std::string name_of(const AuditCause& cause) const;
  /// Notes, once a run each, stacks of tasks that limits keep from what they ask for.
  void watch_tasks(double time);
  void watch_limits(const Step& step, const StateInside& inside);

  const SimulationSetup& setup_;
  EquationsOfMotion& equations_;
  Advancer& advancer_;
  RigidContacts& rigid_;
  SimulationObserver& observer_;
  const double unit_;
  LimitWatch limits_;
  ContactWatch contacts_;
  SimulationResult result_;
  std::vector<SourceEnergy> sources_;
  std::vector<ContactReading> readings_;
  VectorX mean_acceleration_;  // of the last step; empty unless the method steps over contacts
  long emitted_ = 0;
};

}  // namespace spacedyn
