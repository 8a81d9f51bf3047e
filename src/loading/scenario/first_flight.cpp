#include "spacedyn/loading/first_flight.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/loading/foreign.hpp"

namespace spacedyn {
namespace {

constexpr double kDuration = 10.0;            // s
constexpr double kTurn = 0.3, kSlide = 0.03;  // how far joints move at most, rad and m
constexpr double kShareOfRange = 0.25;

bool has_one_coordinate(const JointDescription& joint) {
  return joint.type == JointType::revolute || joint.type == JointType::prismatic;
}

/// `name: {position: …, velocity: …}`: from zero, or from the middle of limits that are not about
/// zero, towards the side where there is more room.
std::string start_of(const LinkDescription& link) {
  const JointDescription& joint = link.joint;
  const bool has_range = std::isfinite(joint.position_lower) && std::isfinite(joint.position_upper);
  const double range = joint.position_upper - joint.position_lower;
  const double margin = has_range ? kShareOfRange * range : 0.0;
  double position = 0.0;
  if (has_range && (joint.position_lower > -margin || joint.position_upper < margin)) {
    position = joint.position_lower + 0.5 * range;
  } else if (!has_range) {
    position = std::clamp(0.0, joint.position_lower, joint.position_upper);
  }
  double sweep = joint.type == JointType::revolute ? kTurn : kSlide;
  if (has_range) sweep = std::min(sweep, margin);
  const bool goes_down = joint.position_upper - position < position - joint.position_lower;
  const double rate = std::min(sweep / kDuration, 0.5 * joint.velocity_limit);
  const std::string name = link.joint.name.empty() ? link.name : link.joint.name;
  return fmt::format("{}: {{position: {:.6e}, velocity: {:.6e}}}", loading::quoted_text(name),
                     position, goes_down ? -rate : rate);
}

/// A name that a scenario may have.
std::string plain_name(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  }
  return name.empty() ? "robot" : name;
}

/// What begins to move: the joints; the base where there are none, or where loops tie them.
std::string initial_of(const ModelDescription& robot) {
  const bool has_loops = !robot.loops.empty();
  std::string joints;
  for (const LinkDescription& link : robot.links) {
    if (has_loops || !has_one_coordinate(link.joint)) continue;
    joints += "\n      " + start_of(link);
  }
  if (!joints.empty()) return "initial:\n    joints:" + joints;
  std::string terms;
  if (!robot.base.fixed) terms += "\n    base: {angular_velocity: [0.02, 0.05, 0.1]}";
  if (has_loops) terms += "\n    assemble: true";
  return terms.empty() ? "initial: {}" : "initial:" + terms;
}

}  // namespace

std::string first_flight(const Model& model, const std::string& model_path) {
  const ModelDescription& robot = model.description();
  const auto is_damped = [](const LinkDescription& link) { return link.joint.damping > 0.0; };
  const bool is_stiff = std::any_of(robot.links.begin(), robot.links.end(), is_damped);
  const std::filesystem::path file(model_path);
  return fmt::format(R"(spacedyn: 1
scenario:
  name: {}
  description: A first flight; no force acts, the joints begin to move.
  model: {}
  duration: {}
  {}
  integrator: {{method: {}, relative_tolerance: 1.0e-8, absolute_tolerance: 1.0e-9}}
  output: {{interval: 0.05, channels: [state, momentum, energy, frames]}}
)",
                     loading::quoted_text(plain_name(file.stem().string())),
                     loading::quoted_text(file.filename().string()), kDuration, initial_of(robot),
                     is_stiff ? "rodas" : "dop853");
}

Scenario open_scenario(const std::string& path, const std::vector<Override>& overrides) {
  if (!is_foreign_model(path)) return load_scenario(path, overrides);
  const std::string text = first_flight(*load_model(path).model, path);
  return parse_scenario(text, path + ".yaml", overrides);
}

}  // namespace spacedyn
