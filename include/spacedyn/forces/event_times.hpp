/// @file
/// What a run remembers of its events for references and forces that wait for them.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// A thruster that is commanded open.
struct ThrusterPulse {
  double from = 0.0;   ///< s, without the delay of its valve
  double until = 0.0;  ///< s, likewise; excluded
};

/// Grows as events happen; constant between them.
struct SPACEDYN_EXPORT EventTimes {
  /// Of each of ForcedSystem::awaited, ascending, s.
  std::vector<std::vector<double>> instants;
  /// Of each ThrusterForce that events have opened, by its slot: ascending and apart from each
  /// other.
  std::vector<std::vector<ThrusterPulse>> pulses;

  /// When an event has happened for the first time; infinite if it has not.
  double first(int event) const;
  /// Adds a pulse that begins no earlier than all before; pulses that overlap become one.
  void open(std::size_t slot, const ThrusterPulse& pulse);
};

/// A time, with the events until then.
struct Instant {
  Instant(double t, const EventTimes* until_now = nullptr) : time(t), events(until_now) {}

  double time;               ///< s
  const EventTimes* events;  ///< null where no event is known: then none has happened

  /// When an event has happened for the first time; infinite if it has not.
  double first(int event) const;
};

/// Something that is a function of time, with the instants at which it is not smooth.
class SPACEDYN_EXPORT Schedule {
 public:
  virtual ~Schedule();
  /// Those that it follows: where they are not smooth, it is not. Null pointers stand for none.
  virtual std::vector<const Schedule*> schedules() const { return {}; }
  /// Appends the times at which it is not smooth, those of schedules() unless overridden; steps of
  /// a simulation land on them exactly.
  virtual void append_discontinuities(std::vector<double>& times) const;
  /// Appends those that have become known with events. Called after each event.
  virtual void append_event_discontinuities(const EventTimes& events,
                                            std::vector<double>& times) const;
};

/// The time since an event for something that begins with it: before it has happened nothing does.
class SPACEDYN_EXPORT EventStart {
 public:
  /// @param event   in ForcedSystem::awaited; negative: time counts from the start of the run
  /// @param breaks  s after the event, at which something is not smooth
  explicit EventStart(int event = -1, std::vector<double> breaks = {});

  bool waits() const { return event_ >= 0; }
  int event() const { return event_; }
  /// now.time less that of the event, on the same side of each break as now.time is of the instant
  /// that append() adds for it; −∞ before the event. Allocates nothing.
  double since(const Instant& now) const;
  /// Adds the instants of the event and of the breaks once it has happened.
  void append(const EventTimes& events, std::vector<double>& times) const;

 private:
  int event_;
  std::vector<double> breaks_;  // ascending
};

}  // namespace spacedyn
