/// @file
/// Whether thrusters that a controller opens give all they can.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/recording/modal_rates.hpp"

namespace spacedyn {

/// Keeps the greatest opening, 0 to 1, of each thruster that a controller of a system opens; of
/// pulses whose width is modulated their share of a period. A Schmitt trigger always opens a
/// thruster as far as it goes, which says nothing: it is left out.
class SPACEDYN_EXPORT ThrusterWatch {
 public:
  /// @param system  must outlive this
  explicit ThrusterWatch(const ForcedSystem& system);

  /// Looks at one instant. Allocates nothing.
  void see(const SimulationPoint& point);

  /// One sentence for each controller that has opened thrusters as far as they go.
  std::vector<std::string> warnings() const;

  /// What has been seen so far, controller by controller: openings and when they were reached.
  const std::vector<GreatestRate>& greatest() const { return greatest_; }
  /// Takes over what has been seen in an earlier part of a run.
  /// @throws DimensionError unless there is one for each thruster
  void go_on_from(const std::vector<GreatestRate>& earlier);

 private:
  struct Opener {
    std::size_t controller;
    VectorX command;  ///< of this instant
  };

  const ForcedSystem& system_;
  std::vector<Opener> openers_;
  std::vector<GreatestRate> greatest_;
};

}  // namespace spacedyn
