/// @file
/// Actuators that realize the wrench a law asks for.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"

namespace spacedyn {

class ThrusterValves;
struct ActuatorOutput;

/// What a law asks actuators for, inertial axes.
struct WrenchDemand {
  Vector3 torque = Vector3::Zero();  ///< N m, of a couple
  Vector3 force = Vector3::Zero();   ///< N, through the centroid of the robot that they are on
  /// Whether the force counts as much as the torque; else any force will do, the least is best.
  bool counts_force = false;
};

/// Actuators on one body that realize a demand within their limits, as nearly as they can.
///
/// What they are commanded is a vector, and their effect on the loads follows from it: a law may
/// thus be sampled, held, delayed or modulated. Immutable.
class SPACEDYN_EXPORT Allocation {
 public:
  virtual ~Allocation();
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  /// What they are: `wheels`.
  const std::string& kind() const { return kind_; }
  /// The body that carries them.
  int body() const { return body_; }
  /// Axes of the link that carries the first of them, in the frame of the body.
  const Matrix3& axes() const { return axes_; }
  /// Whether they push; else a law may ask for torques alone.
  virtual bool has_force() const { return false; }
  /// Number of values in a command.
  virtual int command_size() const = 0;
  /// The valves whose openings are the command; null of actuators without.
  virtual const ThrusterValves* valves() const { return nullptr; }
  /// @throws DomainError, its text beginning with @p owner, if they are not of a model
  virtual void check(const std::string& owner, const Model& model) const;
  /// Axes, 0…2 of axes(), about which they have no torque in whatever state.
  virtual std::vector<int> idle_axes(const Model& model) const = 0;
  /// Axes of axes() about which they have no torque in both directions at one state, in which
  /// posture, field and speeds do not count: idle_axes() unless the centroid matters.
  virtual std::vector<int> axes_without_torque(const EvaluationContext& context) const;
  /// Inertial axes, 0…2, along which they have no force in both directions that is without torque.
  virtual std::vector<int> axes_without_force(const EvaluationContext& context) const;
  /// The command for a demand. Allocates nothing after its first use in a thread.
  virtual void allocate(const EvaluationContext& context, const WrenchDemand& demand,
                        VectorRef command) const = 0;
  /// Adds the effect of a command. Must not allocate.
  virtual void apply(const EvaluationContext& context, ConstVectorRef command,
                     Loads& loads) const = 0;
  /// Appends what a command does with each actuator.
  /// @param controller  that commands them
  virtual void append_outputs(const std::string& controller,
                              std::vector<ActuatorOutput>& outputs) const;

 protected:
  Allocation(std::string kind, int body, const Matrix3& axes);
  /// @param joints  of the actuators, at least one
  Allocation(std::string kind, const Model& model, const std::vector<int>& joints);

 private:
  std::string kind_;
  int body_;
  Matrix3 axes_;
};

/// @throws DomainError, its text beginning with @p owner, if joints are named twice or carried by
/// several bodies
SPACEDYN_EXPORT void check_on_one_body(const std::string& owner, const Model& model,
                                       const std::vector<int>& joints);

/// Dipoles of torquers on one body that turn it as nearly about a wanted torque N as a field lets
/// them: the least dipole whose torque is the part of N across B [Sidi 1997],
///   m = B × N/|B|²,  d = A⁺ m,  A = [a_i],
/// all made smaller by the same factor where one would be beyond its limit. Whatever the number of
/// torquers, m × B · N ≥ 0.
class SPACEDYN_EXPORT TorquerAllocation final : public Allocation {
 public:
  /// @throws DomainError, its text beginning with @p owner, if there are none, one is named twice
  /// or they are on different bodies
  TorquerAllocation(const std::string& owner, const Model& model, std::vector<Torquer> torquers);

  const std::vector<Torquer>& torquers() const { return torquers_; }
  int size() const { return static_cast<int>(torquers_.size()); }
  int command_size() const override { return size(); }
  /// Axes about which they have no torque in any field.
  std::vector<int> idle_axes(const Model& model) const override;
  /// @param command  dipoles, A m²
  void allocate(const EvaluationContext& context, const WrenchDemand& demand,
                VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  void append_outputs(const std::string& controller,
                      std::vector<ActuatorOutput>& outputs) const override;

 private:
  std::vector<Torquer> torquers_;
  Matrix3X directions_;  // of the torquers, in the link frame of their body
  Matrix3X inverse_;     // (A⁺)ᵀ, a column for each
};

}  // namespace spacedyn
