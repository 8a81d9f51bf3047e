#include "model/beam_parts.hpp"

#include <cmath>

#include "math/decompositions.hpp"

namespace spacedyn {
namespace {

BeamPart make_part(const FlexibleBeamDescription& beam, double begin, double end) {
  BeamPart part;
  part.begin = begin;
  part.end = end;
  part.mass = beam.mass * (end - begin) / beam.length;
  // a uniform box
  const double a = part.length() * part.length();
  const double w = beam.width * beam.width;
  const double h = beam.height * beam.height;
  part.inertia = part.mass / 12.0 * Vector3(w + h, a + h, a + w);
  return part;
}

/// Inertia of the tip body against rotations of one motion about points at distances dx_i, dx_j.
double tip_inertia(const BodyDescription& tip, BeamMotion motion, double dx_i, double dx_j) {
  const Vector3& c = tip.center_of_mass;
  switch (motion) {
    case BeamMotion::bending_y:
      return tip.inertia(1, 1) + tip.mass * ((dx_i + c.x()) * (dx_j + c.x()) + c.z() * c.z());
    case BeamMotion::bending_z:
      return tip.inertia(2, 2) + tip.mass * ((dx_i + c.x()) * (dx_j + c.x()) + c.y() * c.y());
    case BeamMotion::torsion:
      break;
  }
  return tip.inertia(0, 0) + tip.mass * (c.y() * c.y() + c.z() * c.z());
}

/// The same of one part whose centroid is on the axis.
double part_inertia(const BeamPart& part, BeamMotion motion, double x_i, double x_j) {
  if (motion == BeamMotion::torsion) return part.inertia.x();
  const double centre = 0.5 * (part.begin + part.end);
  return part.inertia(motion == BeamMotion::bending_y ? 1 : 2) +
         part.mass * (centre - x_i) * (centre - x_j);
}

}  // namespace

std::vector<BeamPart> beam_parts(const FlexibleBeamDescription& beam) {
  const double first = beam.hinges == HingePlacement::segment_ends ? 0.0 : 0.5;
  const auto hinge = [&](int i) { return (i - 1 + first) * beam.length / beam.segments; };
  std::vector<BeamPart> parts{make_part(beam, 0.0, hinge(1))};
  for (int i = 1; i <= beam.segments; ++i) {
    parts.push_back(make_part(beam, hinge(i), i < beam.segments ? hinge(i + 1) : beam.length));
  }
  return parts;
}

double beam_stiffness(const FlexibleBeamDescription& beam, BeamMotion motion) {
  switch (motion) {
    case BeamMotion::bending_y:
      return beam.bending_stiffness_y;
    case BeamMotion::bending_z:
      return beam.bending_stiffness_z;
    case BeamMotion::torsion:
      break;
  }
  return beam.torsional_stiffness;
}

double hinge_stiffness(const FlexibleBeamDescription& beam, BeamMotion motion, int hinge) {
  const bool at_root = hinge == 1 && beam.hinges == HingePlacement::segment_ends;
  return (at_root ? 2.0 : 1.0) * beam_stiffness(beam, motion) * beam.segments / beam.length;
}

double clamped_frequency(const FlexibleBeamDescription& beam, BeamMotion motion) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (std::isinf(beam_stiffness(beam, motion))) return infinity;
  const std::vector<BeamPart> parts = beam_parts(beam);
  // 1/ω² are the eigenvalues of K^(-1/2) M K^(-1/2), which exist for a singular M, too
  MatrixX A(beam.segments, beam.segments);
  for (int i = 1; i <= beam.segments; ++i) {
    for (int j = 1; j <= i; ++j) {
      const double x_i = parts[static_cast<std::size_t>(i)].begin;
      const double x_j = parts[static_cast<std::size_t>(j)].begin;
      double M = tip_inertia(beam.tip, motion, beam.length - x_i, beam.length - x_j);
      for (auto p = static_cast<std::size_t>(i); p < parts.size(); ++p) {
        M += part_inertia(parts[p], motion, x_i, x_j);
      }
      A(i - 1, j - 1) =
          M / std::sqrt(hinge_stiffness(beam, motion, i) * hinge_stiffness(beam, motion, j));
    }
  }
  const double largest = symmetric_eigenvalues(MatrixX(A))(beam.segments - 1);
  return largest > 0.0 ? 1.0 / std::sqrt(largest) : infinity;
}

}  // namespace spacedyn
