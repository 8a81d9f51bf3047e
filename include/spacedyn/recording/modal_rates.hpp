/// @file
/// How fast the bodies turn that carry modal appendages.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/recording/run_watch.hpp"

namespace spacedyn {

/// A modal appendage of a model, and the body that carries its root.
struct ModalAppendage {
  std::string name;
  int body = 0;                  ///< 0…n
  double first_frequency = 0.0;  ///< lowest ω_k, rad/s
};

/// Largest share of its first frequency at which a modal appendage may turn without a warning:
/// there a beam has stiffened by 2 to 3 %, ω² = ω_1² + 1.2 Ω², which linear modes leave out.
inline constexpr double kMostModalRate = 0.2;

/// Keeps the greatest rates of the bodies that carry modal appendages, rad/s. Warns of each
/// appendage that has turned faster than kMostModalRate allows.
class SPACEDYN_EXPORT ModalRateWatch final : public RunWatch {
 public:
  explicit ModalRateWatch(std::vector<ModalAppendage> appendages);

  void see(const SimulationPoint& point) override;
  /// The same of an instant of which no more is known.
  void see(double time, const LinkVelocities& velocities);
  std::vector<std::string> warnings() const override;

 private:
  std::vector<ModalAppendage> appendages_;
};

}  // namespace spacedyn
