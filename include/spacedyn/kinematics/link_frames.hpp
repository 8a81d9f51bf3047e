/// @file
/// Positions and orientations of all links.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Where every body is; index 0 is the base, i is link i. Inertial components.
struct SPACEDYN_EXPORT LinkFrames {
  std::vector<Matrix3> A;  ///< ᴵA_i, link to inertial components
  std::vector<Vector3> r;  ///< centroid of body i, m
  std::vector<Vector3> p;  ///< joint i; a prismatic joint's zero-displacement point. p_0 unused
  std::vector<Vector3> o;  ///< origin of link frame i; the base's own origin for i = 0
  std::vector<Vector3> k;  ///< joint axis i = A_i e_z; k_0 unused

  LinkFrames() = default;
  explicit LinkFrames(const Model& model);
};

/// Poses of all bodies from the base outward, [SpaceDyn] (1) transposed and the link vectors (6).
/// O(n), allocates nothing. @pre `state` and `frames` have the sizes of the model.
SPACEDYN_EXPORT void compute_link_frames(const Model& model, const State& state,
                                         LinkFrames& frames);

/// @name Pose of a named frame, an endpoint of the paper, [SpaceDyn] (7)
/// @{
SPACEDYN_EXPORT Vector3 frame_position(const LinkFrames& frames, const Frame& frame);
SPACEDYN_EXPORT Matrix3 frame_orientation(const LinkFrames& frames, const Frame& frame);
/// @}

}  // namespace spacedyn
