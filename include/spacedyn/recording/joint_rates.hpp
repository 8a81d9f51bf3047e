/// @file
/// How fast joints move, and how hard they are driven, against their limits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/recording/modal_rates.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Keeps the greatest rates of the joints, rad/s or m/s, then the greatest torques or forces of
/// those without springs, dampers and friction of their own, N m or N.
class SPACEDYN_EXPORT JointRateWatch {
 public:
  explicit JointRateWatch(std::shared_ptr<const Model> model);

  /// Looks at one instant. Allocates nothing.
  /// @param forces  base wrench and joint torques, size 6 + n
  void see(double time, const State& state, const VectorX& forces);

  /// One sentence for each joint that has moved faster than its velocity limit, and for each that
  /// has been driven with all that its effort limit allows.
  std::vector<std::string> warnings() const;

  /// What has been seen so far, of all joints one after another: rates, then efforts.
  const std::vector<GreatestRate>& greatest() const { return greatest_; }
  /// Takes over what has been seen in an earlier part of a run.
  /// @throws DimensionError unless there are two for each joint
  void go_on_from(const std::vector<GreatestRate>& earlier);

 private:
  std::shared_ptr<const Model> model_;
  std::vector<GreatestRate> greatest_;
};

}  // namespace spacedyn
