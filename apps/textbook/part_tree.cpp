#include "textbook/part_tree.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <Eigen/Eigenvalues>

#include "constraints/coupling_row.hpp"
#include "constraints/elimination_plan.hpp"
#include "constraints/indices.hpp"
#include "constraints/loop_rows.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

constexpr int kMostOuterBodies = 128;
/// Part of the largest moment of inertia below which a body has none about that axis.
constexpr double kLeastMomentOfPart = 1e-10;

bool has_full_inertia(const Body& body) {
  if (!(body.mass > 0.0)) return false;
  const Vector3 moments =
      Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia_L, Eigen::EigenvaluesOnly).eigenvalues();
  return moments(0) > kLeastMomentOfPart * moments(2);
}

bool has_no_inertia(const Body& body) { return !(body.mass > 0.0) && body.inertia_L.isZero(0.0); }

}  // namespace

void PartLoop::place(const Model& model, const Loop& its, const State& state,
                     const LinkFrames& frames) {
  if (!loop_traits(its.type).joins_points) {
    // each joint has two tips: the rate is that of the body against the lower one
    for_each_coefficient(its, state.q, [&](std::size_t i, double factor) {
      const int joint = its.joints[i];
      const Vector3& axis = frames.k[at(joint)];
      const bool turns = model.joint(joint).type == JointType::revolute;
      const auto set = [&](Tip& tip, double sign) {
        const Vector3 arm = frames.p[at(joint)] - frames.r[at(tip.body)];
        Vector6 wrench;
        if (turns) {
          wrench << Vector3::Zero(), axis;
        } else {
          wrench << axis, arm.cross(axis);
        }
        tip.wrench = sign * factor * wrench;
      };
      set(tips[2 * i], 1.0);
      set(tips[2 * i + 1], -1.0);
    });
    return;
  }
  const Matrix3 axes =
      loop_traits(its.type).has_axis ? rotation_from_z_to(its.axis) : Matrix3(Matrix3::Identity());
  const LoopPoints ends(its, axes, frames);
  const auto rows = loop_rows(its, ends);
  double sign = 1.0;
  for (Tip& tip : tips) {
    const Vector3 arm = ends.to - frames.r[at(tip.body)];
    for (int r = 0; r < its.rows(); ++r) {
      const LoopRow& row = rows[at(r)];
      tip.wrench.col(r) << sign * row.linear, sign * (row.angular + arm.cross(row.linear));
    }
    sign = -sign;
  }
}

PartTree::PartTree(const Model& model, bool base_is_free, const std::vector<Loop>& loops)
    : model_(model), base_is_free_(base_is_free), loops_(loops) {
  find_bodies();
  collect(loops);
  if (order_.empty()) return;
  std::vector<int> all(items_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  root_ = make(0, static_cast<int>(order_.size()), all, 0);
}

void PartTree::refuse(int body, const char* why) const {
  throw DomainError("divide and conquer cannot take model '" + model_.name() + "': body '" +
                    model_.body(body).name + "' " + why);
}

void PartTree::find_bodies() {
  const int count = model_.body_count();
  std::vector<bool> is_massless(at(count), false);
  for (int body = base_is_free_ ? 0 : 1; body < count; ++body) {
    if (has_full_inertia(model_.body(body))) continue;
    if (body == 0 || !has_no_inertia(model_.body(body)))
      refuse(body, "has no inertia about some axis");
    if (model_.topology().children(body).size() != 1) {
      refuse(body, "has no inertia and does not carry exactly one other body");
    }
    is_massless[at(body)] = true;
    massless_.push_back(body);
  }
  position_.assign(at(count), -1);
  joints_.resize(at(count));
  lower_.assign(at(count), -1);
  std::vector<int> carried(at(count), 1);
  for (int body = count - 1; body > 0; --body) {
    carried[at(model_.topology().connection(body))] += carried[at(body)];
  }
  std::vector<int> waiting{0};
  while (!waiting.empty()) {
    const int body = waiting.back();
    waiting.pop_back();
    // short branches first: loops between neighbours along a chain stay close
    const LinkList carried_links = model_.topology().children(body);
    std::vector<int> children(carried_links.begin(), carried_links.end());
    std::stable_sort(children.begin(), children.end(),
                     [&](int a, int b) { return carried[at(a)] < carried[at(b)]; });
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
    if (is_massless[at(body)] || (body == 0 && !base_is_free_)) continue;
    position_[at(body)] = static_cast<int>(order_.size());
    order_.push_back(body);
    int below = body;
    while (below > 0) {
      joints_[at(body)].push_back(below);
      below = model_.topology().connection(below);
      if (!is_massless[at(below)]) break;
    }
    lower_[at(body)] = below;
  }
}

std::vector<int> PartTree::tips_of(const Loop& loop) const {
  std::vector<int> tips;
  if (loop_traits(loop.type).joins_points) {
    tips = {loop.to.body, loop.from.body};
  } else {
    for (const int joint : loop.joints) {
      tips.push_back(joint);
      tips.push_back(model_.topology().connection(joint));
    }
  }
  for (const int tip : tips) {
    const bool held = tip == 0 && !base_is_free_;
    if (!held && position_[at(tip)] < 0) refuse(tip, "has no inertia, but a loop is fixed to it");
  }
  return tips;
}

void PartTree::collect(const std::vector<Loop>& loops) {
  // a loop is closed after all joints along it, which are those of independent rows
  const auto finish = [&](Item item, const std::vector<int>& along) {
    item.first = static_cast<int>(order_.size());
    item.last = -1;
    for (const int body : along) {
      const int place = position_[at(body)];
      if (place < 0) continue;
      item.first = std::min(item.first, place);
      item.last = std::max(item.last, place);
    }
    if (item.last >= 0) items_.push_back(std::move(item));
  };
  for (const int body : order_) {
    if (body > 0) finish({true, body, {body, lower_[at(body)]}, 0, 0}, {body, lower_[at(body)]});
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::vector<int> tips = tips_of(loops[i]);
    std::vector<int> along = tips;
    for (std::size_t j = 0; j + 1 < tips.size(); ++j) {
      const int home = meeting_body(model_, tips[j], tips[j + 1]);
      along.push_back(home);
      for (const int tip : {tips[j], tips[j + 1]}) {
        const std::vector<int> joints = joints_down_to(model_, tip, home);
        along.insert(along.end(), joints.begin(), joints.end());
      }
    }
    finish({false, static_cast<int>(i), tips, 0, 0}, along);
  }
}

std::unique_ptr<Part> PartTree::make(int begin, int end, const std::vector<int>& items, int level) {
  auto part = std::make_unique<Part>();
  levels_ = std::max(levels_, level);
  std::vector<int> own, low, high, outward;
  const int middle = begin + (end - begin + 1) / 2;
  for (const int i : items) {
    const Item& item = items_[at(i)];
    const bool inside = item.first >= begin && item.last < end;
    const bool single = end - begin == 1;
    if (!inside) {
      outward.push_back(i);
    } else if (single || (item.first < middle && item.last >= middle)) {
      own.push_back(i);
    }
    if (single) continue;
    if (item.first < middle) low.push_back(i);
    if (item.last >= middle) high.push_back(i);
  }
  if (end - begin == 1) {
    part->bodies = {order_[at(begin)]};
  } else {
    part->lower = make(begin, middle, low, level + 1);
    part->upper = make(middle, end, high, level + 1);
    const auto take = [&](const Part& half, std::vector<int>& places) {
      places.assign(half.bodies.size(), -1);
      for (const int kept : half.kept) {
        places[at(kept)] = static_cast<int>(part->bodies.size());
        part->bodies.push_back(half.bodies[at(kept)]);
      }
    };
    take(*part->lower, part->from_lower);
    take(*part->upper, part->from_upper);
  }
  if (static_cast<int>(part->bodies.size()) > kMostOuterBodies) {
    throw DimensionError("divide and conquer does not pay for model '" + model_.name() +
                         "': a part of it has more than " + std::to_string(kMostOuterBodies) +
                         " bodies that others are fixed to");
  }
  const auto size = 6 * static_cast<Eigen::Index>(part->bodies.size());
  part->Phi = MatrixX::Zero(size, size);
  part->b = part->force = VectorX::Zero(size);
  for (const int i : own) add_item(items_[at(i)], *part);
  std::set<int> outer;
  for (const int i : outward) {
    outer.insert(items_[at(i)].bodies.begin(), items_[at(i)].bodies.end());
  }
  for (std::size_t i = 0; i < part->bodies.size(); ++i) {
    if (outer.count(part->bodies[i]) > 0) part->kept.push_back(static_cast<int>(i));
  }
  return part;
}

void PartTree::add_item(const Item& item, Part& part) const {
  const auto place_of = [&](int body) {
    const auto found = std::find(part.bodies.begin(), part.bodies.end(), body);
    return found == part.bodies.end() ? -1 : static_cast<int>(found - part.bodies.begin());
  };
  const Eigen::Index size = part.b.size();
  if (item.is_joint) {
    PartJoint joint;
    joint.body = item.index;
    joint.lower_body = lower_[at(item.index)];
    joint.upper = place_of(joint.body);
    joint.lower = place_of(joint.lower_body);
    joint.joints = joints_[at(item.index)];
    joint.free = joint.joints;
    const auto count = static_cast<Eigen::Index>(joint.joints.size());
    joint.c.setZero(size, 6);
    joint.S.setZero(6, count);
    joint.G.setZero(count, 6);
    joint.torque = joint.armature = joint.rate = VectorX::Zero(count);
    part.joints.push_back(std::move(joint));
    return;
  }
  PartLoop loop;
  loop.loop = item.index;
  const Eigen::Index rows = loops_[at(item.index)].rows();
  for (const int body : item.bodies) {
    loop.tips.push_back({body, place_of(body), Matrix6X::Zero(6, rows)});
  }
  loop.c.setZero(size, rows);
  loop.P.setZero(rows, rows);
  loop.lambda.setZero(rows);
  part.loops.push_back(std::move(loop));
}

}  // namespace spacedyn
