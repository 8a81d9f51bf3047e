/// @file
/// Whether reaction wheels run into the limits of their torque or momentum.
#pragma once

#include <memory>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/recording/run_watch.hpp"

namespace spacedyn {

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
