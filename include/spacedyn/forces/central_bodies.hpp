/// @file
/// Gravity of point masses in inertial flight.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/robot_field.hpp"

namespace spacedyn {

/// A point mass that stays where it is.
struct SPACEDYN_EXPORT CentralBody {
  std::string name;
  double mu = 0.0;                     ///< m³/s²
  Vector3 position = Vector3::Zero();  ///< inertial, m
  double j2 = 0.0;                     ///< of its oblateness
  double equatorial_radius = 0.0;      ///< m, with j2
  Vector3 axis = Vector3::UnitZ();     ///< of its oblateness, unit vector

  /// μ/r (1 − J₂ (R/r)² (3 s² − 1)/2), s = axis·r̂, at a point r from it, and its gradient.
  double potential(const Vector3& r) const;
  Vector3 gradient(const Vector3& r) const;
};

/// −μ m r/|r|³ on each body at r from each point mass, the force of its J₂ at that point, and
/// MacCullagh's force and torque 3μ/|r|³ r̂ × I r̂ on its inertia. It stores −μ m/|r| − μ/(2|r|³)
/// (tr I − 3 r̂·I r̂). Without gravity gradient all bodies of a robot feel the gravity at the
/// robot's centroid; a robot is what hangs together by joints other than free ones.
class SPACEDYN_EXPORT CentralBodies final : public RobotField {
 public:
  /// With gravity gradient.
  /// @throws DomainError if there is no point mass, a μ is not positive or a number not finite
  CentralBodies(std::string name, std::vector<CentralBody> bodies);
  /// Without, of the robots of a model.
  /// @throws DomainError likewise
  CentralBodies(std::string name, std::vector<CentralBody> bodies, const Model& model);

  const std::vector<CentralBody>& bodies() const { return bodies_; }
  void declare(Declarations& declared) const override;
  double stored_energy(const EvaluationContext& context) const override;
  Vector3 acceleration(const EvaluationContext& context, int body, const Vector3& r,
                       const Vector3& v) const override;
  double potential(const EvaluationContext& context, int body, const Vector3& r,
                   double specific_inertia) const override;

 private:
  EnergyRates attract(const EvaluationContext& context, Loads* loads) const override;
  /// What all point masses do to one body.
  struct Attraction {
    double energy;
    Vector3 force, moment;
  };
  Vector3 gravity(const Vector3& r) const;
  double potential(const Vector3& r) const;
  Attraction attraction(const EvaluationContext& context, int body) const;
  template <typename Visit>
  void for_each_body(const EvaluationContext& context, const Visit& visit) const;

  std::vector<CentralBody> bodies_;
};

}  // namespace spacedyn
