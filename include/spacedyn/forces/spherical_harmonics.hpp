/// @file
/// Potentials as series of spherical harmonics, and the models that give their coefficients.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/acceleration_field.hpp"

namespace spacedyn {

/// Coefficients of a series, of degree n and order m at (n, m), fully normalized; those of the
/// gravity of a planet unless a function says otherwise.
struct SPACEDYN_EXPORT HarmonicCoefficients {
  double mu = 0.0;      ///< μ, m³/s²
  double radius = 0.0;  ///< R of the series, m
  MatrixX cosine;       ///< C_nm; degree N has N + 1 rows and columns
  MatrixX sine;         ///< S_nm

  int degree() const { return static_cast<int>(cosine.rows()) - 1; }
  /// The series up to a degree, which is at most its own.
  HarmonicCoefficients up_to(int degree) const;
  /// An oblate planet: C_00 = 1, C_20 = −J₂/√5.
  static HarmonicCoefficients oblate(double mu, double radius, double j2);
};

/// The text of an ICGEM file `.gfc` of a static gravity field. The tide system is not looked at:
/// C_20 of the file counts as it is. C_00 is 1 where the file has none, other missing coefficients
/// are 0.
/// @param name  of the file, for messages
/// @throws DomainError that names the line: a number that is none, a coefficient beyond
/// `max_degree` or given twice, a model that changes with time; or that says what the file lacks
SPACEDYN_EXPORT HarmonicCoefficients parse_gfc(const std::string& text, const std::string& name);

/// The text of a `.COF` file of the World Magnetic Model, for V = R Σ (R/r)^(n+1) (g cos mλ + h sin
/// mλ) S_n^m with Schmidt's semi-normalized functions: g and h in nT at a date, fully normalized
/// here.
/// @param date  in years, within the five that the model is for
/// @throws DomainError likewise, or where the date is outside of them
SPACEDYN_EXPORT HarmonicCoefficients parse_cof(const std::string& text, const std::string& name,
                                               double date);

/// U = k Σ_n Σ_m (R/r)^(n+1) P̄_nm(sin φ) (C_nm cos mλ + S_nm sin mλ) and its derivatives, by
/// Cunningham's recursion in Cartesian coordinates, which has no singularity at the poles:
/// derivatives of a series of degree N are series of degree N + 1, whose coefficients are made once
/// [Cunningham 1970; Montenbruck 2000, 3.2.4].
class SPACEDYN_EXPORT SphericalHarmonics final : public GravityModel {
 public:
  /// Gravity: k = μ/R. @throws DomainError if μ or R is not positive or a number is not finite
  explicit SphericalHarmonics(const HarmonicCoefficients& coefficients);
  /// With another factor.
  SphericalHarmonics(const HarmonicCoefficients& coefficients, double factor);

  int degree() const { return degree_; }
  double radius() const { return radius_; }
  /// O(N²), allocates nothing. @pre r ≠ 0
  GravityPotential at(const Vector3& r, double time) const override;
  GravityPotential at(const Vector3& r) const { return at(r, 0.0); }
  void describe(CelestialBody& body) const override;

 private:
  /// U, ∂x, ∂y, ∂z, ∂xx, ∂xy, ∂xz, ∂yy, ∂yz
  static constexpr int kSums = 9;
  /// What one solid harmonic needs: its recursion and its part of each sum.
  struct Term {
    double along, before;                    // of the two of lower degree
    std::array<double, kSums> cosine, sine;  // coefficients
  };

  int degree_;
  double mu_, radius_;
  std::vector<Term> terms_;        // by order, then by degree, up to degree N + 2
  std::vector<double> diagonals_;  // of the recursion from one order to the next
};

}  // namespace spacedyn
