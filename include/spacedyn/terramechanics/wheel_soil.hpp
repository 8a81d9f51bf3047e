/// @file
/// Forces between a rigid wheel and loose soil, from the stresses under its rim.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terramechanics/soil.hpp"

namespace spacedyn {

/// What soil does to a wheel, along its heading, across it and in its plane upwards.
struct WheelSoilForce {
  double drawbar_pull = 0.0;        ///< F_x, N
  double side_force = 0.0;          ///< F_y, N: against the slip to the side, positive for β > 0
  double vertical_force = 0.0;      ///< F_z, N
  double resistance_torque = 0.0;   ///< T about the spin axis, N m: against the rotation
  double overturning_moment = 0.0;  ///< about the heading, N m, of F_y, positive for β > 0
  double aligning_moment =
      0.0;  ///< about the upward axis, N m, of τ_y, positive: F_y acts in front
};

/// Where soil and wheel touch, angles from the lowest point, positive in front. rad
struct ContactAngles {
  double entry = 0.0;  ///< θ_f
  double exit = 0.0;   ///< θ_r
  double peak = 0.0;   ///< θ_m
};

/// Stresses at one place of the rim, Pa.
struct WheelStress {
  double normal = 0.0, shear_x = 0.0, shear_y = 0.0;
};

/// Forces of a soil on a wheel as functions of sinkage h, slip s and slip angle β.
///
/// Contact from θ_f = acos(1 − h/r) to θ_r = −acos(1 − λh/r); with θ_m = (a0 + a1 s) θ_f
///   σ = p(r (cos θ − cos θ_f)) for θ ≥ θ_m, behind it at θ_f − (θ − θ_r)/(θ_m − θ_r) (θ_f − θ_m),
///   τ_x = (c + σ tan φ)(1 − e^(−j_x/k_x)),  j_x = r [θ_f − θ − (1 − s)(sin θ_f − sin θ)],
///   τ_y likewise, j_y = r (1 − s)(θ_f − θ) tan β,
///   F_x = r b ∫ (τ_x cos θ − σ sin θ), F_z = r b ∫ (τ_x sin θ + σ cos θ), T = r² b ∫ τ_x,
///   F_y = ∫ [r b τ_y + R_b (r − h cos θ)],  R_b = D1 (c h + D2 ρ g h²/2),
///   D1 = cot X_c + tan(X_c + φ), D2 = cot X_c + cot² X_c / cot φ,
/// [Wong], [Ishigami]; a grouser adds its height to r in j, T and the area of shear. The integrals
/// are Gauss–Legendre sums, split where j_x changes sign, accurate to 1e-8 of the vertical force.
/// Slip is (rω − v)/(rω) when driving, (rω − v)/v when braking. To be smooth R_b has the sign of β
/// and is fully mobilized from |β| = 1° on, and |β| in k_x, k_y is rounded below that. Beyond
/// |s| = 1 the slip that moves θ_m saturates.
/// Differs from [Ishigami]: R_b has ρ g, the unit weight that its units ask for.
class SPACEDYN_EXPORT WheelSoilModel {
 public:
  /// @throws DomainError if a parameter has no meaning
  WheelSoilModel(const SoilWheel& wheel, const Soil& soil, double gravity = kStandardGravity);

  /// State of the contact. `pressing` multiplies σ: 1 in a steady motion, more where a wheel sinks.
  /// `lateral` is (1 − s) tan β, given apart as it stays finite where a wheel spins on the spot.
  /// `pressed` is the depth z_u to which a wheel before has pressed the soil: below the floor of
  /// PressedBed σ follows its two curves, and the depth from the floor takes the place of h. 0:
  /// soil that nothing has pressed. Sinkages count from the undisturbed surface.
  struct Contact {
    double sinkage = 0.0, slip = 0.0, lateral = 0.0, slip_angle = 0.0, pressing = 1.0;
    double pressed = 0.0;
  };
  /// ∂force/∂(element of Contact), in its order; by `pressed` zero over untouched soil.
  struct Slopes {
    WheelSoilForce by_sinkage, by_slip, by_lateral, by_slip_angle, by_pressing, by_pressed;
  };

  /// Zero without sinkage; sinkages beyond 1.9 r count as that. Allocates nothing. Below 1 µs for
  /// n = 1.
  WheelSoilForce force(double sinkage, double slip, double slip_angle) const;
  WheelSoilForce force(const Contact& contact) const;
  WheelSoilForce force(const Contact& contact, Slopes& slopes) const;

  ContactAngles angles(double sinkage, double slip) const;
  /// Stresses at an angle from θ_r to θ_f, zero outside.
  WheelStress stress(double sinkage, double slip, double slip_angle, double angle) const;

  /// Sinkage that carries a load in steady motion, to 1e-12 of the radius.
  /// @param pressed  as in Contact
  /// @throws DomainError if no sinkage up to the radius carries it
  double sinkage(double load, double slip, double slip_angle, double pressed = 0.0) const;
  /// ∫ F_z dh from 0 at slip 0: the work that pressing a standing wheel into the soil takes, J.
  double pressing_work(double sinkage) const;
  /// The same over soil that was pressed before, with its derivatives: exact for the sum, which is
  /// accurate to some 1e-4. @pre pressed > 0
  struct PressingWork {
    double work = 0.0, by_sinkage = 0.0, by_pressed = 0.0;  // J, N, N
  };
  PressingWork pressing_work(double sinkage, double pressed) const;

  const SoilWheel& wheel() const { return wheel_; }
  const Soil& soil() const { return soil_; }

 private:
  template <typename T>
  friend class ContactPatch;

  SoilWheel wheel_;
  Soil soil_;
  double shear_radius_;          // r plus grousers
  double stiffness_;             // of p = stiffness (z/unit)ⁿ
  double unit_;                  // 1 m, or b after Reece
  double tan_phi_;               // tan φ
  double push_c_, push_weight_;  // D1 c, D1 D2 ρ g / 2
};

/// @name The same in one call
/// @{
/// @throws DomainError if a parameter has no meaning
SPACEDYN_EXPORT WheelSoilForce wheel_soil_force(const SoilWheel& wheel, const Soil& soil,
                                                double sinkage, double slip, double slip_angle,
                                                double gravity = kStandardGravity);
/// The inverse: sinkage for a load. @throws DomainError also if no sinkage carries the load
SPACEDYN_EXPORT double wheel_sinkage(const SoilWheel& wheel, const Soil& soil, double load,
                                     double slip, double slip_angle,
                                     double gravity = kStandardGravity);
/// @}

}  // namespace spacedyn
