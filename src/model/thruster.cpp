#include <algorithm>
#include <cmath>

#include "model/assembly.hpp"
#include "model/model_validation.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {
namespace {

/// Names of all points of a description.
std::vector<std::string> points_of(const ModelDescription& description) {
  std::vector<std::string> points;
  const auto add_body = [&](const std::string& name) {
    points.push_back(name);
    points.push_back(name + ".com");
  };
  add_body(description.base.name);
  for (const LinkDescription& link : description.links) add_body(link.name);
  for (const FrameDescription& frame : description.frames) points.push_back(frame.name);
  return points;
}

bool is_positive(double value) { return value > 0.0; }  // infinity included, NaN not

bool is_duration(double value) { return std::isfinite(value) && value >= 0.0; }

}  // namespace

void validate_thrusters(const ModelDescription& description, std::vector<Problem>& problems) {
  if (description.thrusters.empty()) return;
  const std::vector<std::string> points = points_of(description);
  for (std::size_t i = 0; i < description.thrusters.size(); ++i) {
    const ThrusterDescription& thruster = description.thrusters[i];
    const std::string path = "thrusters." + std::to_string(i) + '.';
    const auto require = [&](bool rule, const char* key, const std::string& message) {
      if (!rule) problems.push_back({Severity::error, path + key, message, ""});
    };
    require(std::find(points.begin(), points.end(), thruster.at) != points.end(), "at",
            "expected the name of a frame, a link or '<link>.com', got '" + thruster.at + "'" +
                did_you_mean(thruster.at, points));
    require(thruster.direction.allFinite() && !thruster.direction.isZero(0.0), "direction",
            "expected a finite vector other than zero: thrust along nothing");
    require(std::isfinite(thruster.force) && thruster.force > 0.0, "force",
            "expected a finite, positive force");
    require(is_positive(thruster.specific_impulse), "specific_impulse",
            "expected a positive number of seconds");
    require(is_duration(thruster.minimum_on_time), "minimum_on_time",
            "expected a finite time of at least 0 s");
    require(is_duration(thruster.delay), "delay", "expected a finite time of at least 0 s");
  }
}

Thruster make_thruster(const ThrusterDescription& description, const Model& model) {
  return {description.name,  model.frame(description.at),  description.direction.normalized(),
          description.force, description.specific_impulse, description.minimum_on_time,
          description.delay};
}

}  // namespace spacedyn
