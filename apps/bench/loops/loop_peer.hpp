/// @file
/// Other libraries on a model with loops: joints, constraints and loads are theirs.
#pragma once

#include <memory>
#include <string>

#include <spacedyn/model/model.hpp>
#include <spacedyn/state/loads.hpp>
#include <spacedyn/state/state.hpp>

namespace spacedyn::bench {

/// One library on one model. Bodies are built from the description of the model in the frames of
/// its user: revolute, prismatic, universal and spherical joints, of loops revolute, spherical and
/// weld. @pre the centroid of the base is the origin of its frame
class LoopPeer {
 public:
  virtual ~LoopPeer() = default;
  /// Takes over positions, velocities and loads: gravity, base wrench and torques.
  virtual void place(const State& state, const Loads& loads) = 0;
  /// From the bare state to accelerations that satisfy the loops.
  virtual void evaluate() = 0;
  /// u̇ of the last evaluation, as State::velocity() has it.
  virtual VectorX acceleration() const = 0;
  /// The force that a loop exerts on the body of its second point, inertial axes.
  virtual Vector3 force(int loop) const = 0;
};

/// How a pin between bodies of a plane mechanism is said.
enum class PinRows {
  joint,  ///< the five rows of a revolute joint, or more where the library has no such loop
  point,  ///< the three rows of a common point, one of them redundant in a plane
  plane   ///< Simbody: a point in two planes, two rows; MuJoCo: as point
};

/// Realizes to Stage::Acceleration.
std::unique_ptr<LoopPeer> make_simbody_loops(const Model& model, PinRows pins = PinRows::joint);

/// How MuJoCo solves.
struct MujocoSettings {
  std::string solver = "Newton";  ///< or CG, PGS
  std::string jacobian = "auto";  ///< or dense, sparse
  std::string tolerance = "1e-8";
  PinRows pins = PinRows::joint;
  /// Adds k = −J̇ u, which MuJoCo leaves out, to its reference accelerations; J̇ u is from
  /// differences of its own J. Needs a dense J.
  bool with_bias = false;
  /// Multiplies the regularization R of its constraints. Not with PGS, which has it in a matrix.
  double softness = 1.0;
};

/// The stages of mj_forward() less sensors and energy, contacts disabled, impedance 0.9999.
std::unique_ptr<LoopPeer> make_mujoco_loops(const Model& model, const MujocoSettings& settings);

}  // namespace spacedyn::bench
