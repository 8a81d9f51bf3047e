/// @file
/// Flexible beams as chains of rigid segments with elastic hinges.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// Where the hinges of N segments of length ℓ = L/N are, numbered from the root.
enum class HingePlacement {
  segment_ends,  ///< hinge i at (i − 1) ℓ, that at the root twice as stiff; frequencies from below
  segment_centres  ///< hinge i at (i − ½) ℓ, half a segment before the first; from above
};

/// The kinds of deformation of a slender beam, by the axis of its hinges.
enum class BeamMotion { bending_y, bending_z, torsion };

/// A uniform Euler–Bernoulli beam along the x axis of its own frame, with a body at its tip.
struct FlexibleBeamDescription {
  std::string name;
  std::string parent;   ///< body that carries the root
  Pose origin;          ///< beam frame in the parent's user frame
  double length = 0.0;  ///< L, m
  double mass = 0.0;    ///< of the whole beam, kg
  double bending_stiffness_y = std::numeric_limits<double>::infinity();  ///< EI about y, N m²
  double bending_stiffness_z = std::numeric_limits<double>::infinity();  ///< EI about z, N m²
  double torsional_stiffness = std::numeric_limits<double>::infinity();  ///< GJ, N m²
  double damping_ratio = 0.0;  ///< ζ of the lowest clamped mode of each motion
  int segments = 1;            ///< N
  HingePlacement hinges = HingePlacement::segment_centres;
  double width = 0.0;   ///< of a rectangular section, along y, m: rotary inertia and picture
  double height = 0.0;  ///< along z, m
  BodyDescription tip;  ///< fixed to the tip; its frame is the beam's, moved to x = L
  std::string color;    ///< of the picture, \#rrggbb
  Notes notes;
};

/// Most segments of one beam.
inline constexpr int kMaxBeamSegments = 1000;

/// Every problem of a beam, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_flexible_beam(const FlexibleBeamDescription& beam,
                                                            const std::string& path);

/// The chain that stands for a beam, from the root to the tip.
///
/// Hinges have K = EI/ℓ (GJ/ℓ in torsion), twice that at the root with segment_ends, and
/// D = 2 ζ K / ω_1, ω_1 being clamped_frequency(): ζ for the first mode, ζ ω_k/ω_1 for the k-th. A
/// tip whose centroid is off the axis couples bending and torsion; then D/K of each motion is that
/// which gives its first coupled mode ζ, as nearly as D ≥ 0 allows: the problems of the beam say
/// where it does not.
/// Frequencies converge as 1/N², and so does the deflection under a force at the tip; the slope of
/// the tip under a moment does so with segment_centres, but as 1/N with segment_ends.
///
/// Links: `<name>` is the part fixed to the parent (massless with segment_ends), `<name>_1` …
/// `<name>_N` are the segments and `<name>_tip` is fixed to the last. Joints: `<name>_<i>_y`, `_z`,
/// `_x`, in this order, as far as they bend or twist; links between joints of one hinge are
/// massless and have the joint's name. O(N³).
/// @throws ModelError if the beam has problems
SPACEDYN_EXPORT std::vector<LinkDescription> expand_flexible_beam(
    const FlexibleBeamDescription& beam);

/// Lowest frequency of the chain clamped at its root, the tip body included, rad/s; infinite where
/// nothing moves. Motions are taken by themselves, as if the tip's centroid were on the axis of
/// a principal body. O(N³).
/// @pre the beam has no problems
SPACEDYN_EXPORT double clamped_frequency(const FlexibleBeamDescription& beam, BeamMotion motion);

/// A body of the chain and a pose in its user frame.
struct BeamMount {
  std::string body;
  Pose pose;
};

/// What carries a thing placed in the frame of the straight beam: the part that is at its x, the
/// tip beyond the end, the root before the start; on a hinge the part nearer to the root.
SPACEDYN_EXPORT BeamMount mount_on_beam(const FlexibleBeamDescription& beam, const Pose& pose);

}  // namespace spacedyn
