#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loading/scenario/scenario_reader.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/state/configuration.hpp"

namespace spacedyn::loading {
namespace {

constexpr double kMoved = 1e-12;  // less than this is not told

std::string residual_text(const LoopResidual& residual, bool is_rate) {
  const std::string unit = residual.is_angle ? "rad" : "m";
  return fmt::format("{:.3g} {}{}", residual.value, unit, is_rate ? "/s" : "");
}

}  // namespace

void ScenarioReader::read_assembly(MapReader& map) {
  assemble_ = map.boolean("assemble", false);
  // of one of several robots, or with connections, loops may come later
  const bool is_idle = assemble_ && model_ && model_->loops().empty();
  if (is_idle && !is_robot_ && !has_several_robots() && !map_.has("connections")) {
    map.error_at("assemble", "expected false, got true: the model has no loops");
  }
  if (const auto place = map.find("assemble")) assembly_place_ = place;
  const auto hold = map.find("hold");
  if (!hold) return;
  if (!assemble_) {
    map.error_at("hold",
                 "expected no joints here, got some: nothing moves without 'assemble: true'");
  }
  held_.emplace();
  for_each_item(*hold, problems(), [&](const Value& item) {
    const bool is_base = is_robot_ && item.node->is_scalar() && item.node->text == "base";
    if (is_base && (!model_ || !model_->find_joint("base"))) {
      holds_base_ = true;
    } else if (has_several_robots()) {
      for (const int joint : read_joint_coordinates(item)) held_->push_back(joint);
    } else if (const auto joint = read_joint_name(item)) {
      held_->push_back(*joint);
    }
  });
}

std::vector<int> ScenarioReader::held_joints() const {
  std::vector<int> held;
  if (held_) {
    held = *held_;
  } else {
    for (const auto& [joint, start] : joint_starts_) held.push_back(joint);
  }
  // these do not move by themselves
  for (const int joint : scenario_.setup.locked_joints) held.push_back(joint);
  for (const PrescribedJoint& joint : scenario_.setup.prescribed_joints)
    held.push_back(joint.joint);
  return held;
}

void ScenarioReader::start_on_loops() {
  if (!model_ || problems().has_errors()) return;
  const std::vector<Loop> loops = start_loops();
  if (loops.empty()) return;
  if (assemble_ || assembles_robots()) return assemble();
  const Mark& mark = initial_place_ ? initial_place_->node->mark : map_.mark();
  const std::string path = initial_place_ ? initial_place_->path : map_.path();
  const char* const advice = "'initial: {assemble: true}' moves the other joints onto the loops";
  const LoopResidual position = position_residual(*model_, loops, scenario_.initial);
  if (!(position.value <= kLoopTolerance)) {
    problems().error(mark, path,
                     fmt::format("expected a start on loop '{}', got one that violates it by {}",
                                 position.loop, residual_text(position, false)),
                     advice);
    return;
  }
  const LoopResidual velocity = velocity_residual(*model_, loops, scenario_.initial);
  if (velocity.value <= kLoopTolerance) return;
  problems().error(
      mark, path,
      fmt::format("expected velocities that keep loop '{}' closed, got some that open it at {}",
                  velocity.loop, residual_text(velocity, true)),
      advice);
}

void ScenarioReader::assemble() {
  const State given = scenario_.initial;
  const std::vector<Loop> loops = start_loops();
  LoopAssembly assembly;
  if (has_several_robots()) {
    assembly = assemble_loops(*model_, loops, given, held_coordinates(true));
    // bases that were given stay if that is possible
    if (!assembly.assembled) {
      assembly = assemble_loops(*model_, loops, given, held_coordinates(false));
    }
  } else {
    assembly = assemble_loops(*model_, loops, given, held_joints());
  }
  const Value& place = *assembly_place_;
  if (!assembly.assembled) {
    const bool opens = assembly.position.value <= kLoopTolerance;
    const LoopResidual& worst = opens ? assembly.velocity : assembly.position;
    problems().error(
        place.node->mark, place.path,
        fmt::format("expected loops that can be closed{}, got loop '{}', which still {} {} where "
                    "it comes closest",
                    opens ? " in velocity" : "", worst.loop, opens ? "opens at" : "is open by",
                    residual_text(worst, opens)),
        "hold fewer joints, or check lengths and points of the loop");
    return;
  }
  scenario_.initial = assembly.state;
  std::string moved;
  const VectorX changes = joint_difference(*model_, given.q, assembly.state.q);
  for (int i = 1; i <= model_->joint_count(); ++i) {
    const double change = changes(i - 1);
    if (std::abs(change) < kMoved) continue;
    const Joint& joint = model_->joint(i);
    moved += fmt::format("{}'{}' by {:.6g} {}", moved.empty() ? "" : ", ", joint.name, change,
                         coordinate_units(joint.type).position);
  }
  if (moved.empty()) return;
  problems().add(Severity::note, place.node->mark, place.path, "closing the loops moves " + moved,
                 "");
}

}  // namespace spacedyn::loading
