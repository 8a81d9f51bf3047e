#include "spacedyn/loading/yaml.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "loading/model/model_assembly.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "model/description_tree.hpp"
#include "spacedyn/loading/foreign.hpp"

namespace spacedyn {
namespace {

constexpr double kDuration = 10.0;            // s
constexpr double kTurn = 0.3, kSlide = 0.03;  // how far joints move at most, rad and m
constexpr double kShareOfRange = 0.25;
constexpr const char* kTumble = "angular_velocity: [0.02, 0.05, 0.1]";
/// More bodies stay one robot: the file is looked through for each.
constexpr std::size_t kMostRobots = 200;

/// How a joint begins to move: from zero, or from the middle of limits that are not about zero,
/// towards the side where there is more room.
struct Sweep {
  std::string of_joint, name;
  double position = 0.0, rate = 0.0;

  explicit Sweep(const Joint& joint)
      : of_joint(joint.name), name(loading::quoted_text(joint.name)) {
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

bool has_dampers(const Model& model) {
  const auto is_damped = [](const LinkDescription& link) { return link.joint.damping > 0.0; };
  const std::vector<LinkDescription>& links = model.description().links;
  return std::any_of(links.begin(), links.end(), is_damped);
}

/// Whether joints are led: they move nothing with mass, or dampers would soon stop them, and no
/// loop would be led as well.
bool leads_joints(const Model& model) {
  return !loading::joints_without_inertia(model).empty() ||
         (has_dampers(model) && !model.has_loops());
}

/// What begins to move: the joints; bodies where none does by itself.
std::string motion_of(const Model& model) {
  const std::vector<Sweep> sweeps = sweeps_of(model);
  const bool has_loops = model.has_loops();
  const bool is_led = leads_joints(model);
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
    terms = fmt::format("\n    base: {{{}}}", kTumble);
  } else {
    for (const CompoundJoint& joint : model.compound_joints()) {
      if (joint.type != JointType::free && joint.type != JointType::spherical) continue;
      terms += fmt::format("\n      {}: {{{}}}", loading::quoted_text(joint.name), kTumble);
    }
    if (!terms.empty()) terms = "\n    joints:" + terms;
  }
  if (has_loops) terms += "\n    assemble: true";
  const std::string initial = terms.empty() ? "initial: {}" : "initial:" + terms;
  return is_led && !led.empty() ? initial + "\n  prescribed:" + led : initial;
}

/// The bodies that stand on a fixed base, which a scenario can take for robots.
class Bodies {
 public:
  explicit Bodies(const Model& model)
      : model_(model), description_(model.description()), tree_(description_) {
    for (const FrameDescription& frame : description_.frames) carriers_[frame.name] = frame.link;
    for (const LinkDescription& link : description_.links) {
      carriers_[link.name] = link.name;
      joints_[joint_name(link)] = link.name;
      if (link.joint.type != JointType::fixed) moving_.insert(owner_of(link.name));
    }
  }

  /// Whether at least one of several floats, and nothing ties one to another.
  bool are_robots() const {
    const auto floats = [&](const LinkDescription* body) {
      return body->joint.type == JointType::free;
    };
    return model_.has_fixed_base() && description_.robots.empty() && moving_.size() > 1 &&
           moving_.size() <= kMostRobots && std::any_of(moving_.begin(), moving_.end(), floats) &&
           description_.couplings.empty() && description_.transmissions.empty() &&
           loading::joints_without_inertia(model_).empty() &&
           std::all_of(description_.loops.begin(), description_.loops.end(),
                       [&](const LoopDescription& loop) { return owner_of(loop) != nullptr; });
  }

  /// The list of robots of a scenario.
  std::string text(const std::string& file) const {
    std::map<const LinkDescription*, std::string> joints;
    for (const Sweep& sweep : sweeps_of(model_)) {
      std::string& own = joints[owner_of(joints_.at(sweep.of_joint))];
      own += fmt::format("{}{}: {{position: {:.6e}, velocity: {:.6e}}}", own.empty() ? "" : ", ",
                         sweep.name, sweep.position, sweep.rate);
    }
    std::set<const LinkDescription*> closed;
    for (const LoopDescription& loop : description_.loops) closed.insert(owner_of(loop));
    std::string robots;
    for (const LinkDescription& link : description_.links) {
      if (moving_.count(&link) == 0) continue;
      const std::string& own = joints[&link];
      robots +=
          fmt::format("\n    - name: {0}\n      model: {{file: {1}, body: {0}}}\n      initial:",
                      loading::quoted_text(link.name), loading::quoted_text(file));
      if (link.joint.type == JointType::free) {
        const Pose& start = link.joint.origin;
        robots +=
            fmt::format("\n        base: {{of: frame, position: {}, matrix: {}{}}}",
                        loading::vector_text(start.position), loading::matrix_text(start.rotation),
                        own.empty() ? std::string(", ") + kTumble : "");
      }
      robots += fmt::format("\n        joints: {{{}}}", own);
      if (closed.count(&link) > 0) robots += "\n        assemble: true";
    }
    return robots;
  }

 private:
  /// The body that carries a link, itself on the base; null for the base.
  const LinkDescription* owner_of(const std::string& link) const {
    const std::vector<std::size_t> path = tree_.path(link);
    return path.empty() ? nullptr : &description_.links[path.front()];
  }

  /// The body on which all ends of a loop are; null where there is none.
  const LinkDescription* owner_of(const LoopDescription& loop) const {
    const bool joins_points = loop_traits(loop.type).joins_points;
    const auto& links = joins_points ? carriers_ : joints_;
    std::set<const LinkDescription*> owners;
    for (const std::string& end :
         joins_points ? std::vector<std::string>{loop.from, loop.to} : loop.joints) {
      const auto link = links.find(end);
      owners.insert(link == links.end() ? nullptr : owner_of(link->second));
    }
    return owners.size() == 1 ? *owners.begin() : nullptr;
  }

  const Model& model_;
  const ModelDescription& description_;
  DescriptionTree tree_;
  std::map<std::string, std::string> carriers_, joints_;  ///< links of points and of joints
  std::set<const LinkDescription*> moving_;
};

}  // namespace

std::string first_flight(const Model& model, const std::string& model_path) {
  const std::filesystem::path file(model_path);
  const Bodies bodies(model);
  const bool are_robots = bodies.are_robots();
  const bool is_stiff = has_dampers(model) && (are_robots || !leads_joints(model));
  const std::string own_file = file.filename().string();
  const std::string flown =
      are_robots ? "robots:" + bodies.text(own_file)
                 : fmt::format("model: {}\n  {}", loading::quoted_text(own_file), motion_of(model));
  return fmt::format(R"(spacedyn: 1
scenario:
  name: {}
  description: A first flight; no force acts, the joints begin to move.
  duration: {}
  {}
  integrator: {{method: {}, relative_tolerance: 1.0e-8, absolute_tolerance: 1.0e-9}}
  output: {{interval: 0.05, channels: [state, momentum, energy, frames]}}
)",
                     loading::quoted_text(plain_name(file.stem().string())), kDuration, flown,
                     is_stiff ? "rodas" : "dop853");
}

Scenario open_scenario(const std::string& path, const std::vector<Override>& overrides) {
  if (!is_foreign_model(path)) return load_scenario(path, overrides);
  const std::string text = first_flight(*load_model(path).model, path);
  return parse_scenario(text, path + ".yaml", overrides);
}

}  // namespace spacedyn
