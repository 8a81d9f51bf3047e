/// @file
/// Compliant contact as a force element.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/contact_law.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Two shapes that may touch, or a shape and the ground.
struct ContactPair {
  BodyShape a, b;
  bool on_ground = false;  ///< then b means nothing
  int ground_parts = 1;    ///< Terrain::part_count(), set by the contact

  /// Numbers of points, each with a history.
  int point_count() const;
  /// Whether its points change all the time and have one history together.
  bool has_patch() const { return !on_ground && !touches_in_point(a.type, b.type); }
};

/// A contact as the channel `contacts` records it.
struct ContactReading {
  double depth = 0.0;               ///< of the deepest point, m; negative: the least distance
  double normal_force = 0.0;        ///< sum over all points, N
  double friction = 0.0;            ///< magnitude of the sum over all points, N
  Vector3 point = Vector3::Zero();  ///< mean weighted with the normal forces, else the deepest
  double slip_velocity = 0.0;       ///< greatest of the points that touch, m/s
};

/// Normal force and friction between pairs of shapes, at each of their points of contact.
///
/// Each point is a spring of its own: a box that lies flat on k stands on 4 k. Both bodies get
/// opposite forces at the same place, so momentum is kept to rounding. The elastic energy and that
/// of the bristles count as stored, all else is lost; of single points it is never negative.
///
/// Auxiliary states of each number: the speed of its impact, −1 while it is apart, −2 while a point
/// of the linear law touches without pressing, because its damper does not let it, and 0 before a
/// run has set it, when its depth decides; where there are patches the work that is stored in them;
/// with bristles their deflection in the axes of the second body. They are set where the point or
/// the patch begins and ceases to touch or to press, at events of which the result shows those of
/// the whole contact, `<name> touches` and `<name> lifts`. What a patch has stored along the path
/// and has not given back by then counts as lost.
class SPACEDYN_EXPORT ContactForce final : public ForceElement {
 public:
  struct Settings {
    std::vector<ContactPair> pairs;
    std::shared_ptr<const Terrain> terrain;  ///< where a pair is on the ground
    NormalContact::Settings normal;
    ContactFriction friction;
  };

  /// @throws DomainError if a number has no meaning, there is no pair, a pair is not supported or a
  /// terrain is missing
  ContactForce(std::string name, const Settings& settings);
  ~ContactForce() override;

  const Settings& settings() const { return settings_; }
  const NormalContact& normal() const { return normal_; }
  int point_count() const { return point_count_; }

  /// @throws DomainError if a shape is on no body of the model or both are on one
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  /// In closed form for all shapes on the ground, spheres with all shapes but meshes, and capsules
  /// with capsules; nothing where one pair is another.
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  int auxiliary_size() const override { return point_count_ * states_per_point_; }
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  void append_events(std::vector<ElementEvent>& events) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;
  EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef rate) const override;
  /// Impulse of the normal force, N s, and work of friction, J.
  int integral_count() const override { return 2; }
  void integrands(const EvaluationContext& context, VectorRef rates) const override;

  ContactReading reading(const EvaluationContext& context) const;
  /// Sum of the normal forces, N.
  double normal_force(const EvaluationContext& context) const;
  /// Depth of the deepest point, and its rate; as positive as anything touches.
  double depth(const EvaluationContext& context) const;
  double depth_rate(const EvaluationContext& context) const;

 private:
  struct Motion;
  struct Touch;
  struct Answer;
  struct PointChanges;
  struct Place {
    const ContactPair* pair;
    int first;  // number of its first point
    double reach;
  };
  template <typename Visit>
  void for_each_touch(const EvaluationContext& context, const Visit& visit) const;
  Motion motion(const EvaluationContext& context, const ContactPair& pair,
                const ContactPoint& at) const;
  Motion motion_of(const EvaluationContext& context, int point) const;
  Motion motion_of(const EvaluationContext& context, const Place& place, int number) const;
  Motion deepest(const EvaluationContext& context) const;
  double distance_apart(const EvaluationContext& context, const Place& place) const;
  /// Whether no point of a part of the ground can be as deep as that.
  bool is_part_below(const EvaluationContext& context, const Place& place, int part,
                     double depth) const;
  Answer answer(const EvaluationContext& context, const Touch& touch, int number) const;
  Vector3 bristle_rate(const EvaluationContext& context, const Touch& touch) const;
  /// Springs that a touch counts as: its points, each by its part of the greatest depth.
  static double springs(const Touch& touch);
  double stored_rate(const EvaluationContext& context, const Touch& touch,
                     const Vector3& stretching) const;
  void add_loads(const EvaluationContext& context, const Touch& touch, Loads& loads) const;
  void write_states(const EvaluationContext& context, const Touch& touch, VectorRef zd) const;
  void add_rates(const EvaluationContext& context, const Touch& touch, EnergyRates& rates) const;
  void reset(const EvaluationContext& context, int point, VectorRef z) const;
  bool may_be_loose(const ContactPair& pair) const;
  void append_loosening(int point, std::vector<ElementEvent>& events) const;
  void differentiate(const EvaluationContext& context, const Touch& touch,
                     LoadDerivatives& derivatives) const;

  Settings settings_;
  NormalContact normal_;
  std::vector<Place> places_;
  int point_count_ = 0, states_per_point_ = 0, bristle_at_ = 1;
  bool has_patches_ = false, has_gradients_ = true;
};

}  // namespace spacedyn
