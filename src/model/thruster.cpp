#include "spacedyn/model/thruster.hpp"

#include <algorithm>
#include <cmath>

#include "model/assembly.hpp"
#include "model/poses.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {
namespace {

bool is_duration(double value) { return std::isfinite(value) && value >= 0.0; }

const BodyDescription* body_named(const ModelDescription& robot, const std::string& name) {
  if (robot.base.name == name) return &robot.base;
  for (const LinkDescription& link : robot.links) {
    if (link.name == name) return &link;
  }
  return nullptr;
}

}  // namespace

std::vector<Problem> validate_thruster(const ThrusterDrive& thruster, const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  require(thruster.direction.allFinite() && !thruster.direction.isZero(0.0), "direction",
          "expected a finite vector other than zero: thrust along nothing");
  require(std::isfinite(thruster.force) && thruster.force > 0.0, "force",
          "expected a finite, positive force");
  require(thruster.specific_impulse > 0.0, "specific_impulse",
          "expected a positive number of seconds");
  require(is_duration(thruster.minimum_on_time), "minimum_on_time",
          "expected a finite time of at least 0 s");
  require(is_duration(thruster.delay), "delay", "expected a finite time of at least 0 s");
  require(is_duration(thruster.rise_time), "rise_time", "expected a finite time of at least 0 s");
  require(is_duration(thruster.fall_time), "fall_time", "expected a finite time of at least 0 s");
  return problems;
}

void add_thruster(ModelDescription& robot, const std::string& name, const std::string& at,
                  const ThrusterDrive& thruster) {
  std::vector<Problem> problems = validate_thruster(thruster, name);
  if (!problems.empty()) throw ModelError(std::move(problems));
  FrameDescription frame;
  frame.name = name;
  frame.thruster = thruster;
  const std::string centroid = ".com";
  const bool is_centroid = at.size() > centroid.size() &&
                           at.compare(at.size() - centroid.size(), centroid.size(), centroid) == 0;
  const std::string owner = is_centroid ? at.substr(0, at.size() - centroid.size()) : at;
  const auto named = std::find_if(robot.frames.begin(), robot.frames.end(),
                                  [&](const FrameDescription& each) { return each.name == at; });
  if (named != robot.frames.end()) {
    frame.link = named->link;
    frame.origin = named->origin;
  } else if (const BodyDescription* body = body_named(robot, owner)) {
    frame.link = owner;
    if (is_centroid) frame.origin.position = body->center_of_mass;
  } else {
    throw DomainError("no frame or link is named '" + at + "', where thruster '" + name +
                      "' should be");
  }
  robot.frames.push_back(std::move(frame));
}

Thruster make_thruster(const FrameDescription& description, const Model& model) {
  Thruster thruster{description.name, model.frame(description.name), *description.thruster};
  thruster.drive.direction.normalize();
  return thruster;
}

}  // namespace spacedyn
