/// @file
/// How fast the bodies turn that carry modal appendages.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

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

/// The greatest rate of a body, and when it was reached.
struct GreatestRate {
  double rate = 0.0;  ///< rad/s
  double time = 0.0;  ///< s
};

/// Keeps the greatest rates of the bodies that carry modal appendages.
class SPACEDYN_EXPORT ModalRateWatch {
 public:
  explicit ModalRateWatch(std::vector<ModalAppendage> appendages);

  /// Looks at one instant. Allocates nothing.
  void see(double time, const LinkVelocities& velocities);

  /// One sentence for each appendage that has turned faster than kMostModalRate allows.
  std::vector<std::string> warnings() const;

  /// What has been seen so far, one for each appendage.
  const std::vector<GreatestRate>& greatest() const { return greatest_; }
  /// Takes over what has been seen in an earlier part of a run.
  /// @throws DimensionError unless there is one for each appendage
  void go_on_from(const std::vector<GreatestRate>& earlier);

 private:
  std::vector<ModalAppendage> appendages_;
  std::vector<GreatestRate> greatest_;
};

}  // namespace spacedyn
