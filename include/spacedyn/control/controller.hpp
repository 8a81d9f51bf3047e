/// @file
/// Controllers: they look at the situation and command joint torques, continuously or sampled.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// A feedback law in two parts: what it commands, and how a command becomes loads.
///
/// With a sample period the Simulator computes the command at exact multiples of the period and
/// holds it in between (zero-order hold); without one it is computed at every evaluation. The
/// controller itself keeps no memory, so one object may serve many simulations.
class SPACEDYN_EXPORT Controller : public Element {
 public:
  using Element::Element;

  /// s; 0 means continuous.
  virtual double sample_period() const { return 0.0; }
  /// Number of values in a command.
  virtual int command_size() const = 0;
  /// The command for a situation. Must not allocate.
  virtual void command(const Situation& situation, VectorRef command) const = 0;
  /// Adds the effect of a command to the loads. Must not allocate.
  virtual void apply(const Situation& situation, ConstVectorRef command, Loads& loads) const = 0;
};

}  // namespace spacedyn
