/// @file
/// The parts of a Model, made from a valid description.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/description.hpp"
#include "spacedyn/model/joint_traits.hpp"
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

/// The link itself if its joint has at most one coordinate; else links without mass, one for each
/// coordinate but the last, then the link.
std::vector<LinkDescription> elementary_links(const LinkDescription& link);

/// Axes of the coordinates of a joint, unit vectors in the joint frame.
std::vector<Vector3> coordinate_axes(const JointDescription& joint);

/// A rotation free of the roundings of its author; one that is exact already keeps its bits.
Matrix3 clean_rotation(const Matrix3& rotation);

/// Pose in the outermost frame of a frame placed by @p inner in the frame placed by @p outer.
Pose compose(const Pose& outer, const Pose& inner);

/// Displacement of a joint at position q in its joint frame: a turn about its axis, or a slide
/// along it; nothing for a fixed joint.
Pose joint_displacement(const JointDescription& joint, double q);

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
