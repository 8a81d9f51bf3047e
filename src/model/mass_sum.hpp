/// @file
/// Bodies that fixed joints make one.
#pragma once

#include <vector>

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// Mass properties of bodies fixed to one another, summed in the user frame of the first.
class MassSum {
 public:
  void add(const BodyDescription& body, const Pose& pose) {
    Part part;
    part.mass = body.mass;
    part.center = pose.position + pose.rotation * body.center_of_mass;
    const Matrix3 I = 0.5 * (body.inertia + body.inertia.transpose());
    part.inertia = pose.rotation * I * pose.rotation.transpose();
    parts_.push_back(part);
  }

  double mass() const {
    double sum = 0.0;
    for (const Part& part : parts_) sum += part.mass;
    return sum;
  }

  Vector3 center_of_mass() const {
    if (parts_.size() == 1 || mass() == 0.0) return parts_.front().center;
    return moment() / mass();
  }

  /// Σ m c.
  Vector3 moment() const {
    Vector3 sum = Vector3::Zero();
    for (const Part& part : parts_) sum += part.mass * part.center;
    return sum;
  }

  /// About the common centroid, by the parallel-axis theorem.
  Matrix3 inertia() const {
    const Vector3 center = center_of_mass();
    Matrix3 sum = Matrix3::Zero();
    for (const Part& part : parts_) {
      const Matrix3 d = tilde(part.center - center);
      sum += part.inertia + part.mass * d * d.transpose();
    }
    return sum;
  }

 private:
  struct Part {
    double mass = 0.0;
    Vector3 center = Vector3::Zero();
    Matrix3 inertia = Matrix3::Zero();
  };
  std::vector<Part> parts_;
};

}  // namespace spacedyn
