#include "spacedyn/recording/joint_rates.hpp"

#include <cmath>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

const char* rate_unit(const Joint& joint) { return coordinate_units(joint.type).velocity; }

}  // namespace

JointRateWatch::JointRateWatch(std::shared_ptr<const Model> model)
    : model_(std::move(model)), greatest_(static_cast<std::size_t>(model_->joint_count())) {}

void JointRateWatch::see(double time, const State& state) {
  for (std::size_t i = 0; i < greatest_.size(); ++i) {
    const double rate = std::abs(state.qd(static_cast<Eigen::Index>(i)));
    if (rate > greatest_[i].rate) greatest_[i] = {rate, time};
  }
}

std::vector<std::string> JointRateWatch::warnings() const {
  // what only rounds beyond a limit that a motion is planned to reach keeps to it
  constexpr double kRounding = 1e-6;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < greatest_.size(); ++i) {
    const Joint& joint = model_->joint(static_cast<int>(i) + 1);
    if (!(greatest_[i].rate > joint.velocity_limit * (1.0 + kRounding))) continue;
    texts.push_back(fmt::format(
        "joint '{}' moves at {:.3g} {} at t = {:.4g} s, beyond its velocity_limit of {:.3g} {}",
        joint.name, greatest_[i].rate, rate_unit(joint), greatest_[i].time, joint.velocity_limit,
        rate_unit(joint)));
  }
  return texts;
}

void JointRateWatch::go_on_from(const std::vector<GreatestRate>& earlier) {
  if (earlier.size() != greatest_.size()) {
    throw DimensionError(
        fmt::format("{} greatest rates are given for {} joints", earlier.size(), greatest_.size()));
  }
  greatest_ = earlier;
}

}  // namespace spacedyn
