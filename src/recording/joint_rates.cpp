#include "spacedyn/recording/joint_rates.hpp"

#include <cmath>

#include <fmt/format.h>

#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

const char* rate_unit(const Joint& joint) { return coordinate_units(joint.type).velocity; }

/// Whether nothing but loads and control drives a joint, so that its effort is theirs.
bool is_plain(const Joint& joint) {
  return joint.stiffness == 0.0 && joint.damping == 0.0 && !joint.friction.is_present();
}

}  // namespace

JointRateWatch::JointRateWatch(std::shared_ptr<const Model> model) : model_(std::move(model)) {
  add_quantities(2 * static_cast<std::size_t>(model_->joint_count()));
}

void JointRateWatch::see(const SimulationPoint& point) {
  const std::size_t joints = peaks().size() / 2;
  for (std::size_t i = 0; i < joints; ++i) {
    keep(i, std::abs(point.state.qd(static_cast<Eigen::Index>(i))), point.time);
    if (is_plain(model_->joint(static_cast<int>(i) + 1))) {
      keep(joints + i, std::abs(point.forces(static_cast<Eigen::Index>(6 + i))), point.time);
    }
  }
}

std::vector<std::string> JointRateWatch::warnings() const {
  // what only rounds beyond a limit that a motion is planned to reach keeps to it
  constexpr double kRounding = 1e-6;
  std::vector<std::string> texts;
  const std::size_t joints = peaks().size() / 2;
  for (std::size_t i = 0; i < joints; ++i) {
    const Joint& joint = model_->joint(static_cast<int>(i) + 1);
    const Peak &rate = peaks()[i], &effort = peaks()[joints + i];
    if (rate.value > joint.velocity_limit * (1.0 + kRounding)) {
      texts.push_back(fmt::format(
          "joint '{}' moves at {:.3g} {} at t = {:.4g} s, beyond its velocity_limit of {:.3g} {}",
          joint.name, rate.value, rate_unit(joint), rate.time, joint.velocity_limit,
          rate_unit(joint)));
    }
    if (effort.value >= joint.effort_limit * (1.0 - kRounding) && effort.value > 0.0) {
      const char* unit = coordinate_units(joint.type).effort;
      texts.push_back(
          fmt::format("the drive of joint '{}' is saturated: it gives {:.3g} {} at t = "
                      "{:.4g} s, its effort_limit is {:.3g} {}",
                      joint.name, effort.value, unit, effort.time, joint.effort_limit, unit));
    }
  }
  return texts;
}

}  // namespace spacedyn
