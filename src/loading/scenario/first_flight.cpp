#include "spacedyn/loading/yaml.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "loading/model/model_assembly.hpp"
#include "spacedyn/loading/foreign.hpp"

namespace spacedyn {
namespace {

constexpr double kDuration = 10.0;            // s
constexpr double kTurn = 0.3, kSlide = 0.03;  // how far joints move at most, rad and m
constexpr double kShareOfRange = 0.25;

/// How a joint begins to move: from zero, or from the middle of limits that are not about zero,
/// towards the side where there is more room.
struct Sweep {
  std::string name;
  double position = 0.0, rate = 0.0;

  explicit Sweep(const Joint& joint) : name(loading::quoted_text(joint.name)) {
    const bool has_range =
        std::isfinite(joint.position_lower) && std::isfinite(joint.position_upper);
    const double range = joint.position_upper - joint.position_lower;
    const double margin = has_range ? kShareOfRange * range : 0.0;
    if (has_range && (joint.position_lower > -margin || joint.position_upper < margin)) {
      position = joint.position_lower + 0.5 * range;
    } else if (!has_range) {
      position = std::clamp(0.0, joint.position_lower, joint.position_upper);
    }
    double sweep = joint.type == JointType::prismatic ? kSlide : kTurn;
    if (has_range) sweep = std::min(sweep, margin);
    const bool goes_down = joint.position_upper - position < position - joint.position_lower;
    rate = std::min(sweep / kDuration, 0.5 * joint.velocity_limit) * (goes_down ? -1.0 : 1.0);
  }
};

/// Joints that loops leave no choice: the last one of a coupling, those between the two points of
/// another loop.
std::set<int> tied_joints(const Model& model) {
  std::set<int> tied;
  for (const Loop& loop : model.loops()) {
    if (!loop_traits(loop.type).joins_points) {
      tied.insert(loop.joints.back());
      continue;
    }
    std::set<int> below;  // links that carry both ends, or one of them
    for (const Frame* end : {&loop.from, &loop.to}) {
      for (int link = end->body; link > 0; link = model.topology().connection(link)) {
        if (!below.insert(link).second) below.erase(link);
      }
    }
    tied.insert(below.begin(), below.end());
  }
  return tied;
}

/// Joints with a coordinate of their own that loops leave free.
std::vector<Sweep> sweeps_of(const Model& model) {
  std::set<int> left_out = tied_joints(model);
  for (const CompoundJoint& joint : model.compound_joints()) {
    for (int k = 0; k < joint.size; ++k) left_out.insert(joint.first + k);
  }
  std::vector<Sweep> sweeps;
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (left_out.count(i) == 0) sweeps.emplace_back(model.joint(i));
  }
  return sweeps;
}

/// A name that a scenario may have.
std::string plain_name(std::string name) {
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) == 0 && c != '-' && c != '_') c = '_';
  }
  return name.empty() ? "robot" : name;
}

/// What begins to move: the joints; bodies where none does by itself. Joints that move nothing with
/// mass are led.
std::string motion_of(const Model& model) {
  const std::vector<Sweep> sweeps = sweeps_of(model);
  const bool has_loops = !model.loops().empty();
  const bool is_led = !loading::joints_without_inertia(model).empty();
  std::string terms, led;
  for (const Sweep& sweep : sweeps) {
    terms += fmt::format("\n      {}: {{position: {:.6e}, velocity: {:.6e}}}", sweep.name,
                         sweep.position, is_led ? 0.0 : sweep.rate);
    led += fmt::format(
        "\n    - {{joint: {}, reference: {{type: quintic, from: {:.6e}, to: {:.6e}, duration: "
        "{}}}}}",
        sweep.name, sweep.position, sweep.position + kDuration * sweep.rate, kDuration);
  }
  if (!terms.empty()) {
    terms = "\n    joints:" + terms;
  } else if (!model.has_fixed_base()) {
    terms = "\n    base: {angular_velocity: [0.02, 0.05, 0.1]}";
  } else {
    for (const CompoundJoint& joint : model.compound_joints()) {
      if (joint.type != JointType::free && joint.type != JointType::spherical) continue;
      terms += fmt::format("\n      {}: {{angular_velocity: [0.02, 0.05, 0.1]}}",
                           loading::quoted_text(joint.name));
    }
    if (!terms.empty()) terms = "\n    joints:" + terms;
  }
  if (has_loops) terms += "\n    assemble: true";
  const std::string initial = terms.empty() ? "initial: {}" : "initial:" + terms;
  return is_led && !led.empty() ? initial + "\n  prescribed:" + led : initial;
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
                     loading::quoted_text(file.filename().string()), kDuration, motion_of(model),
                     is_stiff ? "rodas" : "dop853");
}

Scenario open_scenario(const std::string& path, const std::vector<Override>& overrides) {
  if (!is_foreign_model(path)) return load_scenario(path, overrides);
  const std::string text = first_flight(*load_model(path).model, path);
  return parse_scenario(text, path + ".yaml", overrides);
}

}  // namespace spacedyn
