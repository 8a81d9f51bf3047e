/// @file
/// What acts between joints and inside them: friction, coupled springs, elastic transmissions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Free text that is kept with whatever it describes.
struct Notes {
  std::string description;
  std::string source;                          ///< provenance of the numbers
  std::map<std::string, std::string> details;  ///< of parts inside, by key path: `inertia.source`
};

/// What the spin of a geared rotor acts on.
enum class RotorCoupling {
  reflected,  ///< the joint alone: gear_ratio² rotor_inertia q̈
  full        ///< also the body that carries the rotor, gyroscopic moments included
};

/// Dry friction of a joint: Coulomb, Stribeck and a bristle that holds at rest; see DryFriction.
struct JointFriction {
  double coulomb = 0.0;    ///< at speed, N m or N
  double breakaway = 0.0;  ///< at rest, N m or N; 0: as Coulomb friction, else at least that
  double stribeck_velocity =
      0.01;                    ///< at which it has fallen to 1/e of the difference, rad/s or m/s
  double presliding = 1.0e-3;  ///< deflection at which Coulomb friction is reached, rad or m

  bool is_present() const { return coulomb > 0.0; }
};

/// Springs and dampers between several joints: τ = −K (q − q_rest) − D q̇.
struct JointCouplingDescription {
  std::string name;
  std::vector<std::string> joints;  ///< m joints by name
  MatrixX stiffness;                ///< K, m×m, symmetric, positive semidefinite; or empty
  MatrixX damping;                  ///< D, the same
  VectorX rest_position;            ///< q_rest, size m; or empty: zero
  Notes notes;
};

/// An elastic transmission between the joint of a motor's rotor and the joint it drives.
///
/// With twist δ = θ/N − q less the play, |δ| beyond backlash/2, the driven joint gets k δ + c δ̇,
/// the rotor −1/N of it.
struct TransmissionDescription {
  std::string name;
  std::string motor;        ///< joint of the rotor, position θ
  std::string joint;        ///< driven joint, position q
  double gear_ratio = 1.0;  ///< N, turns of the motor per turn of the joint
  double stiffness = 0.0;   ///< k, at the joint
  double damping = 0.0;     ///< c, at the joint
  double backlash = 0.0;    ///< whole play, at the joint
  Notes notes;
};

/// JointCouplingDescription with joints by number and all sizes filled in.
struct JointCoupling {
  std::string name;
  std::vector<int> joints;  ///< 1…n
  MatrixX stiffness;        ///< K
  MatrixX damping;          ///< D
  VectorX rest_position;    ///< q_rest
};

/// TransmissionDescription with joints by number.
struct SPACEDYN_EXPORT Transmission {
  std::string name;
  int motor = 0, joint = 0;  ///< 1…n
  double gear_ratio = 1.0;   ///< N
  double stiffness = 0.0;    ///< k
  double damping = 0.0;      ///< c
  double backlash = 0.0;     ///< whole play

  /// δ: twist beyond the play, 0 inside it.
  double twist(ConstVectorRef q) const;
};

/// ½ (q − q_rest)ᵀ K (q − q_rest), J.
SPACEDYN_EXPORT double elastic_energy(const JointCoupling& coupling, ConstVectorRef q);
/// ½ k δ², J.
SPACEDYN_EXPORT double elastic_energy(const Transmission& transmission, ConstVectorRef q);

}  // namespace spacedyn
