#include "spacedyn/recording/joint_rates.hpp"

#include <cmath>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

const char* rate_unit(const Joint& joint) { return coordinate_units(joint.type).velocity; }

/// Whether nothing but loads and control drives a joint, so that its effort is theirs.
bool is_plain(const Joint& joint) {
  return joint.stiffness == 0.0 && joint.damping == 0.0 && !joint.friction.is_present();
}

}  // namespace

JointRateWatch::JointRateWatch(std::shared_ptr<const Model> model)
    : model_(std::move(model)), greatest_(2 * static_cast<std::size_t>(model_->joint_count())) {}

void JointRateWatch::see(double time, const State& state, const VectorX& forces) {
  const auto keep = [&](std::size_t i, double value) {
    if (std::abs(value) > greatest_[i].rate) greatest_[i] = {std::abs(value), time};
  };
  const std::size_t joints = greatest_.size() / 2;
  for (std::size_t i = 0; i < joints; ++i) {
    keep(i, state.qd(static_cast<Eigen::Index>(i)));
    if (is_plain(model_->joint(static_cast<int>(i) + 1))) {
      keep(joints + i, forces(static_cast<Eigen::Index>(6 + i)));
    }
  }
}

std::vector<std::string> JointRateWatch::warnings() const {
  // what only rounds beyond a limit that a motion is planned to reach keeps to it
  constexpr double kRounding = 1e-6;
  std::vector<std::string> texts;
  const std::size_t joints = greatest_.size() / 2;
  for (std::size_t i = 0; i < joints; ++i) {
    const Joint& joint = model_->joint(static_cast<int>(i) + 1);
    const GreatestRate &rate = greatest_[i], &effort = greatest_[joints + i];
    if (rate.rate > joint.velocity_limit * (1.0 + kRounding)) {
      texts.push_back(fmt::format(
          "joint '{}' moves at {:.3g} {} at t = {:.4g} s, beyond its velocity_limit of {:.3g} {}",
          joint.name, rate.rate, rate_unit(joint), rate.time, joint.velocity_limit,
          rate_unit(joint)));
    }
    if (effort.rate >= joint.effort_limit * (1.0 - kRounding) && effort.rate > 0.0) {
      const char* unit = coordinate_units(joint.type).effort;
      texts.push_back(
          fmt::format("the drive of joint '{}' is saturated: it gives {:.3g} {} at t = "
                      "{:.4g} s, its effort_limit is {:.3g} {}",
                      joint.name, effort.rate, unit, effort.time, joint.effort_limit, unit));
    }
  }
  return texts;
}

void JointRateWatch::go_on_from(const std::vector<GreatestRate>& earlier) {
  if (earlier.size() != greatest_.size()) {
    throw DimensionError(fmt::format("{} greatest rates and efforts are given for {} joints",
                                     earlier.size(), greatest_.size() / 2));
  }
  greatest_ = earlier;
}

}  // namespace spacedyn
