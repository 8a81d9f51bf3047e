/// @file
/// Whether thrusters that a controller opens give all they can.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/recording/run_watch.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
