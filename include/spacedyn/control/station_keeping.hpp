/// @file
/// Thrusters hold a spacecraft at a place, or lead it along a path.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// F = K e + D (v_ref − v), e = r_ref − r without the part within the dead band, each component by
/// itself in the axes of the run, those of Hill's frame in an orbit. r is the centroid of the body
/// that carries the thrusters; these share F without torque, see ThrusterAllocation.
///
/// Who holds the attitude is another controller.
class SPACEDYN_EXPORT StationKeeping final : public Controller {
 public:
  struct Settings {
    std::vector<Thruster> thrusters;             ///< of the model, on one body
    Vector3 stiffness = Vector3::Zero();         ///< K, N/m
    Vector3 damping = Vector3::Zero();           ///< D, N s/m
    double dead_band = 0.0;                      ///< m
    std::shared_ptr<const Reference> reference;  ///< r_ref, 3 components
    ThrusterModulation modulation;               ///< of the thrusters; with one its period counts
    double sample_period = 0.0;                  ///< s; 0: continuous
  };

  /// @throws DomainError if a gain or the dead band is negative or not finite, all gains are zero,
  /// thrusters are on several bodies, there is no reference or ThrusterAllocation throws;
  /// DimensionError if the reference has not 3 components
  StationKeeping(std::string name, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  const ThrusterAllocation* nozzles() const override { return &nozzles_; }
  /// The body that carries the thrusters.
  int body() const { return body_; }
  double sample_period() const override { return settings_.sample_period; }
  /// Openings of the thrusters.
  int command_size() const override { return nozzles_.size(); }
  /// Propellant used by each thruster, kg.
  int auxiliary_size() const override { return nozzles_.size(); }
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  /// @throws DomainError if the model has not the body
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  Settings settings_;
  ThrusterAllocation nozzles_;
  int body_ = 0;
};

}  // namespace spacedyn
