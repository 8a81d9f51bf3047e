/// @file
/// Controllers: they look at the context and command joint torques, continuously or sampled.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

class ThrusterAllocation;

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

/// A feedback law in two parts: what it commands, and how a command becomes loads.
///
/// With a sample period the Simulator computes the command at exact multiples of the period and
/// holds it in between (zero-order hold), delayed and rounded as digitization() says; without one
/// it is computed at every evaluation. The controller itself keeps no memory, so one object may
/// serve many simulations.
class SPACEDYN_EXPORT Controller : public Element {
 public:
  using Element::Element;

  /// The tanks of its thrusters.
  void declare(Declarations& declared) const override;
  /// s; 0 means continuous.
  virtual double sample_period() const { return 0.0; }
  /// Only of sampled controllers. A delay may be longer than the period.
  virtual Digitization digitization() const { return {}; }
  /// Names of the sensors of the system whose readings it takes in place of the truth; only of
  /// sampled controllers. What no sensor reads it sees as it is.
  const std::vector<std::string>& sensors() const { return sensors_; }
  void take_sensors(std::vector<std::string> names) { sensors_ = std::move(names); }
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
  /// The thrusters whose openings are its command; null of other controllers. Such a controller has
  /// nothing in z but the propellant that each of them has used, kg.
  virtual const ThrusterAllocation* nozzles() const { return nullptr; }

 private:
  std::vector<std::string> sensors_;
};

}  // namespace spacedyn
