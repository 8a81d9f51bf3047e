#include "spacedyn/model/model_builder.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "model/model_validation.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// A rotation free of the roundings of its author; one that is exact already keeps its bits.
Matrix3 clean_rotation(const Matrix3& rotation) {
  constexpr double kExact = 8.0 * std::numeric_limits<double>::epsilon();
  return orthogonality_error(rotation) <= kExact ? rotation : nearest_rotation(rotation);
}

Pose compose(const Pose& outer, const Pose& inner) {
  return {outer.position + outer.rotation * inner.position,
          outer.rotation * clean_rotation(inner.rotation)};
}

/// The moving body (0…n) that carries a described one, and the latter's user frame in its user
/// frame: the identity unless fixed joints lie between.
struct Carrier {
  int body = 0;
  Pose pose;
};

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
    Vector3 moment = Vector3::Zero();
    for (const Part& part : parts_) moment += part.mass * part.center;
    return moment / mass();
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

/// Turns a valid description into numbered bodies, joints and frames.
class Assembly {
 public:
  explicit Assembly(const ModelDescription& description) : description_(description) {
    carriers_.emplace(description.base.name, Carrier{});
    user_to_link_.push_back(Matrix3::Identity());
    sums_.emplace_back().add(description.base, Pose{});
    bodies_.push_back(Body{});
    bodies_.front().name = description.base.name;
    for (const std::size_t i : base_first_order()) place(description.links[i]);
    finish_bodies();
  }

  std::vector<int> connection_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Frame> merged_frames_;
  std::map<std::string, Frame, std::less<>> merged_centroids_;

  Frame frame(const FrameDescription& description) const {
    return point(description.name, description.link, description.origin);
  }

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

  void place(const LinkDescription& link) {
    const Carrier& lower = carriers_.at(link.parent);
    const Pose origin = compose(lower.pose, link.joint.origin);
    if (link.joint.type == JointType::fixed) {
      carriers_.emplace(link.name, Carrier{lower.body, origin});
      sums_[static_cast<std::size_t>(lower.body)].add(link, origin);
      merged_frames_.push_back(point(link.name, link.name, Pose{}));
      Pose centroid;
      centroid.position = link.center_of_mass;
      merged_centroids_.emplace(link.name, point(link.name, link.name, centroid));
      return;
    }
    const int index = static_cast<int>(bodies_.size());
    carriers_.emplace(link.name, Carrier{index, Pose{}});
    connection_.push_back(lower.body);
    const Matrix3 R_a = rotation_from_z_to(link.joint.axis);
    joints_.push_back(
        joint(link, origin, user_to_link_[static_cast<std::size_t>(lower.body)], R_a));
    user_to_link_.push_back(R_a.transpose());
    sums_.emplace_back().add(link, Pose{});
    bodies_.push_back(Body{});
    bodies_.back().name = link.name;
  }

  /// Re-axes a joint: z of the link frame is the joint axis, in the parent as in the link.
  static Joint joint(const LinkDescription& link, const Pose& origin, const Matrix3& parent_to_link,
                     const Matrix3& R_a) {
    const JointDescription& given = link.joint;
    Joint joint;
    joint.name = given.name.empty() ? link.name : given.name;
    joint.type = given.type;
    joint.origin = parent_to_link * origin.position;
    joint.rotation = parent_to_link * origin.rotation * R_a;
    joint.position_lower = given.position_lower;
    joint.position_upper = given.position_upper;
    joint.velocity_limit = given.velocity_limit;
    joint.effort_limit = given.effort_limit;
    joint.stiffness = given.stiffness;
    joint.damping = given.damping;
    joint.rest_position = given.rest_position;
    return joint;
  }

  Frame point(const std::string& name, const std::string& owner, const Pose& origin) const {
    const Carrier& carrier = carriers_.at(owner);
    const Pose pose = compose(carrier.pose, origin);
    const Matrix3& to_link = user_to_link_[static_cast<std::size_t>(carrier.body)];
    return {name, carrier.body, to_link * pose.position, to_link * pose.rotation};
  }

  void finish_bodies() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Matrix3& to_link = user_to_link_[i];
      const Matrix3 I = to_link * sums_[i].inertia() * to_link.transpose();
      bodies_[i].mass = sums_[i].mass();
      bodies_[i].center_of_mass = to_link * sums_[i].center_of_mass();
      bodies_[i].inertia_L = 0.5 * (I + I.transpose());
      bodies_[i].user_axes = to_link;
    }
  }

  const ModelDescription& description_;
  std::unordered_map<std::string, Carrier> carriers_;
  std::vector<Matrix3> user_to_link_;  // R_aᵀ of each body
  std::vector<MassSum> sums_;
};

}  // namespace

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

  Assembly assembly(description_);
  Model model;
  model.description_ = description_;
  model.warnings_ = std::move(problems);
  model.topology_ = Topology(std::move(assembly.connection_));
  for (const FrameDescription& frame : description_.frames) {
    model.frames_.push_back(assembly.frame(frame));
  }
  model.frames_.insert(model.frames_.end(), assembly.merged_frames_.begin(),
                       assembly.merged_frames_.end());
  model.merged_centroid_ = std::move(assembly.merged_centroids_);
  model.bodies_ = std::move(assembly.bodies_);
  model.joints_ = std::move(assembly.joints_);
  for (const Body& body : model.bodies_) model.total_mass_ += body.mass;
  model.index_names();
  return model;
}

}  // namespace spacedyn
