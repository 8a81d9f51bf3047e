#include "spacedyn/model/flexible_beam.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/decompositions.hpp"
#include "model/beam_parts.hpp"
#include "model/model_validation.hpp"

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

// a section without dimensions is drawn with this fraction of the length
constexpr double kDrawnThickness = 0.01;

struct HingeAxis {
  BeamMotion motion;
  const char* letter;
  Vector3 axis;
};

/// The axes about which a beam has joints, from the root of a hinge outwards.
std::vector<HingeAxis> hinge_axes(const FlexibleBeamDescription& beam) {
  std::vector<HingeAxis> axes;
  const auto add = [&](BeamMotion motion, const char* letter, const Vector3& axis) {
    if (!std::isinf(beam_stiffness(beam, motion))) axes.push_back({motion, letter, axis});
  };
  add(BeamMotion::bending_y, "y", Vector3::UnitY());
  add(BeamMotion::bending_z, "z", Vector3::UnitZ());
  add(BeamMotion::torsion, "x", Vector3::UnitX());
  return axes;
}

std::string numbered(const FlexibleBeamDescription& beam, int i) {
  return i == 0 ? beam.name : beam.name + '_' + std::to_string(i);
}

class BeamExpansion {
 public:
  explicit BeamExpansion(const FlexibleBeamDescription& beam)
      : beam_(beam), parts_(beam_parts(beam)), axes_(hinge_axes(beam)) {
    const BeamDamping damping = beam_damping(beam);
    for (const HingeAxis& axis : axes_) {
      damping_times_.push_back(damping.times[static_cast<std::size_t>(axis.motion)]);
    }
  }

  std::vector<LinkDescription> run() {
    add_root();
    for (int i = 1; i <= beam_.segments; ++i) add_hinge(i);
    add_tip();
    return std::move(links_);
  }

 private:
  void add_root() {
    LinkDescription root;
    root.parent = beam_.parent;
    root.joint.type = JointType::fixed;
    root.joint.origin = beam_.origin;
    root.notes = beam_.notes;
    fill(root, 0);
    links_.push_back(std::move(root));
  }

  /// The joints of one hinge and the segment that the last of them carries.
  void add_hinge(int i) {
    Vector3 position(part(i).begin - part(i - 1).begin, 0.0, 0.0);
    std::string parent = numbered(beam_, i - 1);
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      LinkDescription link;
      link.parent = parent;
      link.joint.name = numbered(beam_, i) + '_' + axes_[a].letter;
      link.joint.origin.position = position;
      link.joint.axis = axes_[a].axis;
      link.joint.stiffness = hinge_stiffness(beam_, axes_[a].motion, i);
      link.joint.damping = damping_times_[a] * link.joint.stiffness;
      link.name = link.joint.name;
      if (a + 1 == axes_.size()) fill(link, i);
      parent = link.name;
      position.setZero();
      links_.push_back(std::move(link));
    }
  }

  void add_tip() {
    LinkDescription tip;
    static_cast<BodyDescription&>(tip) = beam_.tip;
    tip.name = beam_.name + "_tip";
    tip.parent = numbered(beam_, beam_.segments);
    tip.joint.type = JointType::fixed;
    tip.joint.origin.position.x() = part(beam_.segments).length();
    links_.push_back(std::move(tip));
  }

  void fill(LinkDescription& link, int i) const {
    link.name = numbered(beam_, i);
    link.mass = part(i).mass;
    link.center_of_mass = Vector3(0.5 * part(i).length(), 0.0, 0.0);
    link.inertia = part(i).inertia.asDiagonal();
    if (part(i).length() > 0.0) link.visuals.push_back(picture(part(i).length()));
  }

  Visual picture(double length) const {
    const double thin = kDrawnThickness * beam_.length;
    Visual box;
    box.shape = "box";
    box.size = {length, beam_.width > 0.0 ? beam_.width : thin,
                beam_.height > 0.0 ? beam_.height : thin};
    box.origin.position.x() = 0.5 * length;
    box.color = beam_.color;
    return box;
  }

  const BeamPart& part(int i) const { return parts_[static_cast<std::size_t>(i)]; }

  const FlexibleBeamDescription& beam_;
  std::vector<BeamPart> parts_;
  std::vector<HingeAxis> axes_;
  std::vector<double> damping_times_;  // D/K of each axis, s
  std::vector<LinkDescription> links_;
};

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

std::vector<LinkDescription> expand_flexible_beam(const FlexibleBeamDescription& beam) {
  std::vector<Problem> problems = validate_flexible_beam(beam, beam.name);
  const bool refused = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == Severity::error;
  });
  if (refused) throw ModelError(std::move(problems));
  return BeamExpansion(beam).run();
}

BeamMount mount_on_beam(const FlexibleBeamDescription& beam, const Pose& pose) {
  const std::vector<BeamPart> parts = beam_parts(beam);
  int i = 0;
  while (i < beam.segments && pose.position.x() > parts[static_cast<std::size_t>(i)].end) ++i;
  BeamMount mount{numbered(beam, i), pose};
  mount.pose.position.x() -= parts[static_cast<std::size_t>(i)].begin;
  return mount;
}

namespace {

class BeamValidator {
 public:
  BeamValidator(const FlexibleBeamDescription& beam, const std::string& path)
      : beam_(beam), path_(path) {}

  std::vector<Problem> run() {
    validate_pose(beam_.origin, path_ + ".origin", problems_);
    require(is_positive(beam_.length), "length", "expected a finite, positive length");
    require(std::isfinite(beam_.mass) && beam_.mass >= 0.0, "mass",
            "expected a finite mass of at least 0 kg");
    require(std::isfinite(beam_.damping_ratio) && beam_.damping_ratio >= 0.0, "damping_ratio",
            "expected a finite number of at least 0");
    require(beam_.segments >= 1 && beam_.segments <= kMaxBeamSegments, "segments",
            "expected 1 to " + std::to_string(kMaxBeamSegments) + " segments, got " +
                std::to_string(beam_.segments));
    require(is_size(beam_.width) && is_size(beam_.height), "cross_section",
            "expected a finite width and height of at least 0");
    check_stiffness();
    validate_body(beam_.tip, path_ + ".tip", problems_);
    if (problems_.empty()) check_inertia();
    if (problems_.empty()) check_damping();
    return std::move(problems_);
  }

 private:
  static bool is_positive(double value) { return std::isfinite(value) && value > 0.0; }
  static bool is_size(double value) { return std::isfinite(value) && value >= 0.0; }

  void require(bool rule, const std::string& key, const std::string& message,
               const std::string& hint = "") {
    if (!rule) problems_.push_back({Severity::error, path_ + '.' + key, message, hint});
  }

  void check_stiffness() {
    const char* expected = "expected a positive stiffness, infinite where the beam is rigid";
    require(beam_.bending_stiffness_y > 0.0, "bending_stiffness.y", expected);
    require(beam_.bending_stiffness_z > 0.0, "bending_stiffness.z", expected);
    require(beam_.torsional_stiffness > 0.0, "torsional_stiffness", expected);
    const double least =
        std::min({beam_.bending_stiffness_y, beam_.bending_stiffness_z, beam_.torsional_stiffness});
    require(
        !std::isinf(least), "bending_stiffness",
        "expected at least one finite stiffness, got a beam that is rigid in bending and torsion",
        "a rigid beam is a link");
  }

  /// Nothing between two hinges may be free of inertia: nothing would resist its motion.
  void check_inertia() {
    require(beam_.mass > 0.0 || (beam_.segments == 1 && beam_.tip.mass > 0.0), "mass",
            "expected a positive mass, got 0: segments would move without resistance",
            "a massless beam needs a mass at its tip and has one segment");
    const bool twists = !std::isinf(beam_.torsional_stiffness);
    const bool resists =
        beam_.width > 0.0 || beam_.height > 0.0 || (beam_.segments == 1 && clamped_inertia() > 0.0);
    require(!twists || resists, "torsional_stiffness",
            "expected an infinite stiffness: a beam without a cross_section has no inertia about "
            "its axis",
            "give cross_section: [width, height]");
  }

  /// Where the tip couples motions their first modes cannot always have the ratio that is asked
  /// for.
  void check_damping() {
    static constexpr const char* kNames[] = {"bending about y", "bending about z", "torsion"};
    const BeamDamping damping = beam_damping(beam_);
    std::string modes;
    for (std::size_t m = 0; m < damping.ratios.size(); ++m) {
      if (std::isinf(beam_stiffness(beam_, static_cast<BeamMotion>(m)))) continue;
      if (std::abs(damping.ratios[m] - beam_.damping_ratio) <= 0.01 * beam_.damping_ratio) continue;
      modes += fmt::format("{}{} {:.3g}", modes.empty() ? "" : ", ", kNames[m], damping.ratios[m]);
    }
    if (modes.empty()) return;
    problems_.push_back(
        {Severity::warning, path_ + ".damping_ratio",
         "the tip couples bending and torsion: first modes get other ratios, " + modes,
         "hinge damping is proportional to hinge stiffness in each plane"});
  }

  double clamped_inertia() const {
    const Vector3& c = beam_.tip.center_of_mass;
    return beam_.tip.inertia(0, 0) + beam_.tip.mass * (c.y() * c.y() + c.z() * c.z());
  }

  const FlexibleBeamDescription& beam_;
  std::string path_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> validate_flexible_beam(const FlexibleBeamDescription& beam,
                                            const std::string& path) {
  return BeamValidator(beam, path).run();
}

}  // namespace spacedyn
