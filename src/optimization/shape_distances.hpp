/// @file
/// Distances between the collision shapes of a robot along a motion of its joints. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// Of all pairs of shapes that some joints move against each other, but for those of neighbours.
class SPACEDYN_EXPORT ShapeDistances {
 public:
  /// @throws DomainError if there is no such pair, or the distance of one is not known
  ShapeDistances(const Model& model, const State& state, std::vector<int> joints);

  int count() const { return static_cast<int>(pairs_.size()); }
  /// Places of all shapes. @param q  of the joints
  void update(ConstVectorRef q);
  double distance(int pair) const;
  /// @param by_q  out: derivatives by the joints
  double differentiate(int pair, VectorRef by_q) const;
  /// The least of all, and its pair.
  double least(int& pair) const;
  /// `'a' and 'b'`.
  std::string names(int pair) const;
  /// A length, m, of which distances of a pair are parts.
  double size(int pair) const;

 private:
  struct Pair {
    std::size_t a, b;
  };
  /// Of a material point that is now at a place.
  void add_motion(int body, const Vector3& place, const Vector3& along, VectorRef by_q) const;

  const Model& model_;
  std::vector<int> joints_;
  std::vector<BodyShape> shapes_;
  std::vector<Pair> pairs_;
  State state_;
  LinkFrames frames_;
};

}  // namespace spacedyn
