/// @file
/// The collision shapes of a model, each on the moving body that carries it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spacedyn/collision/convex_hull.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// A shape at some instant, inertial axes.
struct ShapePose {
  CollisionType type = CollisionType::sphere;
  Vector3 size = Vector3::Zero();  ///< as that of CollisionShape
  Vector3 position = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  const ConvexHull* hull = nullptr;  ///< of a mesh
};

/// A collision shape on a body of a Model; shapes of links on fixed joints are on the body that
/// carries these.
struct BodyShape {
  std::string name;
  std::string link;  ///< of the description
  CollisionType type = CollisionType::sphere;
  Vector3 size = Vector3::Zero();
  Frame frame;                             ///< of its centre
  std::shared_ptr<const ConvexHull> hull;  ///< of a mesh

  /// Allocates nothing.
  ShapePose at(const LinkFrames& frames) const {
    const auto i = static_cast<std::size_t>(frame.body);
    return {type, size, center(frames), frames.A[i] * frame.rotation, hull.get()};
  }
  Vector3 center(const LinkFrames& frames) const {
    const auto i = static_cast<std::size_t>(frame.body);
    return frames.o[i] + frames.A[i] * frame.position;
  }
};

/// All of a model: those of the base, then those of the links in the order of the description.
SPACEDYN_EXPORT std::vector<BodyShape> collision_shapes(const Model& model);

/// Whether a joint, other than a free one, joins two bodies of a model; links without mass inside
/// a joint count as part of it.
SPACEDYN_EXPORT bool are_neighbours(const Model& model, int a, int b);

/// The name used in files, for instance `capsule`.
SPACEDYN_EXPORT std::string_view to_string(CollisionType type);
SPACEDYN_EXPORT const std::vector<CollisionType>& all_collision_types();

}  // namespace spacedyn
