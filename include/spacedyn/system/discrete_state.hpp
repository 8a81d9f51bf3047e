/// @file
/// The part of a system's state that changes at instants only.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "spacedyn/control/thruster_modulation.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// What is constant between the instants at which something switches. Together with State it
/// determines what acts on a ForcedSystem. Each of its structs lists its members to an archive,
/// which writes or reads them: what a list leaves out is lost where a run is resumed.
struct SPACEDYN_EXPORT DiscreteState {
  struct ControllerState {
    bool on = true;         ///< one that is off commands nothing
    VectorX command;        ///< held between samples; of a continuous controller unused; of
                            ///< thrusters that are modulated the positions of their valves, 1 open
    long next_sample = 0;   ///< index k of the next sample instant, k · period
    long next_delayed = 0;  ///< sample index of the oldest command that has not taken effect yet
    std::vector<VectorX> delayed;           ///< a ring of commands on their way, by sample index
    ValveMemory valves;                     ///< of thrusters that are modulated
    VectorX memory;                         ///< Controller::memory_size() values
    std::shared_ptr<const Controller> law;  ///< in the place of that of the system, where an event
                                            ///< has set numbers; null: none has. Follows from the
                                            ///< events that have happened

    /// Whether it has an effect: forces of valves that it has shut may still fall.
    bool acts() const { return on || valves.size() > 0; }
    template <typename Archive>
    void transfer(Archive& archive) {
      archive.keep(next_sample, command, on, next_delayed, delayed, valves.shuts, valves.next_opens,
                   valves.next_shuts, valves.held, valves.settles, memory);
      archive.require(is_ring(delayed, next_sample, next_delayed));
    }
  };

  /// Whether a connection holds, and what it keeps since it was made at a distance.
  struct ConnectionState {
    bool active = true;
    Vector3 position = Vector3::Zero();      ///< of the second frame, in its body
    Matrix3 rotation = Matrix3::Identity();  ///< likewise
    double length = 0.0;                     ///< of a distance, m
    double offset = 0.0;                     ///< of gear and linear

    template <typename Archive>
    void transfer(Archive& archive) {
      archive.keep(active, position, rotation, length, offset);
    }
  };

  /// What a joint does at an impulsive stop.
  enum class StopContact : char {
    none,
    touching,  ///< at the stop without a force, for the length of a decision
    held,
    locked  ///< at the stop, held by a lock as well
  };

  /// A point of a rigid contact.
  struct ContactPointState {
    enum class Mode : char {
      apart,
      touching,  ///< without a force: others carry what presses here
      sliding,
      sticking
    };
    Mode mode = Mode::apart;
    Vector3 direction = Vector3::Zero();  ///< of sliding where the step began, unit, inertial axes
    bool is_carried = false;  ///< one that sticks: others bear what is beyond its own friction

    bool holds() const { return mode == Mode::sliding || mode == Mode::sticking; }
    template <typename Archive>
    void transfer(Archive& archive) {
      archive.keep(mode, direction, is_carried);
      archive.require(mode >= Mode::apart && mode <= Mode::sticking);
    }
  };

  struct SensorState {
    VectorX reading;               ///< the latest that has arrived, at first that of t = 0
    SensorMemory memory;           ///< of its errors
    long next_sample = 0;          ///< index k of the next sample instant, k · period
    long next_delayed = 0;         ///< sample index of the oldest reading on its way
    std::vector<VectorX> delayed;  ///< a ring of readings on their way, by sample index

    template <typename Archive>
    void transfer(Archive& archive) {
      archive.keep(next_sample, reading, next_delayed, memory.walk, memory.position,
                   memory.has_position, memory.estimate, delayed);
      archive.require(is_ring(delayed, next_sample, next_delayed));
    }
  };

  DiscreteState() = default;
  /// The start: locked joints are locked, controllers are on and have commanded nothing yet.
  explicit DiscreteState(const ForcedSystem& system);

  std::vector<bool> locked;                       ///< per joint: by a lock, or at rest on a stop
  std::vector<ControllerState> controllers;       ///< in the order of the system
  std::vector<ConnectionState> connections;       ///< likewise
  std::vector<StopContact> stops;                 ///< of a run, in its order
  std::vector<ContactPointState> contact_points;  ///< of all RigidContact forces, in their order
  std::vector<SensorState> sensors;               ///< of the system, in its order
  std::vector<bool> tank_is_empty;                ///< per tank of the model
  EventTimes events;                              ///< of ForcedSystem::awaited, and pulses
  VectorX q_step_start;                           ///< where the integration step began

  /// All but the locks, which the caller sets one by one, and the step that begins anew.
  template <typename Archive>
  void transfer(Archive& archive) {
    archive.keep(controllers, connections, sensors, tank_is_empty, stops, contact_points);
    for (const StopContact stop : stops) {
      archive.require(stop >= StopContact::none && stop <= StopContact::locked);
    }
  }

 private:
  /// Whether sample indices fit a ring of what is on its way.
  static bool is_ring(const std::vector<VectorX>& delayed, long next_sample, long next_delayed) {
    if (next_sample < 0) return false;
    if (delayed.empty()) return true;
    return next_delayed >= 0 && next_delayed <= next_sample &&
           static_cast<std::size_t>(next_sample - next_delayed) <= delayed.size();
  }
};

/// A connection as it is now.
SPACEDYN_EXPORT Loop connection_loop(const ForcedSystem& system, const DiscreteState& discrete,
                                     std::size_t connection);
/// The loops of the model, then the rigid connections that hold, in file order. Allocates.
SPACEDYN_EXPORT std::vector<Loop> active_loops(const ForcedSystem& system,
                                               const DiscreteState& discrete);

/// The coordinates that move freely: neither prescribed nor locked.
/// @pre the discrete state is of this system
SPACEDYN_EXPORT Mobility mobility(const ForcedSystem& system, const DiscreteState& discrete);

/// The controller in force.
SPACEDYN_EXPORT const Controller& current_controller(const ForcedSystem& system,
                                                     const DiscreteState& discrete,
                                                     std::size_t controller);

/// Remembers an instant at which an event has happened, if something waits for it.
SPACEDYN_EXPORT void remember_event(const ForcedSystem& system, std::string_view name, double time,
                                    DiscreteState& discrete);

/// Turns a controller on or off; one that samples begins again at its next sample instant, without
/// memory, and one that is turned off shuts its valves.
SPACEDYN_EXPORT void switch_controller(const ForcedSystem& system, std::string_view name, bool on,
                                       double time, DiscreteState& discrete);

}  // namespace spacedyn
