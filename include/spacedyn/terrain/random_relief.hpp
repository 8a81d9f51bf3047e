/// @file
/// Random relief: heights with a given spectrum, the same for the same seed.
#pragma once

#include <cstdint>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// z(x, y) = Σ a_i cos(k_i · (x, y) + φ_i), isotropic, with the spectrum of fractal ground.
///
/// The variance of wavelengths from λ_1 to λ_2 is proportional to λ_2^(2H) − λ_1^(2H), H Hurst's
/// exponent: a power spectrum ~ |k|^(−2−2H) in the plane. Waves stand one in each of 256 equal
/// parts of log |k|, at a random place, direction and phase there; Σ a_i²/2 = rms². Numbers are
/// the same on all machines but for the rounding of their sines.
class SPACEDYN_EXPORT RandomRelief {
 public:
  struct Spectrum {
    double rms = 0.0;       ///< root mean square of the heights, m
    double shortest = 0.0;  ///< wavelengths, m
    double longest = 0.0;
    double hurst = 0.8;      ///< H, above 0 and at most 1: the larger, the smoother
    std::uint64_t seed = 0;  ///< at most 2^53
  };

  /// @throws DomainError if a number has no meaning
  explicit RandomRelief(const Spectrum& spectrum);

  double height(double x, double y) const;
  /// Row i at y = origin_y + i spacing, column j at x = origin_x + j spacing, as HeightField has
  /// them.
  MatrixX heights(Eigen::Index rows, Eigen::Index columns, double spacing, double origin_x,
                  double origin_y) const;

 private:
  struct Wave {
    double amplitude, x, y, phase;
  };
  std::vector<Wave> waves_;
};

}  // namespace spacedyn
