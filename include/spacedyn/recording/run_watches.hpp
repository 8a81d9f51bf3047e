/// @file
/// What bases, joints, events, thrusters and elements of a run reach.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/recording/run_watch.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// The largest angle between the attitude of a base and its attitude at the start.
struct BaseRotation {
  std::string name;    ///< of the robot; `base` of the only one
  double angle = 0.0;  ///< 0 to π, rad
  double time = 0.0;   ///< at which it was reached first, s
};

/// Keeps the largest rotations of the base, or of the bases of several robots.
class SPACEDYN_EXPORT BaseRotationWatch final : public RunWatch {
 public:
  /// @param start  of the run, not of the part since it was resumed
  BaseRotationWatch(const ForcedSystem& system, const State& start);

  void see(const SimulationPoint& point) override;
  /// One for each base that can move.
  std::vector<BaseRotation> rotations() const;

 private:
  std::shared_ptr<const Model> model_;
  bool is_fixed_;
  std::vector<Matrix3> start_;
};

/// An event of a set-up that has not happened.
struct MissedEvent {
  std::string name;
  std::string unit;   ///< of Event::value; without one the rest is not known
  double by = 0.0;    ///< what was missing at the output where it was nearest
  double time = 0.0;  ///< of that output, s
};

/// Keeps how near to zero the functions of a set-up's own events have come, those with a unit.
/// Stops, whose actions are bounces alone, are left out: not to reach them is nothing to report.
class SPACEDYN_EXPORT EventWatch final : public RunWatch {
 public:
  /// @param setup  must outlive this
  explicit EventWatch(const SimulationSetup& setup);

  void see(const SimulationPoint& point) override;
  /// The events that are not among those that have happened, in the order of the set-up.
  std::vector<MissedEvent> missed(const std::vector<EventRecord>& happened) const;

 private:
  std::vector<Event> events_;
};

/// Keeps the greatest opening, 0 to 1, of each thruster that a controller of a system opens, one
/// controller after another; of pulses whose width is modulated their share of a period. A Schmitt
/// trigger always opens a thruster as far as it goes, which says nothing: it is left out. Warns of
/// each controller that has opened thrusters as far as they go.
class SPACEDYN_EXPORT ThrusterWatch final : public RunWatch {
 public:
  /// @param system  must outlive this
  explicit ThrusterWatch(const ForcedSystem& system);

  void see(const SimulationPoint& point) override;
  std::vector<std::string> warnings() const override;

 private:
  struct Opener {
    std::size_t controller;
    VectorX command;  ///< of this instant
  };

  const ForcedSystem& system_;
  std::vector<Opener> openers_;
};

/// Sentences of the elements that doubt a run, for instance of a wheel that has never touched the
/// ground.
/// @param start  of the run, not of the part since it was resumed
SPACEDYN_EXPORT std::vector<std::string> element_warnings(const SimulationSetup& setup,
                                                          const State& start,
                                                          const SimulationResult& result);

/// Keeps the greatest rates of the joints, rad/s or m/s, then the greatest torques or forces of
/// those without springs, dampers and friction of their own, N m or N. Warns of each joint that has
/// moved faster than its velocity limit, and of each that has been driven with all that its effort
/// limit allows.
class SPACEDYN_EXPORT JointRateWatch final : public RunWatch {
 public:
  explicit JointRateWatch(std::shared_ptr<const Model> model);

  void see(const SimulationPoint& point) override;
  std::vector<std::string> warnings() const override;

 private:
  std::shared_ptr<const Model> model_;
};

/// Keeps for each reaction wheel how much of its momentum limit and of its torque limit has been
/// used, as shares that end where the limit acts. Warns of each limit that has been reached.
class SPACEDYN_EXPORT ReactionWheelWatch final : public RunWatch {
 public:
  explicit ReactionWheelWatch(std::shared_ptr<const Model> model);

  void see(const SimulationPoint& point) override;
  std::vector<std::string> warnings() const override;

 private:
  std::shared_ptr<const Model> model_;
  std::vector<int> joints_;
};

}  // namespace spacedyn
