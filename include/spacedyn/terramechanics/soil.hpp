/// @file
/// Loose soil: what a plate, and a shear plate, find out about it.
#pragma once

#include <array>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// How pressure grows with sinkage.
enum class PressureLaw {
  bekker,  ///< p = (k_c/b + k_φ) zⁿ
  reece    ///< p = (c k_c + ρ g b k_φ) (z/b)ⁿ, k_c and k_φ without unit
};

/// Parameters of a soil, [Bekker], [Wong], [Ishigami].
struct SPACEDYN_EXPORT Soil {
  double cohesion = 0.0;        ///< c, Pa
  double friction_angle = 0.0;  ///< φ, internal, rad
  double k_c = 0.0;             ///< cohesive modulus, N/m^(n+1); without unit after Reece
  double k_phi = 0.0;           ///< frictional modulus, N/m^(n+2); without unit after Reece
  double exponent = 1.0;        ///< n
  double exponent_slip = 0.0;   ///< n is this much larger per unit of |slip|
  double density = 0.0;         ///< ρ, kg/m³
  std::array<double, 2> shear_modulus_x{};  ///< k_x = first + second |β|, m, β in rad
  std::array<double, 2> shear_modulus_y{};  ///< k_y likewise
  double a0 = 0.4, a1 = 0.15;      ///< θ_m = (a0 + a1 s) θ_f: where the normal stress is largest
  double lambda = 0.0;             ///< λ, height of the rut's rise behind the wheel over sinkage
  double destructive_angle = 0.0;  ///< X_c of the soil that is pushed aside, rad; 0: 45° − φ/2
  PressureLaw pressure = PressureLaw::bekker;
  /// k_u = first + second · z_u of soil that was pressed to z_u, N/m³ and N/m⁴; zero: not known
  std::array<double, 2> unloading_modulus{};

  /// @throws DomainError naming the parameter that has no meaning and what would have
  void check() const;
};

/// A rigid wheel.
struct SPACEDYN_EXPORT SoilWheel {
  double radius = 0.0;  ///< r, m
  double width = 0.0;   ///< b, m; zero: no force
  /// Soil between grousers turns with the wheel: it is sheared at r plus this, m.
  double grouser_height = 0.0;

  /// @throws DomainError
  void check() const;
};

/// τ = (c + σ tan φ)(1 − e^(−j/k)) of Janosi and Hanamoto, odd in the displacement j. Pa
/// @param modulus  k, m, > 0
SPACEDYN_EXPORT double shear_stress(const Soil& soil, double normal_stress, double displacement,
                                    double modulus);

/// @name Plates and rolling resistance
/// @{
/// p at a sinkage z ≥ 0 under a plate of width b, its smaller side as a rule, Pa.
SPACEDYN_EXPORT double plate_pressure(const Soil& soil, double width, double sinkage,
                                      double gravity);
/// Soil that was pressed before, after [Wong]: unloaded and loaded again it follows
/// p = p_u − k_u (z_u − z) up to the pressure p_u that it has carried, beyond that its first curve.
struct PressedBed {
  double floor = 0.0;    ///< z_u − p_u/k_u: depth of what is left of the sinkage, m
  double modulus = 0.0;  ///< k_u, at least p_u/z_u, N/m³
};
/// @param deepest  z_u, m. @throws DomainError unless it is positive and the soil has a k_u
SPACEDYN_EXPORT PressedBed pressed_bed(const Soil& soil, double width, double deepest,
                                       double gravity);
/// p at a sinkage below the undisturbed surface, zero above the floor, Pa. @throws as pressed_bed()
SPACEDYN_EXPORT double plate_pressure(const Soil& soil, double width, double sinkage,
                                      double gravity, double deepest);
/// z under a load on a plate of length × width, m. @throws DomainError unless all are positive
SPACEDYN_EXPORT double plate_sinkage(const Soil& soil, double length, double width, double load,
                                     double gravity);

/// Sinkage of a towed rigid wheel and its resistance by compaction of the rut.
struct CompactionResistance {
  double sinkage = 0.0;     ///< z, m
  double resistance = 0.0;  ///< R_c, N
};
/// z = [3W/((3−n) b k √D)]^(2/(2n+1)), R_c = b k z^(n+1)/(n+1), k of either pressure law.
/// @throws DomainError unless the load is positive and n < 3
SPACEDYN_EXPORT CompactionResistance compaction_resistance(const SoilWheel& wheel, const Soil& soil,
                                                           double load, double gravity);
/// @}

}  // namespace spacedyn
