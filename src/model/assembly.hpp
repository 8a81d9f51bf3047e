/// @file
/// The parts of a Model, made from a valid description.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Numbered bodies, joints and frames.
struct AssembledParts {
  std::vector<int> connection;  ///< B
  std::vector<Body> bodies;     ///< the base first
  std::vector<Joint> joints;
  std::vector<CompoundJoint> compound_joints;
  std::vector<JointCoupling> couplings;
  std::vector<Transmission> transmissions;
  std::vector<Frame> frames;  ///< the user's, then those of merged fixed bodies
  std::map<std::string, Frame, std::less<>> merged_centroids;
};

/// A loop of a model that has its bodies, joints and frames.
Loop make_loop(const LoopDescription& description, const Model& model);

/// A thruster of a model that has its bodies, joints and frames.
Thruster make_thruster(const FrameDescription& description, const Model& model);

/// A tank of a model that has its bodies.
Tank make_tank(const LinkDescription& description, const Model& model);

/// Numbers the links with B_i < i, merges fixed ones and turns link frames to their joint axes.
AssembledParts assemble(const ModelDescription& description);

}  // namespace spacedyn
