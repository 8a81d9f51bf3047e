#include "spacedyn/model/model_builder.hpp"

#include <algorithm>
#include <utility>

#include "model/assembly.hpp"
#include "model/model_validation.hpp"

namespace spacedyn {

ModelBuilder& ModelBuilder::set_base(BaseDescription base) {
  description_.base = std::move(base);
  return *this;
}

ModelBuilder& ModelBuilder::add_link(LinkDescription link) {
  description_.links.push_back(std::move(link));
  return *this;
}

ModelBuilder& ModelBuilder::add_frame(FrameDescription frame) {
  description_.frames.push_back(std::move(frame));
  return *this;
}

std::vector<Problem> ModelBuilder::validate() const { return validate_description(description_); }

Model ModelBuilder::build() const {
  std::vector<Problem> problems = validate();
  const bool refused = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == Severity::error;
  });
  if (refused) throw ModelError(std::move(problems));

  AssembledParts parts = assemble(description_);
  Model model;
  model.description_ = description_;
  model.warnings_ = std::move(problems);
  model.topology_ = Topology(std::move(parts.connection));
  model.bodies_ = std::move(parts.bodies);
  model.joints_ = std::move(parts.joints);
  model.compound_joints_ = std::move(parts.compound_joints);
  model.frames_ = std::move(parts.frames);
  model.couplings_ = std::move(parts.couplings);
  model.transmissions_ = std::move(parts.transmissions);
  model.merged_centroid_ = std::move(parts.merged_centroids);
  for (const Body& body : model.bodies_) model.total_mass_ += body.mass;
  model.index_names();
  model.find_robots();
  // points of loops are looked up as users look them up
  for (const LoopDescription& loop : description_.loops) {
    model.loops_.push_back(make_loop(loop, model));
  }
  model.find_followers();
  for (const FrameDescription& frame : description_.frames) {
    if (frame.thruster) model.thrusters_.push_back(make_thruster(frame, model));
  }
  for (const LinkDescription& link : description_.links) {
    if (link.tank) model.tanks_.push_back(make_tank(link, model));
    if (link.joint.wheel) model.wheels_[*model.find_body(link.name)] = *link.joint.wheel;
  }
  return model;
}

}  // namespace spacedyn
