#include "model/assembly.hpp"

#include <queue>
#include <unordered_map>
#include <utility>

#include "model/description_tree.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// The moving body (0…n) that carries a described one, and the latter's user frame in its user
/// frame: the identity unless fixed joints lie between.
struct Carrier {
  int body = 0;
  Pose pose;
};

/// Turns a valid description into numbered bodies, joints and frames.
class Assembly {
 public:
  explicit Assembly(const ModelDescription& description) : description_(description) {
    carriers_.emplace(description.base.name, Carrier{});
    user_to_link_.emplace_back(Matrix3::Identity());
    sums_.emplace_back().add(description.base, Pose{});
    parts_.bodies.push_back(Body{});
    parts_.bodies.front().name = description.base.name;
    for (const std::size_t i : base_first_order()) place_all(description.links[i]);
    finish_bodies();
    finish_frames();
    for (const LinkDescription& link : placed_) add_rotor(link);
    finish_joint_elements();
  }

  AssembledParts take() { return std::move(parts_); }

 private:
  /// Positions of links in the description such that parents come first and file order is kept
  /// where that allows it: of all links whose parent is placed, the earliest in the file is next.
  std::vector<std::size_t> base_first_order() const {
    std::unordered_map<std::string, std::vector<std::size_t>> carried;
    for (std::size_t i = 0; i < description_.links.size(); ++i) {
      carried[description_.links[i].parent].push_back(i);
    }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (const std::size_t i : carried[description_.base.name]) ready.push(i);
    std::vector<std::size_t> order;
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for (const std::size_t i : carried[description_.links[order.back()].name]) ready.push(i);
    }
    return order;
  }

  /// A link on a joint with several coordinates stands on links without mass.
  void place_all(const LinkDescription& link) {
    const int first = static_cast<int>(parts_.bodies.size());
    const JointTraits& traits = joint_traits(link.joint.type);
    for (LinkDescription& part : elementary_links(link)) {
      place(part);
      placed_.push_back(std::move(part));
    }
    if (traits.size <= 1) return;
    parts_.compound_joints.push_back(
        {joint_name(link), link.joint.type, first, traits.size, link.joint.angle_limit});
    for (int k = 0; k < traits.size; ++k) {
      const int place = traits.coordinates[static_cast<std::size_t>(k)].spherical;
      parts_.joints[static_cast<std::size_t>(first - 1 + k)].spherical = place;
    }
  }

  void place(const LinkDescription& link) {
    const Carrier& lower = carriers_.at(link.parent);
    const Pose origin = compose(lower.pose, link.joint.origin);
    if (link.joint.type == JointType::fixed) {
      carriers_.emplace(link.name, Carrier{lower.body, origin});
      sums_[static_cast<std::size_t>(lower.body)].add(link, origin);
      merged_frames_.push_back(point(link.name, link.name, Pose{}));
      Pose centroid;
      centroid.position = link.center_of_mass;
      parts_.merged_centroids.emplace(link.name, point(link.name, link.name, centroid));
      return;
    }
    const int index = static_cast<int>(parts_.bodies.size());
    carriers_.emplace(link.name, Carrier{index, Pose{}});
    parts_.connection.push_back(lower.body);
    const Matrix3 R_a = rotation_from_z_to(link.joint.axis);
    parts_.joints.push_back(
        joint(link, origin, user_to_link_[static_cast<std::size_t>(lower.body)], R_a));
    user_to_link_.emplace_back(R_a.transpose());
    sums_.emplace_back().add(link, Pose{});
    parts_.bodies.push_back(Body{});
    parts_.bodies.back().name = link.name;
  }

  /// Re-axes a joint: z of the link frame is the joint axis, in the parent as in the link.
  static Joint joint(const LinkDescription& link, const Pose& origin, const Matrix3& parent_to_link,
                     const Matrix3& R_a) {
    const JointDescription& given = link.joint;
    Joint joint;
    joint.name = given.name.empty() ? link.name : given.name;
    joint.type = given.type;
    if (given.type == JointType::prismatic) joint.turn = 0.0, joint.slide = 1.0;
    if (given.type == JointType::screw) joint.slide = given.pitch / (2.0 * kPi);
    joint.origin = parent_to_link * origin.position;
    joint.rotation = parent_to_link * origin.rotation * R_a;
    joint.position_lower = given.position_lower;
    joint.position_upper = given.position_upper;
    joint.velocity_limit = given.velocity_limit;
    joint.effort_limit = given.effort_limit;
    joint.stiffness = given.stiffness;
    joint.damping = given.damping;
    joint.rest_position = given.rest_position;
    joint.friction = given.friction;
    return joint;
  }

  Frame point(const std::string& name, const std::string& owner, const Pose& origin) const {
    const Carrier& carrier = carriers_.at(owner);
    const Pose pose = compose(carrier.pose, origin);
    const Matrix3& to_link = user_to_link_[static_cast<std::size_t>(carrier.body)];
    return {name, carrier.body, to_link * pose.position, to_link * pose.rotation};
  }

  void finish_bodies() {
    for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
      const Matrix3& to_link = user_to_link_[i];
      const Matrix3 I = to_link * sums_[i].inertia() * to_link.transpose();
      parts_.bodies[i].mass = sums_[i].mass();
      parts_.bodies[i].center_of_mass = to_link * sums_[i].center_of_mass();
      parts_.bodies[i].inertia_L = 0.5 * (I + I.transpose());
      parts_.bodies[i].user_axes = to_link;
    }
  }

  void finish_frames() {
    for (const FrameDescription& frame : description_.frames) {
      parts_.frames.push_back(point(frame.name, frame.link, frame.origin));
    }
    parts_.frames.insert(parts_.frames.end(), merged_frames_.begin(), merged_frames_.end());
  }

  /// A rotor of inertia I turns N times as far as the joint, about its axis k: with a = k·ω of the
  /// carrying link, which includes the rotor at rest, it adds
  ///   ½ I ((a + N q̇)² − a²) = ½ N I (a + q̇)² − ½ N I a² + ½ N (N − 1) I q̇²
  /// to the kinetic energy. k·ω of the carried link being a + q̇, the first two terms are inertias
  /// of the two links about k, which brings all gyroscopic moments; the last one is the joint's.
  void add_rotor(const LinkDescription& link) {
    const JointDescription& given = link.joint;
    if (given.type == JointType::fixed || given.rotor_inertia == 0.0) return;
    const double I = given.rotor_inertia, N = given.gear_ratio;
    const int index = carriers_.at(link.name).body;
    Joint& joint = parts_.joints[static_cast<std::size_t>(index - 1)];
    joint.armature = N * N * I;
    if (given.rotor_coupling == RotorCoupling::reflected) return;
    joint.armature -= N * I;
    const Vector3 k = joint.rotation.col(2);
    const int lower = parts_.connection[static_cast<std::size_t>(index - 1)];
    parts_.bodies[static_cast<std::size_t>(index)].inertia_L(2, 2) += N * I;
    parts_.bodies[static_cast<std::size_t>(lower)].inertia_L -= N * I * k * k.transpose();
  }

  int joint_index(const std::string& name) const {
    for (std::size_t i = 0; i < parts_.joints.size(); ++i) {
      if (parts_.joints[i].name == name) return static_cast<int>(i) + 1;
    }
    return 0;
  }

  void finish_joint_elements() {
    for (const JointCouplingDescription& given : description_.couplings) {
      const auto size = static_cast<Eigen::Index>(given.joints.size());
      JointCoupling coupling{given.name, {}, given.stiffness, given.damping, given.rest_position};
      for (const std::string& joint : given.joints) coupling.joints.push_back(joint_index(joint));
      if (coupling.stiffness.size() == 0) coupling.stiffness = MatrixX::Zero(size, size);
      if (coupling.damping.size() == 0) coupling.damping = MatrixX::Zero(size, size);
      if (coupling.rest_position.size() == 0) coupling.rest_position = VectorX::Zero(size);
      parts_.couplings.push_back(std::move(coupling));
    }
    for (const TransmissionDescription& given : description_.transmissions) {
      parts_.transmissions.push_back({given.name, joint_index(given.motor),
                                      joint_index(given.joint), given.gear_ratio, given.stiffness,
                                      given.damping, given.backlash});
    }
  }

  const ModelDescription& description_;
  AssembledParts parts_;
  std::vector<LinkDescription> placed_;
  std::vector<Frame> merged_frames_;
  std::unordered_map<std::string, Carrier> carriers_;
  std::vector<Matrix3> user_to_link_;  // R_aᵀ of each body
  std::vector<MassSum> sums_;
};

}  // namespace

Loop make_loop(const LoopDescription& description, const Model& model) {
  Loop loop;
  loop.name = description.name;
  loop.type = description.type;
  loop.length = description.length;
  loop.offset = description.offset;
  if (loop_traits(loop.type).joins_points) {
    loop.from = model.frame(description.from);
    loop.to = model.frame(description.to);
    loop.axis = description.axis.normalized();
    loop.second_axis = description.second_axis.normalized();
    return loop;
  }
  for (const std::string& joint : description.joints) {
    loop.joints.push_back(model.find_joint(joint).value());
  }
  if (loop.type == LoopType::gear) {
    loop.coefficients = VectorX(2);
    loop.coefficients << -description.ratio, 1.0;
  } else if (loop.type == LoopType::function) {
    loop.function = description.function;
  } else {
    loop.coefficients = Eigen::Map<const VectorX>(description.coefficients.data(),
                                                  static_cast<Eigen::Index>(loop.joints.size()));
  }
  return loop;
}

AssembledParts assemble(const ModelDescription& description) {
  return Assembly(description).take();
}

std::vector<Vector3> coordinate_axes(const JointDescription& joint) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
      return {joint.axis.normalized()};
    case JointType::spherical:
      return {x, y, z};
    case JointType::universal:
      return {joint.axis.normalized(), joint.second_axis.normalized()};
    case JointType::cylindrical:
      return {joint.axis.normalized(), joint.axis.normalized()};
    case JointType::planar: {
      const Matrix3 plane = rotation_from_z_to(joint.axis);
      return {plane.col(0), plane.col(1), plane.col(2)};
    }
    case JointType::free:
      return {x, y, z, x, y, z};
  }
  return {};
}

std::vector<LinkDescription> elementary_links(const LinkDescription& link) {
  const JointTraits& traits = joint_traits(link.joint.type);
  if (traits.size <= 1) return {link};
  const std::vector<Vector3> axes = coordinate_axes(link.joint);
  std::vector<LinkDescription> links;
  for (int k = 0; k < traits.size; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const std::string name = coordinate_name(joint_name(link), link.joint.type, k);
    LinkDescription part;
    if (k + 1 == traits.size) part = link;
    if (k + 1 < traits.size) part.name = name;
    part.parent = k == 0 ? link.parent : links.back().name;
    part.joint = link.joint.coordinates.empty() ? JointDescription() : link.joint.coordinates[i];
    part.joint.name = name;
    part.joint.type = traits.coordinates[i].motion;
    part.joint.origin = k == 0 ? link.joint.origin : Pose();
    part.joint.axis = axes[i];
    links.push_back(std::move(part));
  }
  return links;
}

}  // namespace spacedyn
