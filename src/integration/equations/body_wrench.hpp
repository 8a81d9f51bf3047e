/// @file
/// What acts on a body, apart from the loads of elements. Private.
#pragma once

#include "integration/equations/archive.hpp"

namespace spacedyn {

/// A force through the centroid of a body and a moment, inertial axes.
struct BodyWrench {
  int body = 0;
  Vector3 force = Vector3::Zero();   ///< N
  Vector3 moment = Vector3::Zero();  ///< N m

  void transfer(Archive& archive) { archive(body, force, moment); }
};

}  // namespace spacedyn
