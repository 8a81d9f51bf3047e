/// @file
/// How fast joints move that have a velocity limit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/recording/modal_rates.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Keeps the greatest rates of the joints, rad/s or m/s.
class SPACEDYN_EXPORT JointRateWatch {
 public:
  explicit JointRateWatch(std::shared_ptr<const Model> model);

  /// Looks at one instant. Allocates nothing.
  void see(double time, const State& state);

  /// One sentence for each joint that has moved faster than its velocity limit.
  std::vector<std::string> warnings() const;

  /// What has been seen so far, one for each joint.
  const std::vector<GreatestRate>& greatest() const { return greatest_; }
  /// Takes over what has been seen in an earlier part of a run.
  /// @throws DimensionError unless there is one for each joint
  void go_on_from(const std::vector<GreatestRate>& earlier);

 private:
  std::shared_ptr<const Model> model_;
  std::vector<GreatestRate> greatest_;
};

}  // namespace spacedyn
