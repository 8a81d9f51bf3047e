#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/beam_parts.hpp"
#include "model/model_validation.hpp"

namespace spacedyn {
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
