/// @file
/// Controllers: they look at the context and command joint torques, continuously or sampled.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

class ThrusterValves;

/// What the computer between sensors and motors does to a sampled controller.
///
/// Resolutions are of numbers rounded to their nearest multiples; 0 leaves them as they are.
struct Digitization {
  double delay = 0.0;                ///< s, from a sample instant until its command takes effect
  double position_resolution = 0.0;  ///< of the joint positions it reads, rad or m
  double velocity_resolution = 0.0;  ///< of the joint velocities it reads, rad/s or m/s
  double command_resolution = 0.0;   ///< of each value of its command

  bool is_ideal() const {
    return delay == 0.0 && position_resolution == 0.0 && velocity_resolution == 0.0 &&
           command_resolution == 0.0;
  }
};

/// Whether a command follows the context at each instant or is held between samples.
enum class CommandMode { continuous, held };

/// Joints that a controller drives.
struct DrivenJoints {
  std::vector<int> joints = {};  ///< 1…n
  /// Whether no other controller may drive one of them at the same time.
  bool alone = false;
};

/// A feedback law in two parts: what it commands, and how a command becomes loads.
///
/// With a sample period the Simulator computes the command at exact multiples of the period and
/// holds it in between (zero-order hold), delayed and rounded as digitization() says; without one
/// it is computed at every evaluation. An object keeps no memory of its own, so one may serve many
/// simulations: what a law remembers is declared, and saved, restored and copied with the rest of
/// the state. A controller that is off commands nothing, and what it remembers stays as it is; when
/// it is switched on it begins with its initial states, propellant that it has used apart.
class SPACEDYN_EXPORT Controller : public Element {
 public:
  using Element::Element;

  /// The tanks of its thrusters.
  void declare(Declarations& declared) const override;
  /// None of a sampled one, which looks at sample instants only.
  void append_discontinuities(std::vector<double>& times) const override;
  void append_event_discontinuities(const EventTimes& events,
                                    std::vector<double>& times) const override;
  /// s; 0 means continuous.
  virtual double sample_period() const { return 0.0; }
  /// Only of sampled controllers. A delay may be longer than the period.
  virtual Digitization digitization() const { return {}; }
  /// Names of the sensors of the system whose readings it takes in place of the truth; only of
  /// sampled controllers. What no sensor reads it sees as it is.
  const std::vector<std::string>& sensors() const { return sensors_; }
  void take_sensors(std::vector<std::string> names) { sensors_ = std::move(names); }
  /// Whether it looks at EvaluationContext::readings, for which sensors of every type will do.
  virtual bool looks_at_readings() const { return false; }
  /// Number of values in a command.
  virtual int command_size() const = 0;
  /// The command for a context. Must not allocate.
  virtual void command(const EvaluationContext& context, VectorRef command) const = 0;
  /// Adds the effect of a command to the loads. Must not allocate.
  virtual void apply(const EvaluationContext& context, ConstVectorRef command,
                     Loads& loads) const = 0;
  /// ForceElement::differentiate() for the loads of a command: with one that is held, only what
  /// apply() itself makes of the context counts.
  virtual bool differentiate(const EvaluationContext& context, ConstVectorRef command,
                             CommandMode mode, LoadDerivatives& derivatives) const;

  /// @name What it remembers
  /// @{
  /// ż under the command in force; auxiliary_rate() unless overridden.
  virtual void state_rate(const EvaluationContext& context, ConstVectorRef command,
                          VectorRef zd) const;
  /// Number of values that a sampled controller remembers from one sample to the next, zero at
  /// first. Its command() and advance() see them as `context.auxiliary`.
  virtual int memory_size() const { return 0; }
  /// The memory for the next sample, after the command of this one. @param memory  in and out
  virtual void advance(const EvaluationContext& context, VectorRef memory) const;
  /// @}

  /// @name Declarations
  /// @{
  /// Joints that it drives itself; reaction wheels and gimbals of allocations are not among them.
  virtual DrivenJoints driven_joints() const { return {}; }
  /// The motion along which it leads joints; without a reference if there is none.
  virtual JointMotion joint_motion() const { return {}; }
  /// The valves that the first values of its command open; null of other controllers. As many of
  /// the first components of z are the propellant that each has used, kg.
  virtual const ThrusterValves* valves() const { return nullptr; }
  /// @}

 private:
  std::vector<std::string> sensors_;
};

}  // namespace spacedyn
