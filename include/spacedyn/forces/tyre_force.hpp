/// @file
/// A tyre on hard ground.
#pragma once

#include <memory>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/wheel_element.hpp"

namespace spacedyn {

enum class TyreModel {
  brush,   ///< elastic bristles under a parabolic pressure
  pacejka  ///< sine of arcus tangens
};

/// A tyre with combined slip, relaxation length and rest without creep.
///
/// Normal force F_z = k h + c ḣ ≥ 0. The carcass deflects by (u_x, u_y) against the ground,
///   u̇ = v_s − (|rω|/L + ψ) u,  v_s = (v_x − rω, v_y),
/// so u/L becomes the slip v_s/|rω| over a distance L, and at rest it is a spring. With
/// c_i = (slip, cornering) stiffness and x = |(c_x u_x, c_y u_y)|/(μ L) the tangential force is
/// μ F_z f(x) against that vector:
///   brush    f = 1 − (1 − x/3)³ for x < 3, then 1,
///   Pacejka  f = sin(C atan(x/C − E (x/C − atan(x/C)))),
/// so it never exceeds μ F_z. ψ keeps u finite where the tyre slides without rolling: from x = 3
/// on, with Pacejka's formula from x = 12 on. Below |rω| = 0.1 m/s c damps v_s, too. Rolling
/// resistance is a moment f_r F_z r against the rotation, smooth through |rω| = slip_velocity.
/// Tangential deflection counts as lost energy and gives a part of it back.
class SPACEDYN_EXPORT TyreForce final : public WheelElement {
 public:
  struct Settings {
    int link = 0;                      ///< on a revolute joint
    double radius = 0.0, width = 0.0;  ///< m; the width is what pictures show
    std::shared_ptr<const Terrain> terrain;
    TyreModel model = TyreModel::brush;
    double stiffness = 0.0;            ///< k, N/m
    double damping = 0.0;              ///< c, N s/m
    double friction = 0.0;             ///< μ
    double slip_stiffness = 0.0;       ///< c_x = ∂(F_x/F_z)/∂slip at no slip
    double cornering_stiffness = 0.0;  ///< c_y = ∂(F_y/F_z)/∂(slip angle), 1/rad
    double relaxation_length = 0.0;    ///< L, m; 0: the radius
    double rolling_resistance = 0.0;   ///< f_r
    double shape = 1.65;               ///< C of Pacejka's formula, 1…2
    double curvature = 0.0;            ///< E of Pacejka's formula, ≤ 1
    double slip_velocity = 1e-3;       ///< m/s
  };

  /// @throws DomainError if a number has no meaning or there is no terrain
  TyreForce(std::string name, const Settings& settings);
  ~TyreForce() override;

  const Settings& settings() const { return settings_; }
  /// F_t/(μ F_z) of a stiffness times slip over μ, x ≥ 0.
  double mobilized(double x) const;

  void declare(Declarations& declared) const override;
  int auxiliary_size() const override { return 2; }
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  WheelReading reading(const EvaluationContext& context) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;
  EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef rate) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;

 private:
  struct Grip;
  Grip grip(const EvaluationContext& context) const;
  void add(const Grip& now, const EvaluationContext& context, Loads& loads) const;
  EnergyRates energy_rates(const Grip& now) const;

  Settings settings_;
};

}  // namespace spacedyn
