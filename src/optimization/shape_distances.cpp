#include "optimization/shape_distances.hpp"

#include <algorithm>
#include <limits>

#include "collision/core_direction.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {

ShapeDistances::ShapeDistances(const Model& model, const State& state, std::vector<int> joints)
    : model_(model),
      joints_(std::move(joints)),
      shapes_(collision_shapes(model)),
      state_(state),
      frames_(model) {
  for (std::size_t b = 0; b < shapes_.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const int body_a = shapes_[a].frame.body, body_b = shapes_[b].frame.body;
      const auto moves_them = [&](int joint) {
        return model.topology().is_ancestor(joint, body_a) !=
               model.topology().is_ancestor(joint, body_b);
      };
      bool moves = std::any_of(joints_.begin(), joints_.end(), moves_them);
      for (const Follower& each : model.followers()) {
        moves |=
            std::count(joints_.begin(), joints_.end(), each.followed) > 0 && moves_them(each.joint);
      }
      if (!moves || are_neighbours(model, body_a, body_b)) continue;
      pairs_.push_back({a, b});
      if (may_touch(shapes_[a].type, shapes_[b].type)) continue;
      throw DomainError("a planned motion: the distance between the shapes " + names(count() - 1) +
                        " is not known, for one is an ellipsoid");
    }
  }
  if (!pairs_.empty()) return;
  throw DomainError(
      "a planned motion: a clearance needs collision shapes that the joints move against each "
      "other, on bodies that no joint joins");
}

void ShapeDistances::update(ConstVectorRef q) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    state_.q(joints_[i] - 1) = q(static_cast<Eigen::Index>(i));
  }
  follow(model_, state_);
  compute_link_frames(model_, state_, frames_);
}

double ShapeDistances::distance(int pair) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  return -nearest_place(shapes_[of.a].at(frames_), shapes_[of.b].at(frames_)).depth;
}

double ShapeDistances::differentiate(int pair, VectorRef by_q) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  const ContactPoint place = nearest_place(shapes_[of.a].at(frames_), shapes_[of.b].at(frames_));
  by_q.setZero();
  add_motion(shapes_[of.a].frame.body, place.point, place.normal, by_q);
  add_motion(shapes_[of.b].frame.body, place.point, -place.normal, by_q);
  return -place.depth;
}

void ShapeDistances::add_motion(int body, const Vector3& place, const Vector3& along,
                                VectorRef by_q) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto add = [&](int joint, double ratio) {
      if (!model_.topology().is_ancestor(joint, body)) return;
      by_q(static_cast<Eigen::Index>(i)) +=
          ratio * along.dot(linear_column(model_, frames_, joint, place));
    };
    add(joints_[i], 1.0);
    for (const Follower& each : model_.followers()) {
      if (each.followed == joints_[i]) add(each.joint, each.ratio);
    }
  }
}

double ShapeDistances::least(int& pair) const {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count(); ++i) {
    const double own = distance(i);
    if (!(own < least)) continue;
    least = own;
    pair = i;
  }
  return least;
}

std::string ShapeDistances::names(int pair) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  return "'" + shapes_[of.a].name + "' and '" + shapes_[of.b].name + "'";
}

double ShapeDistances::size(int pair) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  double size = 0.0;
  for (const std::size_t i : {of.a, of.b}) {
    size += bounding_radius(shapes_[i].type, shapes_[i].size, shapes_[i].hull.get());
  }
  return size;
}

}  // namespace spacedyn
