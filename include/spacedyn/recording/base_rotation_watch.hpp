/// @file
/// How far bases turn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
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

}  // namespace spacedyn
