/// @file
/// Which shapes of rigid contacts touch, or are about to. Private.
#pragma once

#include <vector>

#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// A point that touches, or may within a step.
struct FoundPoint {
  std::size_t contact = 0;  ///< among the rigid contacts
  std::size_t pair = 0;     ///< among all pairs of all contacts
  ContactPoint at;
};

/// Pairs of shapes of all rigid contacts of a system, of which those near to each other are found
/// by sweeping their boxes along x: few of many bodies are looked at.
class ContactFinder {
 public:
  struct Contact {
    const RigidContact* element;
    std::size_t slot;    ///< among the elements
    int first_integral;  ///< among those of all elements
  };
  struct Pair {
    std::size_t contact;
    const ContactPair* shapes;
  };

  explicit ContactFinder(const SystemElements& elements);

  const std::vector<Contact>& contacts() const { return contacts_; }
  const std::vector<Pair>& pairs() const { return pairs_; }

  /// More points than bodies have where each touches a dozen others.
  std::size_t most_points() const;
  /// All points that could touch within a time, in the order of the pairs; the same for the same
  /// motion. Allocates only where there are more than ever before.
  /// @param time  s
  void find(const LinkFrames& frames, const LinkVelocities& velocities, double time,
            std::vector<FoundPoint>& points);

 private:
  struct Shape {
    const BodyShape* shape;
    double radius;
  };
  /// A shape at the instant with the box that it may leave only after the time.
  struct Placed {
    ShapePose pose;
    Vector3 low, high;
    double travel;
  };
  struct Partner {
    std::size_t a, b;  // shapes
    std::size_t pair;
  };

  std::size_t index_of(const BodyShape& shape);
  void place(const LinkFrames& frames, const LinkVelocities& velocities, double time);
  void sweep();
  void add_ground(std::size_t pair, std::size_t shape, std::vector<FoundPoint>& points) const;
  void add_pair(const Partner& partner, std::vector<FoundPoint>& points) const;

  std::vector<Contact> contacts_;
  std::vector<Pair> pairs_;
  std::vector<Shape> shapes_;
  std::vector<std::size_t> shape_on_ground_;  // of a pair
  std::vector<int> first_of_;                 // shape × shape: the first pair of both, −1: none
  std::vector<int> next_of_;                  // pair: another one of the same shapes, −1: none
  std::vector<Placed> placed_;
  std::vector<std::size_t> order_;  // of the shapes along x
  std::vector<Partner> near_;
};

}  // namespace spacedyn
