/// @file
/// What joints and reaction wheels of a run reach of their limits.
#pragma once

#include <memory>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/recording/run_watch.hpp"

namespace spacedyn {

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
