/// @file
/// What forces between two frames have in common: equal and opposite loads and their derivatives.
#pragma once

#include "forces/separation.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {

/// A force and a moment at the origin of the second frame, on the body of that frame, inertial
/// axes; the body of the first frame gets the opposite at the same place.
struct PairWrench {
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
};

/// Positions and velocities of the origins of two frames and of their bodies, or how these change
/// with one coordinate: then `turn` is a rotation vector. Inertial axes.
struct PairMotion {
  struct End {
    Vector3 r = Vector3::Zero(), turn = Vector3::Zero();
    Vector3 v = Vector3::Zero(), omega = Vector3::Zero();
  };
  End from, to;
  Separation apart;  ///< of the ends, to more digits than their difference has far away

  /// Takes the separation of ends that are known to all digits.
  void part() { apart = {to.r - from.r, to.v - from.v}; }
  const Vector3& distance() const { return apart.distance; }
  const Vector3& velocity() const { return apart.velocity; }
  Vector3 spin() const { return to.omega - from.omega; }
};

/// Two frames on two bodies, or the ground and a frame.
class FramePair {
 public:
  /// The body of a first frame that is the ground: at rest, without loads.
  static constexpr int kGround = -1;

  FramePair(Frame from, Frame to) : from_(std::move(from)), to_(std::move(to)) {}

  const Frame& from() const { return from_; }
  const Frame& to() const { return to_; }

  /// @throws DomainError unless the frames are finite and on two bodies that the model has
  void check(const Element& element, const Model& model) const;

  /// Where the frames are now; `turn` is zero.
  PairMotion motion(const EvaluationContext& context) const;
  /// Adds a wrench and its reaction.
  /// @param distance  of the frames
  void apply(const EvaluationContext& context, const Vector3& distance, const PairWrench& wrench,
             Loads& loads) const;
  /// Adds derivatives of a wrench that depends on where the frames are and how they move.
  /// @param change_of  PairWrench of a PairMotion: first-order change of the wrench
  template <typename Change>
  void differentiate(const EvaluationContext& context, const PairWrench& now,
                     const Change& change_of, LoadDerivatives& derivatives) const;
  /// Visits how the frames change with each coordinate that moves one against the other or, by
  /// velocity, with its rate.
  /// @param visit  (const PairMotion& change, bool by_velocity, Eigen::Index column)
  template <typename Visit>
  void for_each_change(const EvaluationContext& context, const PairMotion& motion,
                       const Visit& visit) const;
  /// Adds the generalized force of a change of the wrench and of where it acts.
  void add(const EvaluationContext& context, const PairMotion& now, const PairMotion& change,
           const PairWrench& wrench, const PairWrench& wrench_change, VectorRef column) const;

 private:
  /// A coordinate that turns or shifts all bodies beyond it.
  struct Coordinate {
    int carrier;  // the body relative to which motions turn with it, 0 for the base
    Vector3 turn, slide, pivot;
    Vector3 moves(const Vector3& point) const { return turn.cross(point - pivot) + slide; }
  };
  static PairMotion::End with_perturbed_configuration(const EvaluationContext& context,
                                                      const Coordinate& coordinate,
                                                      const PairMotion::End& now);
  static PairMotion::End with_perturbed_velocity(const Coordinate& coordinate,
                                                 const PairMotion::End& now);
  bool on_ground() const { return from_.body == kGround; }

  Frame from_, to_;
};

/// The body relative to which motions of bodies beyond turn with joint j: its own, whose axis
/// stays; for the axes of a spherical joint, which turn with its link, the one below the joint.
inline int carrier_of_motion(const Model& model, int j) {
  const int place = model.joint(j).spherical;
  return place == 0 ? j : model.topology().connection(j + 1 - place);
}

template <typename Visit>
void FramePair::for_each_change(const EvaluationContext& context, const PairMotion& motion,
                                const Visit& visit) const {
  const Model& model = context.model;
  const auto vary = [&](const Coordinate& coordinate, bool from, bool to, Eigen::Index column) {
    PairMotion moved, faster;
    if (from) moved.from = with_perturbed_configuration(context, coordinate, motion.from);
    if (to) moved.to = with_perturbed_configuration(context, coordinate, motion.to);
    moved.part();
    visit(moved, false, column);
    if (from) faster.from = with_perturbed_velocity(coordinate, motion.from);
    if (to) faster.to = with_perturbed_velocity(coordinate, motion.to);
    faster.part();
    visit(faster, true, column);
  };
  // a shift of all changes nothing between two bodies
  for (int i = 0; i < 3 && on_ground(); ++i) {
    PairMotion moved, faster;
    moved.to.r = faster.to.v = Vector3::Unit(i);
    moved.part();
    faster.part();
    visit(moved, false, i);
    visit(faster, true, i);
  }
  for (int i = 0; i < 3; ++i) {
    vary({0, Vector3::Unit(i), Vector3::Zero(), context.frames.r[0]}, !on_ground(), true, 3 + i);
  }
  const auto vary_joint = [&](int joint, bool from, bool to) {
    const auto j = static_cast<std::size_t>(joint);
    const Joint& its = model.joint(joint);
    const Vector3& k = context.frames.k[j];
    vary({carrier_of_motion(model, joint), its.turn * k, its.slide * k, context.frames.p[j]}, from,
         to, LoadDerivatives::joint(joint));
  };
  const Topology& tree = model.topology();
  for_each_joint_below(model, to_.body, [&](int joint) {
    vary_joint(joint, tree.is_ancestor(joint, from_.body), true);
  });
  for_each_joint_below(model, from_.body, [&](int joint) {
    if (!tree.is_ancestor(joint, to_.body)) vary_joint(joint, true, false);
  });
}

template <typename Change>
void FramePair::differentiate(const EvaluationContext& context, const PairWrench& now,
                              const Change& change_of, LoadDerivatives& derivatives) const {
  const PairMotion motion = this->motion(context);
  for_each_change(context, motion, [&](const PairMotion& change, bool by_velocity, auto column) {
    MatrixX& by = by_velocity ? derivatives.force_velocity : derivatives.force_configuration;
    add(context, motion, change, now, change_of(change), by.col(column));
  });
}

}  // namespace spacedyn
